#!/bin/sh
# Builds the program of fused-mixed.test from its chains, each way.
# usage: build-fused-mixed.sh MPICC INPUTS OVERLAY OUTPUT
set -e
mpicc=$1
chains=$2/fused-mixed-chains.c
bin=$(dirname "$(command -v acisc)")
names() {
  for chain in allreduce bcast scan one; do
    echo "-Dchain_$chain=$1_$chain"
  done
}
# rewritten NAME FLAGS OPTIONS...: an object of the chains under that name
rewritten() {
  name=$1 flags="$(names $1) $2"
  shift 2
  mkdir -p $name
  acisc --mpi --no-remarks --force "$@" -o $name/chains.c $chains -- $flags
  $mpicc -I"$bin/../include" -iquote "$(dirname $chains)" $flags -c $name/chains.c -o $name.o
}
$mpicc -c $(names plain) $chains -o plain.o
rewritten fused "" --config=$3
rewritten other -DOTHER --config=$3
rewritten declined ""
ACIS_MPICC=$mpicc acis-mpicc $2/fused-mixed.c plain.o fused.o other.o declined.o -o $4

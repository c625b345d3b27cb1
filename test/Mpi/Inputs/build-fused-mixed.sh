#!/bin/sh
# Builds the program of fused-mixed.test from its chains, each way.
# usage: build-fused-mixed.sh MPICC INPUTS OVERLAY OUTPUT
set -e
names() {
  for chain in allreduce bcast scan one; do
    echo "-Dchain_$chain=$1_$chain"
  done
}
chains=$2/fused-mixed-chains.c
export ACIS_MPICC=$1
$1 -c $(names plain) $chains -o plain.o
acis-mpicc --acis-force --acis-config=$3 -c $(names fused) $chains -o fused.o
acis-mpicc --acis-force --acis-config=$3 -c -DOTHER $(names other) $chains -o other.o
acis-mpicc --acis-force -c $(names declined) $chains -o declined.o
acis-mpicc $2/fused-mixed.c plain.o fused.o other.o declined.o -o $4

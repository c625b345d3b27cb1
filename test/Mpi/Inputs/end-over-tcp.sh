# A program of one collective, again and again on two hosts, over UCX and TCP alone: how many runs came to their end.
program=$1
unset ACIS_PLACEMENT
export UCX_TLS=tcp,self UCX_NET_DEVICES=eth0
log=$(mktemp)
acisd --listen $CLUSTER_ADDRESS:9000 > $log &
until grep -q listening $log; do sleep 0.05; done
rm $log
ended=0
for job in 1 2 3 4 5 6; do
  timeout -s INT 30 acis-mpirun -n 2 --mpi mpich --host h0:1,h1:1 --rsh $CLUSTER_SHELL --switch $CLUSTER_ADDRESS:9000 \
    --job $job $program && ended=$((ended + 1))
done
echo "ended: $ended of 6"

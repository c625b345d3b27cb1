# What a cluster's administrator and then its user do: a key, a switch, the job's key, a job.
set -e
folder=$1
program=$2
unset ACIS_PLACEMENT
echo 00112233445566778899aabbccddeeff > $folder/fabric.key
acisctl job-key --key-file $folder/fabric.key --job 7 > $folder/job.key
acisd --key-file $folder/fabric.key --listen $CLUSTER_ADDRESS:9000 > $folder/acisd.log &
until grep -q listening $folder/acisd.log; do sleep 0.05; done
run() {
  acis-mpirun -n 4 --switch $CLUSTER_ADDRESS:9000 --job 7 --key-file $folder/job.key \
    --launcher-arg=-H --launcher-arg=h0:2,h1:2 \
    --launcher-arg=--mca --launcher-arg=plm_rsh_agent --launcher-arg=$CLUSTER_SHELL \
    --launcher-arg=--mca --launcher-arg=oob_tcp_if_include --launcher-arg=$CLUSTER_NETWORK \
    --launcher-arg=--mca --launcher-arg=btl_tcp_if_include --launcher-arg=$CLUSTER_NETWORK \
    "$@"
}
run --costs none --why=$folder/none.json $program 30
run --costs $folder/costs.json --why=$folder/measured.json $program 30
run --placement apart --why=$folder/apart.json $program 30

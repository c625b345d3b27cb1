# usage: two-jobs.sh ADDRESS PROGRAM: the program twice at one switch, as two jobs at the same time.
acis-mpirun -n 4 --switch "$1" --job 1 --why=one.why "$2" >one.out &
acis-mpirun -n 4 --switch "$1" --job 2 --why=two.why "$2" >two.out || exit 1
wait $!

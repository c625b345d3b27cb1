# A launcher that says something and fails so many times.
# usage: fake-mpiexec.sh FILE TIMES WORDS   FILE counts the runs
echo run >> "$1"
n=$(wc -l < "$1")
echo "run $n" >&2
if [ "$n" -le "$2" ]; then
  echo "mpiexec: $3" >&2
  exit 1
fi
echo "No Errors" >&2

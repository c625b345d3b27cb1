"""Runs a build twice with an empty ccache; without that program says what it would have said."""
import os
import shutil
import subprocess
import sys

environment = dict(os.environ, ACIS_MPICC="mpicc.mpich", CCACHE_DIR=os.path.abspath("cache"))
for name in ("CCACHE_DISABLE", "CCACHE_READONLY", "CCACHE_RECACHE"):
    environment.pop(name, None)
command = sys.argv[1] if shutil.which("ccache") else sys.argv[1].replace("ccache ", "")
for _ in range(2):
    subprocess.run(command, shell=True, check=True, env=environment)
if shutil.which("ccache"):
    shown = subprocess.run(["ccache", "--print-stats"], env=environment, text=True,
                           stdout=subprocess.PIPE).stdout
    hits = dict(line.split() for line in shown.splitlines())
    if int(hits["direct_cache_hit"]) + int(hits["preprocessed_cache_hit"]) < 5:
        sys.exit("the second build did not come from the cache:\n" + shown)

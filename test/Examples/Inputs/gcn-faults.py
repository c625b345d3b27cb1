"""usage: gcn-faults.py FOLDER EXAMPLE

What ranks of the MPI program say of plans that are not theirs or damaged, of switches that are missing, die or run something
else: an error with the rank, and no result. FOLDER has the files of gcn-network.py."""
import os
import pathlib
import subprocess
import sys
import time

folder, example = pathlib.Path(sys.argv[1]), sys.argv[2]
sys.path.insert(0, example)
import acis
import cluster
from acis import client, gcn

os.chdir(folder)
options = cluster.options_of(["--graph", "graph.txt", "--features", "x.npy", "--weights", "w1.npy", "--weights", "w2.npy"])
work = cluster.Work(options)
cluster.build(options.mpicc, folder / "gcn-mpi")
with gcn.InProcess() as place:
    place.save("gcn.acis")
    sizes = place.sizes
for name, group in (("plans", 1), ("gathered", 4)):
    os.mkdir(name)
    cluster.cluster.write_plans(name, work.split(group)[0], work.offsets, 2, work.features, work.weights, sizes)


def start(plans, *arguments, ranks=4, program="./gcn-mpi"):
    return subprocess.Popen(["mpiexec.mpich", "-n", str(ranks), program, plans, "--out", "result", *arguments],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=dict(os.environ, OMP_NUM_THREADS="1"))


def fails(text, process):
    printed = process.communicate(timeout=120)[0]
    assert process.returncode != 0 and text in printed, printed
    assert not os.path.exists("result")


def with_file(name, content):
    """A folder of plans of which one has another content."""
    os.mkdir(name)
    for rank in range(4):
        pathlib.Path(name, f"part.{rank}").write_bytes(pathlib.Path("gathered", f"part.{rank}").read_bytes())
    pathlib.Path(name, "part.2").write_bytes(content)
    return name


whole = pathlib.Path("gathered/part.2").read_bytes()
fails("rank 0: none/part.0: cannot be read", start("none", ranks=1))
fails("rank 2: cut/part.2: is no whole plan of this version; write it again", start(with_file("cut", whole[:-8])))
fails("rank 2: longer/part.2: is no whole plan", start(with_file("longer", whole + bytes(8))))
fails("rank 2: empty/part.2: is no whole plan", start(with_file("empty", b"")))
fails("rank 2: other/part.2: it is of rank 1 of 4, and this one is 2 of 4",
      start(with_file("other", pathlib.Path("gathered/part.1").read_bytes())))
fails(" of 4, and this one is ", start("gathered", ranks=2))
fails("usage: gcn-mpi PLANS", start("gathered", "--repeat", "0", ranks=1))
fails("usage: gcn-mpi PLANS", start("gathered", "--fast", "1", ranks=1))

# Switches that are not there.
fails("no handler: cannot be read; --handler names", start("plans"))
fails("; name its switch with --switches", start("plans", "--handler", "gcn.acis", "--switches", ","))
fails("switch nowhere: ", start("plans", "--handler", "gcn.acis", "--switches", "nowhere,nowhere"))

# One that runs something else.
pathlib.Path("none.c").write_text("""#include <acis.h>
ACIS_HANDLER void first(const float *restrict in, float *restrict out, const float *restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < 16; i++)
    out[i] = in[i];
  *len = 64;
}
""")
acis.compile("none.c").save("none.acis")
with client.local_switch("u280.json", control="leaf0"), client.local_switch("u280.json", control="leaf1"):
    fails("is another handler there?", start("plans", "--handler", "none.acis", "--switches", "leaf0,leaf1"))
    fails(" cannot be loaded: ELF header", start("plans", "--handler", "none.c", "--switches", "leaf0,leaf1"))

# Switches that hold a pass of two, and none.
for name, held in (("one", 100_000), ("none", 4096)):
    cluster.build(options.mpicc, folder / name, f"-DSWITCH_BYTES={held}")
with client.local_switch("u280.json", control="leaf0"), client.local_switch("u280.json", control="leaf1"):
    results = []
    for program in ("./gcn-mpi", "./one"):
        process = start("plans", "--handler", "gcn.acis", "--switches", "leaf0,leaf1", program=program)
        printed = process.communicate(timeout=120)[0]
        assert process.returncode == 0, printed
        results.append(pathlib.Path("result").read_bytes())
        os.remove("result")
    assert results[0] and results[0] == results[1]
    fails(" dense rows is more than leaf ", start("plans", "--handler", "gcn.acis", "--switches", "leaf0,leaf1", program="./none"))

# A leaf that dies while ranks stream to it.
with client.local_switch("u280.json", control="leaf0"):
    with client.local_switch("u280.json", control="leaf1"):
        process = start("plans", "--handler", "gcn.acis", "--switches", "leaf0,leaf1", "--repeat", "100000", "--deadline", "0.2",
                        "--threads")
        assert process.stdout.readline().startswith("{")
        time.sleep(0.3)
    fails("leaf 1", process)

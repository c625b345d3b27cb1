#!/usr/bin/python3
"""A graph convolutional network's inference by several processes and leaf switches of this machine.

usage: cluster.py --graph FILE --features FILE --weights FILE [--weights FILE]... [options]

Each MPI rank stands for a host. Their rows are those of the usual Allgather and local product in one run, and split
over host, neighbours and leaf switch in another; both are compared with double precision. Prints the rule of the split,
times, bytes and processor time of hosts. docs/gcn.md says more; the MPI program is in mpi/.
"""
import argparse
import contextlib
import json
import os
import pathlib
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile

import numpy

import acis
from acis import client, gcn
from acis import gcn_cluster as cluster

HERE = pathlib.Path(__file__).resolve().parent
MOST_ERROR = 1e-5  # in parts of the sum of magnitudes, as infer.py


def options_of(arguments):
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0], description=__doc__.splitlines()[0])
    parser.add_argument("--graph", required=True, help="as for infer.py")
    parser.add_argument("--features", required=True)
    parser.add_argument("--weights", required=True, action="append", help="one for each layer")
    parser.add_argument("--hosts", type=int, default=4, help="MPI ranks (4)")
    parser.add_argument("--leaves", type=int, default=2, help="switches, each with as many hosts (2)")
    parser.add_argument("--partition", default="rows", choices=("rows", "metis"), help="equal blocks of rows, or METIS's (pymetis) (rows)")
    parser.add_argument("--group", type=int, metavar="N", help="hosts that gather from each other; by default what the rule finds")
    parser.add_argument("--kernel", default="split", choices=("split", "rows"), help="of the switches (docs/gcn.md) (split)")
    parser.add_argument("--costs", metavar="FILE", help="JSON with constants of the rule")
    parser.add_argument("--only", choices=("gather", "switch"), help="one of the two runs")
    parser.add_argument("--repeat", type=int, default=5, help="inferences in a run, of which medians are taken (5)")
    parser.add_argument("--threads", type=int, default=1, help="OpenMP threads of a rank (1)")
    parser.add_argument("--mpicc", default="mpicc.mpich", help="compiler of the MPI program")
    parser.add_argument("--mpiexec", default="mpiexec.mpich", help="its start, such as 'acis-mpirun --placement apart'")
    parser.add_argument("--simulate", metavar="FILE", help="on a simulated cluster: the platform, as of acis-simrun (docs/simulation.md)")
    parser.add_argument("--faults", metavar="TEXT", help="of the simulated switches' datagrams, as of acis-simrun: loss=0.01")
    parser.add_argument("--out", metavar="FILE", help="where the result of the last run is written, as .npy")
    return parser.parse_args(arguments)


def run(command, **options):
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True, **options)
    if done.returncode:
        raise acis.Error(f"{command[0]} ended with exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def build_simulated(program):
    """The MPI program for a simulated cluster, which has the calls of the client library itself. A rank has one thread."""
    run(["smpicc", "-O3", "-march=native", f"-I{HERE.parents[1]}", *sorted((HERE / "mpi").glob("*.c")), "-o", program])


def build(mpicc, program, *options):
    """The MPI program, with the client library of the `acisd` in PATH."""
    daemon = shutil.which("acisd")
    if not daemon:
        raise acis.Error("there is no acisd in PATH; add the folder with ACiS's programs")
    library = pathlib.Path(daemon).resolve().parent.parent / "lib"
    run([mpicc, "-O3", "-march=native", "-fopenmp", *options, f"-I{HERE.parents[1]}", *sorted((HERE / "mpi").glob("*.c")), "-o", program,
         f"-L{library}", "-Wl,--no-as-needed", "-lacis-client", f"-Wl,-rpath,{library}"])


def costs_of(path):
    if not path:
        return cluster.Costs()
    try:
        return cluster.Costs()._replace(**json.loads(pathlib.Path(path).read_text()))
    except (TypeError, ValueError) as problem:
        raise acis.BadArgument(f"it is no JSON object of {', '.join(cluster.Costs._fields)}: {problem}", path) from None


class Work:
    """The inference, cut for its hosts."""

    def __init__(self, options):
        self.options = options
        self.features = gcn.read_matrix(options.features)
        self.weights = [gcn.read_matrix(path) for path in options.weights]
        graph = gcn.read_graph(options.graph, nodes=len(self.features))
        self.expected = gcn.reference(graph, self.features, self.weights)  # checks shapes, too
        if not 1 <= options.hosts <= graph.rows:
            raise acis.BadArgument(f"{options.hosts} hosts for {graph.rows} nodes; take 1 to {graph.rows}")
        if options.partition == "metis":
            self.order, self.offsets = cluster.order_by_metis(graph, options.hosts)
            self.graph = cluster.reordered(graph, self.order)
        else:
            self.order, self.offsets, self.graph = numpy.arange(graph.rows), cluster.block_rows(graph.rows, options.hosts), graph

    def split(self, group):
        widths = [one.shape[1] for one in self.weights]
        return cluster.split(self.graph, self.offsets, self.options.leaves, widths, costs_of(self.options.costs), group, self.options.kernel)

    def result(self, path):
        """What a run has written, in the order of the graph's nodes, and its error."""
        rows = numpy.fromfile(path, "f4").reshape(self.graph.rows, -1)
        output = numpy.empty_like(rows)
        output[self.order] = rows
        return output, gcn.error(output, self.expected)


def mpi_run(work, chosen, program, folder, switches):
    """The lines of a run, and its result with its error."""
    options = work.options
    cluster.write_plans(folder, chosen, work.offsets, options.leaves, work.features[work.order], work.weights,
                        gcn.InProcess(kernel=options.kernel).sizes, options.kernel)
    start = shlex.split(options.mpiexec)
    if options.simulate:
        start = ["acis-simrun", "--platform", options.simulate, *(["--config", "u280.json"] if switches else ["--plain"]),
                 *(["--faults", options.faults] if options.faults else [])]
    command = [*start, "-n", options.hosts, program, folder, "--out", folder / "result", "--repeat", options.repeat]
    if not options.simulate:
        command.append("--threads")
    if switches:
        command += ["--switches", ",".join(switches), "--handler", folder / "gcn.acis"]
    printed = run(command, env=dict(os.environ, OMP_NUM_THREADS=str(options.threads)))
    return [json.loads(line) for line in printed.splitlines() if line.startswith("{")], *work.result(folder / "result")


def show(name, lines, error):
    """Of each layer the median run: times of its slowest host, bytes and processor time of a host in the mean. Gives seconds of
    all layers, and without the loads of switches."""
    print(f"{name}: within {error:.1e} of double precision")
    print("  layer  total ms  load ms  wait for rows  own sums  wait for switch  processor ms/host   bytes/host: MPI   sent  received   loaded")
    runs = max(line["run"] for line in lines) + 1
    total = loads = 0.0
    for layer in sorted({line["layer"] for line in lines}):
        of_run = [[line for line in lines if line["run"] == run and line["layer"] == layer] for run in range(runs)]

        def worst(key):
            return statistics.median(max(line[key] for line in one) for one in of_run) * 1e3

        def mean(key):
            return statistics.median(statistics.mean(line[key] for line in one) for one in of_run)

        print(f"  {layer:5} {worst('total'):9.3f} {worst('load'):8.3f} {worst('gather'):14.3f} {worst('local'):9.3f} {worst('wait'):16.3f}"
              f" {mean('processor') * 1e3:18.3f} {mean('mpi_bytes'):17.0f} {mean('sent'):6.0f} {mean('received'):9.0f} {mean('loaded'):8.0f}")
        total, loads = total + worst("total") / 1e3, loads + worst("load") / 1e3
    if again := sum(line["again"] for line in lines):
        print(f"  {again:.0f} times packets were sent again")
    return total, total - loads


def explain(chosen, looked, ranks, forced):
    print("cost of an inference with groups of N hosts that gather, the rest by the leaf: "
          + ", ".join(f"{size}: {seconds * 1e6:.0f} us" for size, seconds in looked))
    own, near, remote = chosen.nonzeros
    print(f"{'forced' if forced else 'the least'}: groups of {chosen.group}; non-zeros: {own} in diagonal blocks, {near} in gathered rows, "
          f"{remote} for switches" + ("" if chosen.group < ranks else " (all is gathered)"))


def main(arguments):
    options = options_of(arguments)
    if options.faults and not options.simulate:
        raise acis.BadArgument("faults are of a simulated cluster; add --simulate")
    work = Work(options)
    chosen, looked = work.split(options.group)
    print(f"{work.graph.rows} nodes, {work.graph.nonzeros} edges; {options.hosts} hosts, {options.leaves} leaves, {options.partition}")
    explain(chosen, looked, options.hosts, options.group)
    worst = 0.0
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = pathlib.Path(name)
        program = folder / "gcn-mpi"
        if options.simulate:
            build_simulated(program)
        else:
            build(options.mpicc, program)
        took = None
        if options.only != "switch":
            lines, output, error = mpi_run(work, work.split(options.hosts)[0], program, folder, [])
            took = show("Allgather and local product", lines, error)
            worst = max(worst, error)
        if options.only != "gather" and chosen.group < options.hosts:
            gcn.InProcess(kernel=options.kernel).save(folder / "gcn.acis")
            switches = [str(folder / f"leaf{leaf}.sock") for leaf in range(options.leaves)]
            if options.simulate:
                switches = [f"leaf{leaf}" for leaf in range(options.leaves)]
            else:
                for control in switches:
                    stack.enter_context(client.local_switch("u280.json", control=control))
            lines, output, error = mpi_run(work, chosen, program, folder, switches)
            total, without = show("with switches", lines, error)
            if took:
                print(f"all layers: {took[0] * 1e3:.3f} ms by Allgather, {total * 1e3:.3f} ms with switches ({took[0] / total:.2f} times as fast), "
                      f"{without * 1e3:.3f} ms without loads ({took[0] / without:.2f})")
            worst = max(worst, error)
    if not worst <= MOST_ERROR:
        raise acis.Error(f"a result is {worst:.1e} from double precision, more than {MOST_ERROR:.0e}")
    if options.out:
        numpy.save(options.out, output)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (acis.Error, OSError) as problem:
        sys.exit(f"cluster.py: error: {problem}")

"""Inferences on a simulated cluster: examples/gcn/cluster.py's, by Allgather and by switches."""
import importlib.util
import json
import pathlib
import tempfile

import numpy

import platforms

from . import count, sets
from .kept import Broken

ROOT = pathlib.Path(__file__).resolve().parents[3]
HOSTS = (2, 4, 8, 16, 24, 48)
REPEAT = 2  # the second is taken
# ns of a packet in a switch that computes itself, and in one that sends it on to an accelerator beside it and takes it
# back: from the authors' public model.
INTEGRATED, ATTACHED = 171, 1160 + 2759
PORTS = 8
WAYS = {"allgather": "Allgather, links alone", "stampede2": "Allgather, as MPI on Stampede2",
        "integrated": "integrated switch", "attached": "attached accelerator", "rows": "integrated switch, kernel rows"}
MOST_ROWS = 56944  # dense rows of kernel rows


def cluster():
    """examples/gcn/cluster.py as a module."""
    spec = importlib.util.spec_from_file_location("gcn_cluster_command", ROOT / "examples/gcn/cluster.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def platform(way, hosts, calibration):
    if way == "stampede2":
        return platforms.stampede2(hosts, calibration["parameters"])
    down = hosts // count.leaves(hosts)
    switch = {} if way == "allgather" else {"switch": {"portToPortNs": ATTACHED if way == "attached" else INTEGRATED}}
    topology = {"kind": "spine-leaf", "hosts": hosts, "radix": PORTS, "overSubscription": down / (PORTS - down)}
    return {"name": "integrated" if way == "rows" else way, "topology": topology, **switch}


def source(name):
    """What a graph is made of: results of another one are not taken for its own."""
    one, path = sets.ALL[name], sets.at_hand(name)
    made = f"generated, {one.nodes} nodes, {one.edges} edges, skew {one.skew():.4f}, seed {sets.SEED}"
    return {"set": name, "graph": f"file of {path.stat().st_size} bytes" if path else made}


def possible(name, way):
    """Whether the graph, not the part of it that is simulated, fits."""
    return way != "rows" or sets.ALL[name].nodes <= MOST_ROWS


def wanted(name, way, hosts, calibration):
    """What a run is: two with the same are the same run."""
    one = sets.ALL[name]
    scale = 1 if sets.at_hand(name) else one.scale
    return {"part": "runs", **source(name), "way": way, "hosts": hosts, "leaves": count.leaves(hosts), "scale": scale,
            "classes": one.classes, "repeat": REPEAT, "platform": platform(way, hosts, calibration)}


def _of_layers(lines, key):
    """Seconds of the slowest host, summed over layers, of the last run."""
    last = [line for line in lines if line["run"] == REPEAT - 1]
    return sum(max(line[key] for line in last if line["layer"] == layer) for layer in {line["layer"] for line in last})


def result(lines, error):
    last = [line for line in lines if line["run"] == REPEAT - 1]
    return {"ms": round(_of_layers(lines, "total") * 1e3, 6), "loadMs": round(_of_layers(lines, "load") * 1e3, 6),
            "waitMs": round(_of_layers(lines, "wait") * 1e3, 6), "gatherMs": round(_of_layers(lines, "gather") * 1e3, 6),
            "sent": sum(line["sent"] for line in last), "received": sum(line["received"] for line in last),
            "loaded": sum(line["loaded"] for line in last), "mpiBytes": sum(line["mpi_bytes"] for line in last), "error": error}


class Simulated:
    """Runs, with the files of graphs that they have in common."""

    def __init__(self):
        self.module, self.program = cluster(), None
        self.scratch = tempfile.TemporaryDirectory(prefix="acis-gcn-figures-")

    def close(self):
        self.scratch.cleanup()

    def run(self, asked):
        """What one that is wanted() gives."""
        try:
            return result(*self._simulate(asked))
        except self.module.acis.Error as error:
            raise Broken(f"{asked['set']}, {asked['hosts']} hosts, {asked['way']}: {error}; docs/simulation.md says what it needs") from None

    def _files(self, asked):
        """A folder with this graph, random features of HIDDEN columns and weights."""
        folder = pathlib.Path(self.scratch.name) / f"{asked['set']}-{asked['scale']}"
        if not folder.exists():
            folder.mkdir()
            graph = sets.graph(asked["set"], asked["scale"])
            generator = numpy.random.default_rng(sets.SEED)
            numpy.savez(folder / "graph.npz", format=b"csr", shape=(graph.nodes, graph.nodes), indptr=graph.starts, indices=graph.columns,
                        data=numpy.ones(graph.edges, "f4"))
            shapes = {"x": (graph.nodes, count.HIDDEN), "w1": (count.HIDDEN, count.HIDDEN), "w2": (count.HIDDEN, asked["classes"])}
            for file, shape in shapes.items():
                numpy.save(folder / f"{file}.npy", generator.standard_normal(shape).astype("f4"))
        return folder

    def _simulate(self, asked):
        module, folder, hosts = self.module, self._files(asked), asked["hosts"]
        described = folder / "platform.json"
        described.write_text(json.dumps(asked["platform"]))
        given = {"graph": folder / "graph.npz", "features": folder / "x.npy", "hosts": hosts, "leaves": asked["leaves"], "repeat": REPEAT,
                 "simulate": described, "kernel": "rows" if asked["way"] == "rows" else "split"}
        words = [word for name, value in given.items() for word in (f"--{name}", str(value))]
        options = module.options_of([*words, "--weights", str(folder / "w1.npy"), "--weights", str(folder / "w2.npy")])
        work = module.Work(options)
        gathers = asked["way"] in ("allgather", "stampede2")
        with tempfile.TemporaryDirectory(dir=folder) as place:
            place = pathlib.Path(place)
            if not self.program:
                self.program = pathlib.Path(self.scratch.name) / "gcn-mpi"
                module.build_simulated(self.program)
            if not gathers:
                module.gcn.InProcess(kernel=options.kernel).save(place / "gcn.acis")
            lines, _, error = module.mpi_run(work, work.split(hosts if gathers else 1)[0], self.program, place,
                                             [] if gathers else [f"leaf{leaf}" for leaf in range(asked["leaves"])])
        if not error <= module.MOST_ERROR:
            raise Broken(f"{asked['set']}, {hosts} hosts, {asked['way']}: the result is {error:.1e} from double precision")
        return lines, error

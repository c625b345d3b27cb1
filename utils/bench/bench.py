#!/usr/bin/env python3
"""The project's benchmark: compile latency, GCN, dynamic instruction counts, line
rate and the fast engine. Every figure is a ratio of two things measured in this run
or an exact count; docs/benchmarks.md says what each means.

usage: bench.py --build BUILD [--json FILE] [--quick] [--write]

With --write the figures go to docs/data/benchmarks.json, and tables and picture from there to
docs/benchmarks.md (utils/pages/data-pages.py).
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from built import built

ROOT = pathlib.Path(__file__).resolve().parents[2]
OVERLAYS = ROOT / "backend/overlay/descriptions"
HEADERS = ROOT / "compiler/frontend/include"
EXAMPLES = ROOT / "examples"
CLANG = "clang-22"
BEAT = 64     # bytes, of u280-full
COLUMNS = 16  # of the dense matrix
DATA = ROOT / "docs/data/benchmarks.json"
# Of the FLASH paper, table 2 (24 nodes): vle32.v, multiply-accumulates, streamout.v; the
# tiles are those of its table 3.
PAPER_COUNTS = [
    ("PPI", "os", {"OS_VLEN": 1767, "OS_UNROLL": 4}, (2, 4, 1)),
    ("PPI", "ws", {"WS_UNROLL": 32, "WS_VLEN": 7}, (54, 1696, 1)),
    ("Citeseer", "os", {"OS_VLEN": 1109, "OS_UNROLL": 7}, (4, 21, 1)),
    ("Citeseer", "ws", {"WS_UNROLL": 32, "WS_VLEN": 7}, (105, 3328, 1)),
]


def run(*command, **more):
    result = subprocess.run([str(c) for c in command], capture_output=True, text=True, **more)
    if result.returncode:
        sys.exit(f"bench: {' '.join(map(str, command))}\n{result.stderr}")
    return result.stdout


def seconds(command):
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def beats(count):
    """Beats that `count` bytes take."""
    return -(-count // BEAT)


def coordinates(path):
    """A matrix file as float64: shape, number of entries (some files leave it out), then
    `row column value` lines."""
    import numpy
    import scipy.sparse
    with open(path) as file:
        shape = tuple(map(int, next(file).split()))
        lines = [line.split() for line in file]
    row, column, value = numpy.array([line for line in lines if len(line) == 3], float).T
    return scipy.sparse.csr_matrix((value.astype(numpy.float32).astype(float),
                                    (row.astype(int), column.astype(int))), shape)


class Bench:
    def __init__(self, build, quick, folder):
        self.bin = pathlib.Path(build).resolve() / "bin"
        self.runs = 7 if quick else 31
        self.folder = pathlib.Path(folder)
        self.config = OVERLAYS / "u280-full.json"

    def tool(self, name):
        return str(self.bin / name)

    def compile(self, source, *flags, name=None):
        out = self.folder / f"{name or source.stem}.acis"
        run(self.tool("acisc"), source, "--config", self.config, "-o", out, *flags)
        return out

    def native(self, source, *flags, name=None):
        out = self.folder / f"{name or source.stem}.so"
        run(CLANG, "-O2", "-ffp-contract=off", "-shared", "-fPIC",
            "-I", HEADERS, source, "-o", out, *flags)
        return out

    def compare(self, binary, native, handler, data, *flags):
        """Outputs equal the native handler's, or this exits; gives the report."""
        return json.loads(run(self.tool("acis-compare"), binary, "--config", self.config,
                              "--native", native, "--handler", handler, "--in", data, *flags))

    def compile_latency(self):
        """Whole processes, in turn; the GCN handler from source to binary."""
        source = EXAMPLES / "gcn/split.c"
        ours = [self.tool("acisc"), str(source), "--config", str(self.config),
                "-o", str(self.folder / "latency.acis")]
        theirs = [CLANG, "-O2", "-S", "-emit-llvm", "-I", str(HEADERS), str(source),
                  "-o", str(self.folder / "latency.ll")]
        seconds(ours), seconds(theirs)
        pairs = [(seconds(ours), seconds(theirs)) for _ in range(self.runs)]
        report = self.folder / "latency.json"
        run(*ours, "--time-phases", f"--report={report}")
        return {
            "acisc_ms": 1e3 * statistics.median(a for a, _ in pairs),
            "clang_ms": 1e3 * statistics.median(b for _, b in pairs),
            "ratio": statistics.median(a / b for a, b in pairs),
            "phases_ms": json.loads(report.read_text()).get("phases"),
        }

    def graphs(self):
        """(name, packer's flags, rows, non-zeros): the real graphs that are there,
        and a generated one that always is."""
        folder = pathlib.Path(os.environ.get("ACIS_DATA") or "/nonexistent") / "graphs"
        for file in sorted(folder.glob("*_A.txt")):
            with file.open() as lines:
                rows = int(next(lines).split()[0])
                nonzeros = int(next(lines))
            name = file.name.removesuffix("_A.txt")
            yield name, [f"--dataset={name}"], rows, nonzeros
        yield "generated", ["--nodes=2000", "--edges=20000", "--seed=1"], 2000, 20000

    def pack(self, name, *flags):
        """The stream and the memory image of a graph."""
        data, memory = self.folder / f"{name}.in", self.folder / f"{name}.mem"
        run(self.tool("gcn-pack"), *flags, f"--in={data}", f"--mem={memory}")
        return data, memory

    def gcn(self):
        """Cycles from start to done against the bound of the problem, in beats."""
        source = EXAMPLES / "gcn/split.c"
        binary, native = self.compile(source, name="split"), self.native(source, name="split")
        overlay = json.loads(self.config.read_text())
        vpes = overlay["grid"]["rows"] * overlay["grid"]["cols"]
        rows = []
        for name, flags, nodes, nonzeros in self.graphs():
            data, memory = self.pack(name, *flags)
            report = self.compare(binary, native, "gcn_split", data, "--mem", memory,
                                  "--time", self.runs)
            bound = max(beats((nonzeros + nodes) * 4), beats(nodes * COLUMNS * 4),
                        -(-nodes * COLUMNS * 4 // (BEAT * vpes)))
            run(self.tool("gcn-check"), *flags, f"--native={native}")
            cycles = report["model"]["cycles"]
            rows.append({"graph": name, "rows": nodes, "nonzeros": nonzeros, "bound": bound,
                         "cycles": cycles, "ratio": cycles / bound,
                         "fast_to_native": report["fast"]["toNative"],
                         "scipy": self.against_scipy(binary, name, data, memory)})
        return rows

    def against_scipy(self, binary, name, data, memory):
        """Largest error of the switch's output to a float64 product of SciPy, relative
        to the largest magnitude of the result's row; nothing for a generated graph."""
        folder = pathlib.Path(os.environ.get("ACIS_DATA") or "/nonexistent") / "graphs"
        if not (folder / f"{name}_A.txt").is_file():
            return None
        import numpy
        graph, features = (coordinates(folder / f"{name}_{part}.txt") for part in ("A", "feat_L2"))
        out = self.folder / f"{name}.out"
        run(self.tool("acis-run"), binary, "--config", self.config, "--in", data, "--mem", memory,
            "--out", out)
        found = numpy.fromfile(out, "<f4").reshape(-1, COLUMNS).astype(float)
        expected = (graph @ features).toarray()
        scale = numpy.abs(expected).max(axis=1, keepdims=True)
        error = numpy.abs(found - expected) / numpy.where(scale == 0, 1, scale)
        return float(error.max())

    def instruction_counts(self):
        """Dynamic vector instructions of one rank of 24 with the paper's tiles."""
        rows = []
        for graph, dataflow, macros, paper in PAPER_COUNTS:
            if not (pathlib.Path(os.environ.get("ACIS_DATA") or "/nonexistent")
                    / f"graphs/{graph}_A.txt").is_file():
                continue
            source = EXAMPLES / f"gcn/{dataflow}.c"
            defines = [f"-D{key}={value}" for key, value in macros.items()]
            name = f"{graph}-{dataflow}"
            data, memory = self.pack(name, f"--dataset={graph}", f"--dataflow={dataflow}",
                                     "--ranks=24", "--rank=0",
                                     "--tile=" + ",".join(map(str, macros.values())))
            native = self.native(source, *defines, name=name)
            report, single = (
                self.compare(self.compile(source, *defines, *options, name=name), native,
                             f"gcn_{dataflow}", data, "--mem", memory)["model"]
                for options in ((), ("--no-double-buffer",)))
            counts = report["instructions"]
            blocks = int.from_bytes(data.read_bytes()[:4], "little")  # each is sent by a launch
            rows.append({"graph": graph, "dataflow": dataflow, "paper": paper,
                         "loads": counts.get("vle32.v", 0) + counts.get("vlb32.v", 0),
                         "accumulates": counts["acis.launch"] - blocks,
                         "sends": blocks + counts.get("streamout.v", 0),
                         "cycles": report["cycles"], "cycles_one_buffer": single["cycles"]})
        return rows

    def line_rate(self):
        """Bits per second that add-constant takes at the overlay's clock."""
        source = EXAMPLES / "add-constant/handler.c"
        binary, native = self.compile(source, name="add"), self.native(source, name="add")
        clock = json.loads(self.config.read_text())["clockMhz"] * 1e6
        rows = []
        for size in (256, 512, 1024, 1536, 4096, 8960):
            packets = 200
            data = self.folder / "stream.bin"
            data.write_bytes(os.urandom(size * packets))
            report = self.compare(binary, native, "add_constant", data, "--packet-bytes", size)
            cycles = report["model"]["cycles"]
            rows.append({"bytes": size, "cycles_per_packet": cycles / packets,
                         "gbit_s": size * packets * 8 * clock / cycles / 1e9})
        return rows

    def fast_engine(self):
        source = EXAMPLES / "payload-sum/handler.c"
        binary, native = self.compile(source, name="sum"), self.native(source, name="sum")
        data = self.folder / "sum.bin"
        data.write_bytes(os.urandom(1 << 22))
        return {"payload_sum": self.compare(binary, native, "payload_sum", data, "--time",
                                            self.runs)["fast"]["toNative"]}


def table(title, rows):
    print(f"\n{title}")
    for name, value in rows:
        print(f"  {name:<44} {value}")


def kept(result, old):
    """What the file has: graphs that are generated are left out, and without the real ones (ACIS_DATA) the
    old figures stay."""
    real = [row for row in result["gcn"] if row["scipy"] is not None]
    return {"command": "scripts/bench --write", "compile": {k: round(result["compile"][k], 3) for k in ("acisc_ms", "clang_ms", "ratio")},
            "line_rate": result["line_rate"], "gcn": real or old.get("gcn", []),
            "instructions": result["instructions"] or old.get("instructions", [])}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--write", action="store_true", help="renew docs/data/benchmarks.json and the page")
    parser.add_argument("--json", default=str(ROOT / "build/bench.json"))
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    built(options.build, "acisc", "acis-compare", "acis-run", "gcn-pack", "gcn-check")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options.build, options.quick, folder)
        result = {}
        latency = result["compile"] = bench.compile_latency()
        table("Compile latency, GCN handler, whole process",
              [("acisc, source to binary, ms", f"{latency['acisc_ms']:.1f}"),
               ("clang-22 -O2 -S -emit-llvm, ms", f"{latency['clang_ms']:.1f}"),
               ("ratio (at most 1.0)", f"{latency['ratio']:.2f}")])
        rate = result["line_rate"] = bench.line_rate()
        table("add-constant, Gb/s at the overlay's clock (at least 95.7 from 1,536 bytes on)",
              [(f"{r['bytes']} bytes a packet", f"{r['gbit_s']:.1f}  ({r['cycles_per_packet']:.1f} cycles)")
               for r in rate])
        gcn = result["gcn"] = bench.gcn()
        table("GCN, model cycles from start to done to the problem's bound (at most 3.0)",
              [(f"{r['graph']}: {r['cycles']} cycles, bound {r['bound']}", f"{r['ratio']:.2f}")
               for r in gcn])
        table("GCN, error to float64 SciPy, relative to a row's largest value (at most 1e-5)",
              [(r["graph"], f"{r['scipy']:.1e}") for r in gcn if r["scipy"] is not None])
        counts = result["instructions"] = bench.instruction_counts()
        table("GCN, one rank of 24: loads / accumulates / sends (paper: vle32.v / MAC / streamout.v)",
              [(f"{r['graph']} {r['dataflow']}",
                f"{r['loads']} / {r['accumulates']} / {r['sends']}  (paper "
                f"{' / '.join(map(str, r['paper']))}); {r['cycles']} cycles, with one buffer "
                f"{r['cycles_one_buffer']}") for r in counts])
        fast = result["fast"] = bench.fast_engine()
        table("engine fast, time to that of native code (at most 5)",
              [(k, f"{v:.2f}") for k, v in fast.items()]
              + [(f"gcn {r['graph']}", f"{r['fast_to_native']:.2f}") for r in gcn])
    pathlib.Path(options.json).parent.mkdir(parents=True, exist_ok=True)
    pathlib.Path(options.json).write_text(json.dumps(result, indent=2) + "\n")
    if options.write:
        old = json.loads(DATA.read_text()) if DATA.exists() else {}
        DATA.write_text(json.dumps(kept(result, old), indent=1) + "\n")
        subprocess.run([sys.executable, ROOT / "utils/pages/data-pages.py", "benchmarks"], check=True)


if __name__ == "__main__":
    main()

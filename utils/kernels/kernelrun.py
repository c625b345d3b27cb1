"""One kernel of test/Kernels on one overlay: inputs, native code, both engines, cycles.

Used by kernels.py. The comment at the start of a kernel says what it gets and what is
expected of the compiler:

  in:      one packet: a list of `type[count] low..high`, `type[count] any` or the name of a
           generator of test/Kernels/Inputs/references.py
  mem:     the content of the memory, likewise
  packets: how many
  expect:  `maps`, or `refused` and a part of the diagnostic
  expect[OVERLAY]: the same for one overlay
"""
import collections
import ctypes
import json
import pathlib
import random
import re
import struct
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
OVERLAYS = ROOT / "backend/overlay/descriptions"
HEADERS = ROOT / "compiler/frontend/include"
CODE = {"int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I",
        "int64": "q", "uint64": "Q", "float": "f", "double": "d"}
# Causes for which array time stands still (docs/timing.md); in the others it goes on.
UNITS = {name: "divide" for name in ("sdiv", "udiv", "srem", "urem", "fdiv", "fsqrt")} | {
    name: "convert" for name in ("sitofp", "uitofp", "fptosi", "fptoui", "fpconv")}
MOST_PROVEN = 60  # nodes of graphs that the exact mapper is asked about
STANDING = {"stream in", "stream out", "memory read", "memory write", "interlock"}

sys.path.insert(0, str(ROOT / "test/Kernels/Inputs"))


class Problem(Exception):
    """What is wrong with a kernel on an overlay."""


def generate(spec, rng):
    """The bytes that a line of `in:` or `mem:` stands for."""
    from references import GENERATORS
    result = b""
    for part in filter(None, spec.split(", ")):
        match = re.fullmatch(r"(\w+)\[(\d+)\] (?:any|(\S+)\.\.(\S+))", part)
        if not match:
            result += GENERATORS[part](rng)
            continue
        name, count, low, high = match.groups()
        size = struct.calcsize(CODE[name])
        if low is None:
            result += rng.randbytes(int(count) * size)
        elif CODE[name] in "fd":
            result += struct.pack(f"<{count}{CODE[name]}", *(rng.uniform(float(low), float(high)) for _ in range(int(count))))
        else:
            result += struct.pack(f"<{count}{CODE[name]}", *(rng.randint(int(low), int(high)) for _ in range(int(count))))
    return result


def shipped():
    """Names of the overlays."""
    return sorted(f.stem for f in OVERLAYS.glob("*.json") if f.name != "overlay.schema.json")


class Kernel:
    def __init__(self, path):
        self.path = pathlib.Path(path).resolve()
        self.name = self.path.stem
        text = self.path.read_text()
        self.handler = re.search(r"ACIS_HANDLER void (\w+)", text).group(1)
        self.title = re.search(r"/\* (.*?[.:])(?:\s|$)", " ".join(text.split("*/")[0].replace("\n *", " ").split())).group(1).rstrip(".:")
        lines = re.findall(r"^ \* (in|mem|packets|expect|expect\[[\w-]+\]): (.*)$", text.split("*/")[0], re.M)
        self.say = dict(lines)
        # The same numbers in every run.
        rng = random.Random(self.name)
        self.packets = [generate(self.say["in"], rng) for _ in range(int(self.say.get("packets", 1)))]
        self.memory = generate(self.say.get("mem", ""), rng)

    def expected(self, overlay):
        """None: maps; else a part of the diagnostic."""
        what, _, reason = self.say.get(f"expect[{overlay}]", self.say.get("expect", "maps")).partition(" ")
        if what not in ("maps", "refused"):
            raise Problem(f"'{what}': expect is 'maps' or 'refused' and a part of the diagnostic")
        return reason if what == "refused" else None

    def record(self, refusals):
        """Writes the lines `expect:` from {overlay: None or diagnostic}; what they say of other
        overlays stays. The most common of them stands without an overlay."""
        before = {overlay: self.say.get(f"expect[{overlay}]", self.say.get("expect", "maps")) for overlay in shipped()}
        whole = before | {overlay: reason or "maps" for overlay, reason in refusals.items()}
        says = before | {overlay: "refused " + reason[:70].rsplit(" ", 1)[0].rstrip(" ;:,(") if reason else "maps"
                         for overlay, reason in refusals.items()}
        common = "maps" if "maps" in says.values() else collections.Counter(says.values()).most_common(1)[0][0]
        lines = [f"expect: {common}"]
        lines += [f"expect[{overlay}]: {text}" for overlay, text in says.items()
                  if text != common and common.removeprefix("refused ") not in whole[overlay]]
        head, rest = self.path.read_text().split("*/", 1)
        head = re.sub(r"^ \* expect.*\n", "", head, flags=re.M).rstrip()
        self.path.write_text(head + "".join(f"\n * {line}" for line in lines) + "\n */" + rest)


class Overlay:
    def __init__(self, name):
        self.name, self.file = name, OVERLAYS / f"{name}.json"
        description = json.loads(self.file.read_text())
        grid = description["grid"]
        self.rows, self.columns, self.topology = grid["rows"], grid["cols"], grid["topology"]
        self.vpes = self.rows * self.columns
        self.lanes = description["pe"]["lanes"]
        self.latency = description["pe"]["latency"] | {what: description["pe"].get(what, 0) for what in ("inputLatency", "indexLatency")}
        equipment = [dict(grid["default"]) for _ in range(self.vpes)]
        for override in grid.get("overrides", []):
            for pe in override["pes"]:
                equipment[pe] |= override
        self.equipment = [set(e["units"]) | {k for k in ("memory", "vrf") if e[k]} for e in equipment]

    def contains(self, other):
        """Whether the other grid is the upper left part of this one, or has fewer links."""
        links = self.topology == other.topology and self.topology in ("mesh", "king", "onehop", "chain")
        links |= other.topology == "mesh" and self.topology in ("king", "onehop")
        same_size = (self.rows, self.columns) == (other.rows, other.columns)
        links |= same_size and (self.topology == other.topology or (other.topology == "mesh" and self.topology == "torus"))
        return (links and self is not other and self.latency == other.latency and self.lanes == other.lanes
                and self.rows >= other.rows and self.columns >= other.columns
                and all(other.equipment[r * other.columns + c] <= self.equipment[r * self.columns + c]
                        for r in range(other.rows) for c in range(other.columns)))


class Runner:
    """Runs kernels with the tools of a build, in a folder for what they write."""

    def __init__(self, bin, cc, folder):
        self.bin, self.cc, self.folder = pathlib.Path(bin), cc, pathlib.Path(folder)

    def call(self, *command):
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=300, errors="replace")
        return done.returncode, done.stdout, done.stderr

    def need(self, *command):
        code, out, err = self.call(*command)
        if code:
            raise Problem(f"{pathlib.Path(command[0]).name}: {err.strip()[:400] or f'exit code {code}'}")
        return out

    def prove(self, kernel, overlay, loops, seconds):
        """Asks the exact mapper about loops of up to MOST_PROVEN nodes above their bound: sets `optimum` where it is
        proven, else `lowerBound`. What it maps is not kept; the table shows the heuristic."""
        above = [l for l in loops if l["kind"] == "context" and l["ii"] > max(l["resMii"], l["recMii"]) and l["ii"] > l.get("lowerBound", 0)
                 and "optimum" not in l and l["optimised"]["nodes"] <= MOST_PROVEN]
        if not above:
            return
        refused, report = self.compile(kernel, overlay, "--mapper=exact", f"--mapper-timeout={seconds}")
        if refused:
            raise Problem(f"maps, but the exact mapper says: {refused}")
        for loop in above:
            exact = next(l for l in report["loops"] if (l["handler"], l["nest"]) == (loop["handler"], loop["nest"]))
            loop["lowerBound"] = exact["lowerBound"]
            if "optimum" in exact:
                loop["optimum"] = exact["optimum"]

    def compile(self, kernel, overlay, *flags):
        """(None, report) or (diagnostic, None). A refusal without a line is a problem."""
        report = self.folder / "report.json"
        code, _, err = self.call(self.bin / "acisc", kernel.path, "--config", overlay.file, "-o", self.folder / "kernel.acis",
                                 f"--report={report}", "--time-phases", *flags)
        if code == 0:
            return None, json.loads(report.read_text())
        match = re.search(rf"{kernel.path.name}:\d+(?::\d+)?: error: (.*)", err)
        if code != 1 or not match:
            raise Problem(f"acisc: exit code {code}, no diagnostic with a line: {err.strip()[:400]}")
        return match.group(1), None

    def native(self, kernel, overlay):
        library = self.folder / f"{kernel.name}-{overlay.name}.so"  # a name is loaded once, with its static arrays
        self.need(self.cc, "-O1", "-ffp-contract=off", "-shared", "-fPIC", f"-DACIS_VPES={overlay.vpes}",
                  f"-DACIS_LANES={overlay.lanes}", "-I", HEADERS, kernel.path, "-o", library)
        return library

    def files(self, kernel):
        (self.folder / "in.bin").write_bytes(b"".join(kernel.packets))
        (self.folder / "mem.bin").write_bytes(kernel.memory)

    def compare(self, kernel, overlay, library):
        """Packets may differ in size: then each is a run of its own and nothing is kept."""
        sizes = {len(p) for p in kernel.packets}
        groups = [kernel.packets] if len(sizes) == 1 else [[p] for p in kernel.packets]
        for packets in groups:
            (self.folder / "in.bin").write_bytes(b"".join(packets))
            self.need(self.bin / "acis-compare", self.folder / "kernel.acis", "--config", overlay.file, "--native", library,
                      "--handler", kernel.handler, "--in", self.folder / "in.bin", "--mem", self.folder / "mem.bin",
                      "--packet-bytes", len(packets[0]))

    def cycles(self, kernel, overlay):
        """Loops of the model's trace against (iterations + stages - 1) * II, a fold and the
        cycles in which array time stood still. The cycles of the whole run."""
        trace = self.folder / "trace.json"
        stats = json.loads(self.need(
            self.bin / "acis-run", self.folder / "kernel.acis", "--config", overlay.file, "--in", self.folder / "in.bin",
            "--mem", self.folder / "mem.bin", "--packet-bytes", len(kernel.packets[-1]), "--mem-bytes", 1 << 20, "--engine=model",
            "--stats=json", "--trace", trace))
        events = json.loads(trace.read_text())["traceEvents"]
        contexts = json.loads(self.need(self.bin / "acis-objdump", "--config", overlay.file, self.folder / "kernel.acis",
                                        "--json", "--contexts"))["contexts"]
        stalls = [(e["args"]["cycle"], e["args"]["endCycle"]) for e in events if e.get("ph") == "X" and e["name"] in STANDING]
        checked = 0
        for event in events:
            match = re.fullmatch(r"loop (\d+)", event["name"])
            if not match or event["ph"] != "b":
                continue
            context, begin, end = contexts[int(match.group(1))], event["args"]["cycle"], event["args"]["endCycle"]
            n = event["args"]["iterations"]
            predicted = (n + context["stages"] - 1) * context["ii"] + self.fold(context, overlay)
            # A stall behind the last new iteration may also be one of the scalar unit's.
            issued, stood, maybe = begin + n * context["ii"], 0, 0
            for first, last in stalls:
                if first < begin or first >= end:
                    continue
                if first < issued + stood:
                    stood += last - first
                else:
                    maybe += last - first
            if not predicted + stood <= end - begin <= predicted + stood + maybe:
                raise Problem(f"{event['name']} ({context['line']}): {end - begin} cycles; II {context['ii']}, "
                              f"{context['stages']} stages and {n} iterations predict {predicted}, and {stood} to "
                              f"{stood + maybe} stalled")
            checked += 1
        return stats["cycles"], checked

    @staticmethod
    def fold(context, overlay):
        """The last operation comes out, then each PE folds one accumulation after the other: levels
        of 4, 2, 1 and log2 vf times 1 operations, docs/timing.md."""
        halvings = (overlay.lanes * 32 // context["laneBits"]).bit_length() - 1
        drain = longest = 0
        for pe in context["pes"]:
            latencies = [overlay.latency["float" if re.search(r"\.f(32|64)", text) else "integer"]
                         for text in pe["slots"].values() if "acc(" in text]
            drain = max([drain, *latencies])
            longest = max(longest, sum(7 + halvings + (3 + halvings) * latency for latency in latencies))
        texts = [text for pe in context["pes"] for text in pe["slots"].values() if "-> result" in text]
        if texts and not longest:  # of a scalar loop: the value of the last iteration
            names = [re.findall(r"([a-z]+)\.[if]\d+", text.split("-> result")[0])[-1] for text in texts]
            return 1 + max(overlay.latency[UNITS.get(name, "float" if name.startswith("f") else "integer")] for name in names)
        return drain + longest + 1 if longest else 0

    def reference(self, kernel, library):
        """The native code against NumPy, packet by packet. False if there is no reference."""
        import numpy as np
        from references import REFERENCES
        if kernel.handler not in REFERENCES:
            return False
        handler = ctypes.CDLL(str(library))[kernel.handler]
        memory, room = ctypes.create_string_buffer(kernel.memory, len(kernel.memory) + 65536), ctypes.create_string_buffer(1 << 20)
        sent = []
        for packet in kernel.packets:
            length = ctypes.c_uint32(len(packet))
            handler(packet, room, memory, ctypes.byref(length))
            if length.value:
                sent.append(room.raw[:length.value])
        expected = REFERENCES[kernel.handler](kernel.packets, kernel.memory)
        if len(sent) != len(expected):
            raise Problem(f"{len(sent)} packets are sent, the NumPy reference gives {len(expected)}")
        for number, (data, reference) in enumerate(zip(sent, expected)):
            reference = np.asarray(reference).ravel()
            found = np.frombuffer(data, reference.dtype)
            tolerance = {"<f4": 1e-5, "<f8": 1e-12}.get(reference.dtype.str, 0)
            if found.shape != reference.shape or not np.allclose(found, reference, tolerance, tolerance * np.abs(reference).max(initial=0)):
                raise Problem(f"packet {number} differs from the NumPy reference")
        return True

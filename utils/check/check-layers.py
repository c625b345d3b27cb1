#!/usr/bin/env python3
"""Fails on an #include that points the wrong way, and on circles of folders.

usage: check-layers.py [repository]

ROOMS is the order, lowest first, as docs/architecture.md and the README of each room of runtime/
describe it. A file may include its own folder, folders in it, and what the row of its folder
lists. Tests (*Test.cpp, and the folders test/ and bench/) may also include what TESTING lists.
Circles are found without the table: folders whose product code reaches each other.
"""
import collections
import pathlib
import re
import sys

SUPPORT = ["backend/support"]
SHARED = ["backend/support", "backend/overlay", "backend/isa"]
ENGINE_BASE = [f"runtime/engine/{f}" for f in ("device", "scalar", "loader")]
# Everything of runtime/engine but its programs, which are for tests.
ENGINES = SHARED + ["runtime/io"] + ENGINE_BASE + [f"runtime/engine/{f}" for f in ("fast", "model", "certify")]
SWITCH = ENGINES + ["runtime/switch"]

# folder: (folders it may include, may it include LLVM headers)
ROOMS = {
    "backend/support": ([], False),
    "backend/netmodel": (SUPPORT, False),
    "backend/overlay": (SUPPORT, False),
    "backend/isa": (SUPPORT + ["backend/overlay"], False),
    "backend/isa/acis-tblgen": ([], True),
    "backend/regalloc": (SHARED, False),
    "backend/object": (SHARED, False),
    "backend/asm": (SHARED + ["backend/object"], True),
    "passes/mrrg": (SHARED, False),
    # What a way to run a loop costs at least: the mapper's bounds, and all who choose before it.
    "passes/cost": (SHARED + ["passes/mrrg"], False),
    # A loop nest as a value, and the judgements of its ways to run.
    "passes/nest": (SHARED + ["passes/cost"], False),
    "passes/mapper": (SHARED + ["passes/cost", "passes/mrrg"], False),
    "passes/dfg": (SHARED + ["passes/cost", "passes/mapper", "passes/mrrg", "passes/nest"], True),
    "passes/llvm": (SHARED + ["passes/cost"], True),
    "passes/import": (SHARED + ["passes/cost", "passes/dfg", "passes/llvm", "passes/nest"], True),
    "backend/codegen": (["backend", "passes/dfg", "passes/mapper"], True),
    "compiler": (["backend", "passes"], True),
    # Certificates come from the engine that the RTL is compared with.
    "compiler/driver": (["backend", "passes", "compiler", "runtime/engine/loader", "runtime/engine/certify"], True),
    # The Python package: the compiler and the engines beside each other.
    "compiler/python": (["backend/overlay", "compiler/driver", "runtime/engine", "runtime/tools"], False),
    # acis-objdump reads a binary with the loader that will read it in the switch.
    "compiler/tools/acis-objdump": (["backend", "runtime/engine/loader", "compiler"], True),
    # What packets are read from and written to; knows nothing of what is done with them.
    "runtime/io": (SUPPORT, False),
    "runtime/engine/device": (SHARED, False),
    "runtime/engine/scalar": (SHARED, False),
    "runtime/engine/loader": (SHARED + ["runtime/engine/device", "runtime/engine/scalar"], False),
    "runtime/engine/fast": (SHARED + ENGINE_BASE, False),
    "runtime/engine/model": (SHARED + ENGINE_BASE, False),
    "runtime/engine/certify": (ENGINES, False),
    "runtime/engine/programs": (ENGINES, False),
    "runtime/hardware": (ENGINES, False),
    # How random programs and flat code are run on several engines is the product here.
    "runtime/hardware/lockstep": (ENGINES + ["runtime/hardware/verilated", "runtime/engine/programs"], False),
    "runtime/hardware/cts": (ENGINES + ["runtime/hardware/verilated", "runtime/engine/programs"], False),
    "runtime/switch/wire": (SUPPORT + ["runtime/io"], False),
    "runtime/switch/tls": (SUPPORT, False),
    "runtime/switch/collective": (SUPPORT + ["runtime/io", "runtime/switch/wire"], False),
    "runtime/switch/control": (SUPPORT + ["runtime/io", "runtime/switch/wire"], False),
    "runtime/switch/memory": (ENGINES + ["runtime/switch/wire"], False),
    # Engines do the schedules that hosts without a switch do.
    "runtime/switch/direct": (SUPPORT + ["runtime/io", "runtime/switch/wire", "runtime/switch/collective", "runtime/host/algorithms"], False),
    "runtime/switch/core": (ENGINES + ["runtime/switch/memory", "runtime/switch/direct", "runtime/switch/wire", "runtime/switch/collective", "runtime/switch/control"], False),
    "runtime/switch/forward": (ENGINES + ["runtime/switch/wire", "runtime/switch/core"], False),
    # A memory node is a host to the switch that its parts of reductions go to.
    "runtime/switch/acisd": (SWITCH + ["runtime/host/client"], False),
    "runtime/host": (SUPPORT + ["runtime/io", "runtime/switch/wire", "runtime/switch/tls", "runtime/switch/collective", "runtime/switch/control"], False),
    # Over MPI alone, so that programs need nothing else.
    "runtime/host/kernels": ([], False),
    # It starts switches as well, from the topology file that these read.
    "runtime/host/acis-mpirun": (SUPPORT + ["runtime/io", "runtime/switch/wire", "runtime/switch/direct", "runtime/switch/core"], False),
    # A cluster in SimGrid: both ends of the protocol, which own no clock and no socket.
    "runtime/sim": (SWITCH + ["runtime/host", "runtime/sim"], False),
    # The model needs nothing of what it is a model of; a platform knows forms of direct networks.
    "runtime/sim/engine": (SUPPORT + ["backend/netmodel"], False),
    "runtime/sim/platform": (SUPPORT + ["runtime/switch/direct", "runtime/sim/engine"], False),
    "runtime/tools": (SWITCH + ["runtime/hardware/verilated"], False),
    "examples": (SHARED + ["runtime"], False),
}
# What tests may use besides: programs made by hand and at random; both ends of the wire.
TESTING = ["runtime/engine/programs", "runtime/switch/core", "runtime/host/client"]
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.M)
LLVM = ("llvm/", "llvm-c/", "mlir/", "clang/")


def room(path):
    """The longest folder in ROOMS that holds `path`."""
    return max((f for f in ROOMS if path.startswith(f + "/")), key=len, default=None)


def is_test(name):
    return name.endswith("Test.cpp") or not {"test", "bench"}.isdisjoint(name.split("/")[:-1])


def below(target, folders):
    return any(target.startswith(f + "/") for f in folders)


def problem(name, target):
    """Why the file may not include the target; None if it may."""
    own = room(name)
    allowed, may_llvm = ROOMS[own]
    if target.startswith(LLVM):
        return None if may_llvm else f"{own} may not use LLVM"
    other = room(target)
    if other is None or other == own or below(target, [own]):
        return None
    if below(target, allowed) or (is_test(name) and below(target, TESTING)):
        return None
    return f"{own} may not depend on {other}"


def circles(edges):
    """Groups of two folders and more that reach each other, by Tarjan's algorithm."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for to in sorted(edges[node]):
            if to not in index:
                visit(to)
            if to in stack:
                low[node] = min(low[node], low[to])
        if low[node] == index[node]:
            group = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(group) > 1:
                found.append(sorted(group))

    for node in sorted(edges):
        if node not in index:
            visit(node)
    return found


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    wrong, edges, why = [], collections.defaultdict(set), {}
    for file in sorted(f for r in {f.split("/")[0] for f in ROOMS} for f in (root / r).glob("**/*")):
        name = file.relative_to(root).as_posix()
        if file.suffix not in (".h", ".cpp") or room(name) is None:
            continue
        for target in INCLUDE.findall(file.read_text()):
            if reason := problem(name, target):
                wrong.append(f"{name}: includes {target}; {reason}")
            here, there = name.rpartition("/")[0], target.rpartition("/")[0]
            if not is_test(name) and here != there and (root / there).is_dir() and there:
                edges[here].add(there)
                why.setdefault((here, there), f"{name} includes {target}")
    for group in circles(edges):
        wrong.append("circle: " + ", ".join(group))
        wrong += [f"  {why[a, b]}" for a in group for b in group if b in edges[a]]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

"""Tables of docs/python.md: runs from Python beside acis-run, and what starting takes."""
from datapage import table

COMMAND = "utils/bench/bench-packages.py --write"
DATA = "install"
SIZES = {1 << 20: "one packet", 1024: "packets of 1,024 bytes"}


def processor(data, name):
    return data["python"]["ms"][name]["processor"]


def runs(data):
    return table(["milliseconds of processor time", "`binary.run`", "`acis-run`, the process"],
                 [[f"`{engine}`, {title}", *(f"{processor(data, f'{what}, {engine}, packets of {size}'):.1f}" for what in ("run", "acis-run"))]
                  for engine in ("fast", "model") for size, title in SIZES.items()], (1, 2))


def start(data):
    nothing, package, compiler = (processor(data, f"python -c '{name}'") for name in ("nothing", "import acis", "import acis, its compiler"))
    wheel = data["wheel"]
    return (f"`acis.compile` takes {processor(data, 'compile'):.1f} ms, `acisc` with shared LLVM {processor(data, 'acisc'):.1f}. "
            f"`import acis` takes {package - nothing:.1f} ms, and loading the\ncompiler, which the first use does, {compiler - package:.1f} more "
            f"(beside {nothing:.1f} of Python without anything).\nThe wheel has {wheel['bytes'] / 1e6:.1f} MB, unpacked {wheel['unpacked'] / 1e6:.1f}; "
            f"`twine check --strict` says {wheel['twine']}. (Load {data['python']['load']:.1f}.)")


def tables(data):
    return {"runs": runs(data), "start": start(data)}

"""Tables of docs/install.md: what packages and the wheel take, and how soon there is a result."""
import plot
from datapage import table

COMMAND = "utils/bench/bench-packages.py --write"


def megabytes(count):
    return f"{count / 1e6:.1f}" if count >= 1e5 else f"{count / 1e6:.2f}"


def sizes(data):
    rows = [[f"`{row['package']}`", megabytes(row["bytes"]), megabytes(row["installed"])] for row in data["packages"]]
    return table(["", "MB", "installed"], rows + [["the wheel", megabytes(data["wheel"]["bytes"]), megabytes(data["wheel"]["unpacked"])]],
                 (1, 2))


def first(data):
    wheel = data["wheel"]
    return table(["from nothing to the checked result of the tutorial's first page", "seconds", "of processor time", "load", "asked"],
                 [["a root of Debian 12 that has nothing else: `apt-get update`, `apt-get install`, compile, run, compare",
                   f"{data['rootSeconds']:.0f}", f"{data['rootProcessor']:.0f}", data["rootLoad"],
                   f"lintian: {data['lintian'] or 'no'} complaints"],
                  ["an empty virtual environment: `pip install`, compile, run, compare", f"{wheel['seconds']:.0f}",
                   f"{wheel['processor']:.0f}", wheel["load"], f"twine: {wheel['twine']}"]],
                 (1, 2, 3))


def tables(data):
    return {"sizes": sizes(data), "first": first(data)}


def picture(data):
    groups = [(row["package"], {"MB of the file": row["bytes"] / 1e6, "MB installed": row["installed"] / 1e6}) for row in data["packages"]]
    wheel = ("wheel", {"MB of the file": data["wheel"]["bytes"] / 1e6, "MB installed": data["wheel"]["unpacked"] / 1e6})
    return plot.bars([("packages and wheel", [*groups, wheel])], "MB", columns=1)

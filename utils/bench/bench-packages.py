#!/usr/bin/env python3
"""What packages and the wheel take, and whether each gives a first result within a minute.

usage: bench-packages.py [--packages DIR] [--wheel FILE] [--bin DIR] [--tries N] [--write]

Of packages that scripts/package has built: their sizes, what lintian says, and the time from a root of Debian 12
that has nothing else to a checked result of the tutorial's first page (test/Packages/Inputs/clean-root.sh; as
root, with the network). Of a wheel of scripts/wheel: its size, what twine says, and the time from an empty
virtual environment to the same result; in that environment the start of the package, and runs beside acis-run,
which is in --bin (python-run.py). What is not there is left out, and said. --write renews docs/data/install.json,
and the tables and the picture of docs/install.md and docs/python.md from it.
"""
import argparse
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = re.compile(r"^seconds from nothing to the result: ([\d.]+), of processor time ([\d.]+)$", re.M)


def fail(what):
    sys.exit(f"bench-packages.py: error: {what}")


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
    if done.returncode:
        fail(f"'{' '.join(map(str, command))}' has failed with {done.returncode}: {(done.stderr or done.stdout).strip()[-500:]}")
    return done


def load():
    return round(os.getloadavg()[0], 1)


def packages(folder):
    files = sorted(folder.glob("*.deb"))
    if not files:
        return None
    rows = []
    for file in files:
        name, installed = run("dpkg-deb", "--show", "--showformat=${Package} ${Installed-Size}", file).stdout.split()
        rows.append({"package": name, "bytes": file.stat().st_size, "installed": 1024 * int(installed)})
    said = subprocess.run(["lintian", "--allow-root", *folder.glob("*.changes")], capture_output=True, text=True).stdout
    tags = [line for line in said.splitlines() if re.match(r"[EWI]: ", line)]
    print("\n".join(tags) or "lintian: nothing")
    at = load()
    with tempfile.TemporaryDirectory() as place:
        root = run("sh", ROOT / "test/Packages/Inputs/clean-root.sh", folder, f"{place}/root")
    return {"packages": rows, "lintian": len(tags), **dict(zip(("rootSeconds", "rootProcessor"), map(float, SECONDS.search(root.stderr).groups()))), "rootLoad": at}


def wheel(file, twine, programs, tries):
    checked = "not asked"
    if twine.exists():  # the last word, without colours
        checked = re.search(r"(PASSED|FAILED)[^:]*$", run(twine, "check", "--strict", file).stdout)[1]
    print("twine:", checked)
    with tempfile.TemporaryDirectory() as place:
        run("/usr/bin/python3", "-m", "venv", f"{place}/clean")
        python = f"{place}/clean/bin/python"
        at, start, before = load(), time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        run(python, "-m", "pip", "install", "-q", file)
        installed = time.monotonic() - start
        said = run(python, "-I", ROOT / "utils/check/first-page.py", cwd=place, env={"PATH": "/usr/bin:/bin"}).stdout
        whole, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(said)
        unpacked = sum(one.stat().st_size for one in pathlib.Path(place).glob("clean/lib/*/site-packages/acis/**/*") if one.is_file())
        environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
        times = run(python, ROOT / "utils/bench/python-run.py", "--tries", tries, "--json", cwd=place, env=environment).stdout
    return {"wheel": {"bytes": file.stat().st_size, "unpacked": unpacked, "twine": checked, "installSeconds": round(installed, 1),
                      "seconds": round(whole, 1),
                      "processor": round(processor, 1), "load": at}, "python": json.loads(times)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packages", type=pathlib.Path, default=ROOT / "build/packages")
    parser.add_argument("--wheel", type=pathlib.Path)
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/dev/bin", help="with acisc and acis-run")
    parser.add_argument("--tries", type=int, default=9)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    file = options.wheel or next(iter(sorted((ROOT / "build/wheel/dist").glob("*.whl"))), None)
    figures = {"command": "utils/bench/bench-packages.py --write", "cores": os.cpu_count()}
    for name, found in (("packages", packages(options.packages.resolve())),
                        ("wheel", wheel(file.resolve(), ROOT / "build/wheel/tools/bin/twine", options.bin.resolve(), options.tries) if file else None)):
        if found is None:
            print(f"no {name}: left out; scripts/package and scripts/wheel build what is missing")
        figures |= found or {}
    print(json.dumps(figures, indent=1))
    if options.write:
        data = ROOT / "docs/data/install.json"
        old = json.loads(data.read_text()) if data.exists() else {}
        data.write_text(json.dumps(old | figures, indent=1) + "\n")
        run(sys.executable, ROOT / "utils/pages/data-pages.py", "install", "python")


if __name__ == "__main__":
    main()

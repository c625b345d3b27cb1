"""Runs the simulators: a collective of plain MPI (acis-simrun --plain, on SMPI) or of switches
(acis-sim). Times are simulated, the same on each run, so a result is kept and asked for once."""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
# Of the barrier before each measured call: one whose ranks leave it together.
BARRIER = "smpi/barrier:ompi_bruck"
SECONDS = 600  # of this machine's, for one run


class Failed(Exception):
    """A simulator has refused or did not end; the text is what it said."""


def run(command, seconds=SECONDS, environment=None):
    """What it prints."""
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                              timeout=seconds, env={**os.environ, **(environment or {})})
    except subprocess.TimeoutExpired:
        raise Failed(f"{command[0]} did not end in {seconds} s: {' '.join(map(str, command))}") from None
    except FileNotFoundError:
        raise Failed(f"{command[0]} is not there; scripts/evaluate builds what it needs, and "
                     "libsimgrid-dev has smpicc") from None
    if done.returncode != 0:
        raise Failed(f"{' '.join(map(str, command))}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


class Part:
    """One of the results of a future."""

    def __init__(self, future, place):
        self.future, self.place = future, place

    def result(self):
        return self.future.result()[self.place]


def own(algorithm):
    """The name of one of collectives.c's."""
    first = algorithm.split(",")[0]
    return first.removeprefix("own ") if first.startswith("own ") else None


def settingsOf(collective, algorithm):
    """SMPI's choices that it asks for."""
    first, *helpers = algorithm.split(",")
    out = dict(text.split(":") for text in helpers)
    return out if own(first) else {**out, collective: first}


def batches(wanted):
    """Lists of what one process can measure, as all its calls agree on SMPI's choices."""
    found = []
    for one in wanted:
        settings = settingsOf(one[0], one[2])
        for known, batch in found:
            if all(known.get(name, value) == value for name, value in settings.items()):
                known.update(settings)
                batch.append(one)
                break
        else:
            found.append((dict(settings), [one]))
    return found


class Simulator:
    """Simulations with the programs of one build folder, two at a time."""

    def __init__(self, programs, jobs=2):
        self.programs = pathlib.Path(programs)
        self.scratch = tempfile.TemporaryDirectory(prefix="acis-evaluate-")
        self.folder = pathlib.Path(self.scratch.name)
        self.pool = concurrent.futures.ThreadPoolExecutor(jobs)
        self.kept = {}
        self.compiled = {}
        self.lock = threading.Lock()

    def close(self):
        self.pool.shutdown(cancel_futures=True)
        self.scratch.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def program(self, source, *more):
        """An MPI program of these sources, compiled for SMPI."""
        with self.lock:
            if source not in self.compiled:
                out = self.folder / pathlib.Path(source).stem
                run(["smpicc", "-O1", source, *more, "-o", out])
                self.compiled[source] = out
            return self.compiled[source]

    def platform(self, description):
        """The name of a file with this platform."""
        text = json.dumps(description, sort_keys=True)
        path = self.folder / f"{abs(hash(text)):x}.json"
        if not path.exists():
            path.write_text(text)
        return path

    def once(self, key, work):
        """The future of work(), which is begun if nobody asked for it before."""
        if key not in self.kept:
            self.kept[key] = self.pool.submit(work)
        return self.kept[key]

    def plain(self, description, nodes, wanted):
        """Of an MPI without switches: {(collective, bytes, algorithm): (mean over ranks, slowest rank)
        in us}, as a future for each of `wanted`. The algorithm is SMPI's name, or "own NAME" with
        collectives.c's; "NAME,reduce:binomial" names others that it uses."""
        platform = self.platform(description)
        out, missing = {}, []
        for one in wanted:
            key = ("plain", platform, nodes, *one)
            if key not in self.kept and one not in missing:
                missing.append(one)
        for settings, batch in batches(missing):
            future = self.pool.submit(self.plainRun, platform, nodes, settings, batch)
            for place, one in enumerate(batch):
                self.kept["plain", platform, nodes, *one] = (future, place)
        for one in wanted:
            out[one] = Part(*self.kept["plain", platform, nodes, *one])
        return out

    def plainRun(self, platform, nodes, settings, batch):
        """The times of a batch, by one process."""
        said = run([self.programs / "acis-simrun", "-n", nodes, "--plain", "--platform", platform,
                    f"--smpi-arg=--cfg={BARRIER}",
                    *[f"--smpi-arg=--cfg=smpi/{name}:{value}" for name, value in settings.items()],
                    self.program(HERE / "collectives.c", HERE / "mpich.c"),
                    *[f"{name}:{size}" + (":" + own(algorithm) if own(algorithm) else "")
                      for name, size, algorithm in batch]])
        return [tuple(map(float, line.split())) for line in said.splitlines()]

    def switched(self, description, collective, nodes, size, *more, calls=1):
        """Of switches: a future of a row of acis-sim's JSON."""
        platform = self.platform(description)

        def work():
            said = run([self.programs / "acis-sim", "-n", nodes, "--platform", platform, "--collective",
                        collective, "--bytes", size, "--calls", calls, "--together", "--format", "json", *more])
            return json.loads(said)["runs"][0]

        return self.once(("switched", platform, collective, nodes, size, more, calls), work)

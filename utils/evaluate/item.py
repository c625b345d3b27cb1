"""What an item of the evaluation is, and what it gives."""
import dataclasses
import pathlib
import sys
import typing

DONE, PARTIAL = "done", "partial"
MISSING = "missing"        # it could be made here
IMPOSSIBLE = "impossible"  # hardware is needed that is not here
ELSEWHERE = "elsewhere"  # another script makes it


class Skipped(Exception):
    """An item cannot be made on this machine; the text says what it needs."""


@dataclasses.dataclass
class Claim:
    """A number of a publication beside ours."""
    what: str
    paper: str
    ours: str
    why: str = ""


@dataclasses.dataclass
class Outcome:
    claims: list = dataclasses.field(default_factory=list)
    tables: dict = dataclasses.field(default_factory=dict)   # name: rows, each a dict
    figures: dict = dataclasses.field(default_factory=dict)  # name: SVG


@dataclasses.dataclass
class Item:
    name: str  # "000/fig-3-9"
    title: str
    state: str
    note: str = ""  # what is missing, or why it cannot be made here
    make: typing.Callable = None

    def file(self):
        return self.name.replace("/", "-")


@dataclasses.dataclass
class Context:
    """What an item's function may use."""
    simulator: object
    programs: pathlib.Path
    quick: bool
    say: typing.Callable
    calibration: dict

    @property
    def nodes(self):
        return [32] if self.quick else [32, 64, 128]

    def run(self, *command, **more):
        from simulate import run
        return run([self.programs / command[0], *command[1:]], **more)

    python = sys.executable


def geomean(values):
    from math import exp, log
    values = list(values)
    return exp(sum(log(v) for v in values) / len(values))

"""Types of what the compiler and the engines report: the dictionaries of acisc --report=json and
acis-run --stats=json."""
from __future__ import annotations

import typing


class Handler(typing.NamedTuple):
    """A handler of a binary. `input` and `output` are the types of its streams' elements by NumPy's
    names, "" for bytes or where only the sizes are known (load()); sizes are in bytes."""
    name: str
    input: str
    output: str
    input_bytes: int
    output_bytes: int
    memory_bytes: int  #: off-chip memory that it needs at least


class Loop(typing.TypedDict, total=False):
    """A loop nest of the source that became one of the array."""
    handler: str
    nest: str
    file: str
    line: int
    kind: str           #: "context", or "vector-load", which has none of the intervals
    ii: int             #: initiation interval: cycles from one iteration to the next
    resMii: int         #: its bound by resources, and what makes it
    resReason: str
    recMii: int         #: its bound by recurrences, and what makes it
    recReason: str
    lowerBound: int     #: no mapping has a smaller interval: proven
    boundReason: str
    stages: int         #: iterations under way at once
    vf: int             #: elements of an iteration
    laneBits: int
    trip: int
    nodes: list[dict[str, typing.Any]]
    nodesByPe: list[int]
    mapMilliseconds: float


class Report(typing.TypedDict):
    """What was made of a source."""
    input: str
    overlay: str
    binaryBytes: int
    phases: list[dict[str, typing.Any]]
    totalMilliseconds: float
    loops: list[Loop]
    certificates: list[dict[str, typing.Any]]
    machine: dict[str, typing.Any]
    scalarLoops: list[dict[str, typing.Any]]
    handlers: list[dict[str, str]]


#: Counters are numbers; "stalls" and "instructions" have one for each cause and mnemonic. "cycles",
#: "gbpsIn", "gbpsOut" and "stalls" are those of engine "model".
Statistics = typing.Dict[str, typing.Any]

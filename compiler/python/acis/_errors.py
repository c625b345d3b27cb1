"""What goes wrong, with its place and the way out."""
from __future__ import annotations

import re
import typing

if typing.TYPE_CHECKING:
    from acis._binary import Trace

PLACE = re.compile(r"(?P<file>.+?):(?P<line>\d+)(?::(?P<column>\d+))?$")


def said(text: str) -> str:
    """The way out in a text that has it in words alone, as those of engines and of switches: what stands
    behind its last semicolon, or ""."""
    _, found, way = text.rpartition("; ")
    return way if found else ""


class Diagnostic(typing.NamedTuple):
    """A message of the compiler and the notes that belong to it. `line` 0: no place is known."""
    severity: str  #: "error", "warning", "remark" or "note"
    file: str
    line: int
    column: int
    message: str
    kind: str = "said"  #: by docs/refusals.md; "said" is what is no refusal of a loop, as Clang's messages
    notes: tuple[Diagnostic, ...] = ()
    way_out: str = ""  #: what to write instead; "": the message says what would be right, or there is nothing

    def __str__(self) -> str:
        place = f"{self.file}:" if self.file else ""
        if self.line:
            place += f"{self.line}:{self.column}:" if self.column else f"{self.line}:"
        return f"{place} {self.severity}: {self.message}".lstrip()


def _again(kind: type[Error], args: tuple[object, ...], state: dict[str, object]) -> Error:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(state)
    return error


class Error(Exception):
    """What this package raises. `file`, `line` and `column` are the place, "" and 0 where there is none;
    `message` says what was found and what to do, and `way_out` is the latter alone, "" if there is none.

    Made of what was found and the way out; without that, of a text that has both."""

    def __init__(self, found: str, file: str = "", line: int = 0, column: int = 0, *, way_out: str | None = None):
        self.message = f"{found}; {way_out}" if way_out else found
        self.file, self.line, self.column = file, line, column
        self.way_out = said(found) if way_out is None else way_out
        super().__init__(str(Diagnostic("error", file, line, column, self.message)) if file else self.message)

    def __reduce__(self) -> tuple[object, ...]:
        # By default from `args` alone, which would not do: between processes errors are pickled.
        return _again, (type(self), self.args, self.__dict__)


class BadArgument(Error, ValueError):
    """An argument of the caller: an array of the wrong type, order or size, an unknown name, a binary
    that is closed or damaged."""


class CompileError(Error):
    """A source that does not compile. The place and message are those of the first error; `diagnostics`
    has all, warnings as well; the text shows them as acisc does, with the source lines."""

    def __init__(self, diagnostics: list[Diagnostic], text: str):
        self.diagnostics = diagnostics
        first = next((one for one in diagnostics if one.severity == "error"),
                     Diagnostic("error", "", 0, 0, text.strip() or "the compiler gave no reason"))
        super().__init__(first.message, first.file, first.line, first.column)
        self.way_out = first.way_out
        self.args = (text.rstrip() or str(first),)


class Trap(Error):
    """A run that could not go on because of the handler or its input. `pc` is the address of the
    instruction; `trace` the events until then, if they were asked for."""

    def __init__(self, what: str, place: str, pc: int):
        found = PLACE.match(place)
        super().__init__(what, found["file"] if found else place, int(found["line"]) if found else 0)
        self.pc = pc
        self.trace: Trace | None = None

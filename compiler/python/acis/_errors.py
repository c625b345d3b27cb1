"""What goes wrong, with its place and the way out."""
from __future__ import annotations

import re
import typing

if typing.TYPE_CHECKING:
    from acis._binary import Trace

PLACE = re.compile(r"(?P<file>.+?):(?P<line>\d+)(?::(?P<column>\d+))?$")


class Diagnostic(typing.NamedTuple):
    """A message of the compiler and the notes that belong to it. `line` 0: no place is known."""
    severity: str  #: "error", "warning", "remark" or "note"
    file: str
    line: int
    column: int
    message: str
    kind: str = "said"  #: by docs/refusals.md; "said" is what is no refusal of a loop, as Clang's messages
    notes: tuple[Diagnostic, ...] = ()

    @property
    def way_out(self) -> str:
        """What to do: the part of the message behind its last semicolon, or its first note; or ""."""
        _, found, way = self.message.rpartition("; ")
        if found:
            return way
        return self.notes[0].message if self.notes else ""

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
    `message` says what was found and what to do, `way_out` is that last part."""

    def __init__(self, message: str, file: str = "", line: int = 0, column: int = 0):
        self.message, self.file, self.line, self.column = message, file, line, column
        super().__init__(str(Diagnostic("error", file, line, column, message)) if file else message)

    def __reduce__(self) -> tuple[object, ...]:
        # By default from `args` alone, which would not do: between processes errors are pickled.
        return _again, (type(self), self.args, self.__dict__)

    @property
    def way_out(self) -> str:
        """What to do; "" if the message does not say."""
        return Diagnostic("error", self.file, self.line, self.column, self.message).way_out


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
        self._first = first
        self.args = (text.rstrip() or str(first),)

    @property
    def way_out(self) -> str:
        return self._first.way_out


class Trap(Error):
    """A run that could not go on because of the handler or its input. `pc` is the address of the
    instruction; `trace` the events until then, if they were asked for."""

    def __init__(self, what: str, place: str, pc: int):
        found = PLACE.match(place)
        super().__init__(what, found["file"] if found else place, int(found["line"]) if found else 0)
        self.pc = pc
        self.trace: Trace | None = None

"""Compiles handlers, and runs them on arrays."""
from __future__ import annotations

import json
import os
import types
import typing

from acis import _data
from acis._errors import PLACE, BadArgument, CompileError, Diagnostic, Error, Trap, said
from acis._report import Handler, Report, Statistics

if typing.TYPE_CHECKING:
    import numpy.typing

Source = typing.Union[str, "os.PathLike[str]"]
Overlay = typing.Union[str, "os.PathLike[str]", typing.Mapping[str, typing.Any]]
ENGINES = ("fast", "model")
MAPPERS = ("heuristic", "persistent", "exact")


def _core() -> types.ModuleType:
    """The extension module, which is large and loaded when it is needed."""
    try:
        from acis import _core as core
    except ImportError as problem:
        raise ImportError("the compiled part of the package acis cannot be loaded; install its wheel (scripts/wheel), "
                          f"or build the target acis-python: {problem}") from problem
    return core


def overlays() -> list[str]:
    """Names of the overlays that come along."""
    return [name.removesuffix(".json") for name in _core().overlays()]


def _did_you_mean(word: str, names: typing.Iterable[str]) -> str:
    import difflib
    near = difflib.get_close_matches(word, names, n=1)
    return f"; did you mean '{near[0]}'?" if near else ""


def _one_of(what: str, word: str, names: typing.Sequence[str]) -> str:
    if word not in names:
        raise BadArgument(f"{what} is {word!r}", way_out=f"allowed are {', '.join(names)}{_did_you_mean(str(word), names)}")
    return word


def _overlay(overlay: Overlay) -> tuple[str, str]:
    """Text and name of a description: a shipped one by its name, a file, or a dictionary."""
    if isinstance(overlay, typing.Mapping):
        text, path = json.dumps(overlay), "overlay"
    else:
        text, path = _overlay_text(overlay)
    if wrong := _core().overlay_problem(text, path):
        raise BadArgument(wrong)
    return text, path


def _overlay_text(overlay: str | os.PathLike[str]) -> tuple[str, str]:
    path = os.fspath(overlay)
    if isinstance(overlay, str) and not path.endswith(".json") and os.sep not in path:
        names = overlays()
        if path not in names:
            raise BadArgument(f"there is no overlay {path!r}",
                              way_out=f"shipped are {', '.join(names)}{_did_you_mean(path, names)}; or give the path of a "
                                      "description, which ends with .json")
        path += ".json"
    text, wrong = _core().overlay_text(path)
    if wrong:
        raise BadArgument(wrong)
    return text, path


def _diagnostic(one: typing.Any) -> Diagnostic:
    notes = tuple(_diagnostic(note) for note in one.notes)
    # Clang's words have none but a guess, in the message or a note.
    guesses = [said(one.message), *(note.message for note in notes)] if one.kind == "said" else []
    way_out = next((guess for guess in guesses if guess.startswith("did you mean")), one.way_out)
    return Diagnostic(one.severity, one.file, one.line, one.column, one.message, one.kind, notes, way_out)


def _source(source: Source, language: str | None, name: str | None) -> tuple[str, str | None]:
    """(name of the file, its text if it is not to be read)."""
    if isinstance(source, str) and ("\n" in source or "{" in source):
        suffix = {"c": ".c", "c++": ".cpp"}[_one_of("language", language or "c", ("c", "c++"))]
        return name or "handler" + suffix, source
    if language or name:
        raise BadArgument("language and name are for a source that is text; a file has them in its name",
                          way_out="leave them out")
    path = os.fspath(source)
    if not os.path.isfile(path):
        raise BadArgument(f"{path}: no such file", way_out="give the path of a .c or .cpp file, or the source itself")
    if os.path.splitext(path)[1] not in (".c", ".cpp", ".cc", ".cxx", ".C"):
        raise BadArgument(f"{path} is no source file", way_out="allowed are .c, .cpp, .cc, .cxx")
    return path, None


def _number(what: str, value: int, least: int, most: int) -> int:
    if not isinstance(value, int) or not least <= value <= most:
        raise BadArgument(f"{what} is {value!r}", way_out=f"a number from {least} to {most} is needed")
    return value


def compile(source: Source, overlay: Overlay = "u280", *, handler: str = "", language: str | None = None,
            name: str | None = None, defines: typing.Mapping[str, object] | None = None,
            include: typing.Iterable[str | os.PathLike[str]] = (), standard: str | None = None,
            mapper: str = "heuristic", mapper_timeout: int = 10, min_ii: int = 1, scalar_loops: bool = False,
            double_buffer: bool = True, certify: bool = False, require_rate: str = "",
            remarks: bool = False) -> Binary:
    """Compiles handlers for an overlay.

    `source` is the text of a program, if it has a line break or a brace, else the path of a file;
    of a text, `language` is "c" or "c++", and messages call it `name`. `overlay` is the name of a
    shipped description, the path of one, or one as a dictionary. `handler` is the one that runs
    where none is named. `defines` are macros, `include` folders with headers, `standard` as in
    "gnu17". The others are the options of acisc with these names. Raises CompileError.
    """
    file, text = _source(source, language, name)
    description, overlay_name = _overlay(overlay)
    arguments = [f"-D{macro}={value}" for macro, value in (defines or {}).items()]
    arguments += [f"-I{os.fspath(folder)}" for folder in include]
    arguments += [f"-std={standard}"] if standard else []
    made = _core().compile(
        file, text, description, overlay_name, arguments, _one_of("mapper", mapper, MAPPERS),
        _number("mapper_timeout", mapper_timeout, 1, 2**31), _number("min_ii", min_ii, 1, 2**16),
        bool(scalar_loops), bool(double_buffer), bool(certify), require_rate, bool(remarks))
    diagnostics = [_diagnostic(one) for one in made.diagnostics]
    if not made.good:
        raise CompileError(diagnostics, made.messages)
    return Binary(made.binary, description, overlay_name, handler, json.loads(made.report), diagnostics)


def load(binary: str | os.PathLike[str] | bytes, overlay: Overlay = "u280", *, handler: str = "") -> Binary:
    """A binary that acisc or Binary.save() wrote, by its path or its content. It is verified; raises
    BadArgument."""
    content = binary if isinstance(binary, bytes) else _read(binary)
    description, overlay_name = _overlay(overlay)
    return Binary(content, description, overlay_name, handler, None, [])


def _read(path: str | os.PathLike[str]) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _write(path: str | os.PathLike[str], content: bytes) -> None:
    """Under another name first, so that no half file is ever seen."""
    whole = f"{os.fspath(path)}.{os.getpid()}.part"
    try:
        with open(whole, "xb") as file:
            file.write(content)
        os.replace(whole, path)
    except OSError:
        if os.path.exists(whole):
            os.unlink(whole)
        raise


class Trace:
    """What an engine with a clock did, for Perfetto or chrome://tracing."""

    def __init__(self, text: str):
        self._text = text

    @property
    def events(self) -> list[dict[str, typing.Any]]:
        """In the format of Chrome's traces; times "ts" and "dur" are in microseconds of the overlay's clock."""
        events: list[dict[str, typing.Any]] = json.loads(self._text)["traceEvents"]
        return events

    def save(self, path: str | os.PathLike[str]) -> None:
        _write(path, self._text.encode())


class Run:
    """What a run gave."""

    def __init__(self, output: numpy.typing.NDArray[typing.Any] | bytes, packets: list[typing.Any], memory: typing.Any,
                 statistics: Statistics, trace: Trace | None):
        #: The packets that came out, one after the other: an array with the type of the handler's output if
        #: an array went in, else bytes.
        self.output = output
        #: Each of them; parts of `output`.
        self.packets = packets
        #: The off-chip memory after the run: what was given, or an array of bytes that was made; or None.
        self.memory = memory
        #: Counters, as of acis-run --stats=json.
        self.statistics = statistics
        self.trace = trace

    def __repr__(self) -> str:
        return (f"<acis.Run of handler {self.statistics['handler']} on engine {self.statistics['engine']}: "
                f"{self.statistics['packetsIn']} packets in, {self.statistics['packetsOut']} out>")


class Binary:
    """Compiled handlers for an overlay. From compile() or load(). May be run by several threads at the
    same time; each run begins with the state that the handler has after loading."""

    def __init__(self, content: bytes, description: str, overlay_name: str, handler: str,
                 report: Report | None, diagnostics: list[Diagnostic]):
        program = _core().load(content, description, overlay_name)
        if isinstance(program, str):
            raise BadArgument(program)
        self._program, self._content, self._report = program, content, report
        self._description, self._overlay_name = description, overlay_name
        #: Warnings, and remarks if they were asked for.
        self.diagnostics = diagnostics
        types_of = {one["name"]: (one["in"], one["out"]) for one in (report["handlers"] if report else [])}
        self._handlers = {one[0]: Handler(one[0], *types_of.get(one[0], ("", "")), *one[1:])
                          for one in program.handlers}
        self._default = handler
        if handler:
            self._handler(handler)

    def __reduce__(self) -> tuple[typing.Any, ...]:
        self._use()
        return Binary, (self._content, self._description, self._overlay_name, self._default, self._report,
                        self.diagnostics)

    def _use(self) -> typing.Any:
        if self._program is None:
            raise BadArgument("the binary is closed", way_out="compile or load it again")
        return self._program

    def _handler(self, name: str) -> Handler:
        self._use()
        name = name or self._default
        if not name and len(self._handlers) == 1:
            return next(iter(self._handlers.values()))
        if name not in self._handlers:
            found = f"the binary has no handler {name!r}" if name else "the binary has several handlers"
            raise BadArgument(found, way_out=f"name one of {', '.join(self._handlers)}{_did_you_mean(name, self._handlers)}")
        return self._handlers[name]

    @property
    def handlers(self) -> list[Handler]:
        self._use()
        return list(self._handlers.values())

    @property
    def report(self) -> Report:
        """What was made of the source, as acisc --report=json has it. A binary that was loaded has none."""
        self._use()
        if self._report is None:
            raise BadArgument("the binary was loaded and has no report", way_out="compile its source")
        return self._report

    @property
    def overlay(self) -> str:
        """Name of the overlay that it is for."""
        return str(self._use().overlay)

    def __bytes__(self) -> bytes:
        self._use()
        return self._content

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the binary, for acisd, acis-run and load()."""
        _write(path, bytes(self))

    def close(self) -> None:
        """Gives its memory back; it cannot be used any more."""
        self._program, self._content, self._report = None, b"", None

    def __enter__(self) -> Binary:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, data: typing.Any, *, engine: str = "fast", packet_bytes: int | None = None, handler: str = "",
            memory: typing.Any = None, trace: bool = False, deadline: int | None = None) -> Run:
        """Streams packets through a handler.

        `data` is a NumPy array with elements of the handler's input, or of bytes; or bytes or another buffer;
        it is read where it lies, and must not be changed until the run is over. It is one packet, or is cut
        into packets of `packet_bytes`; or it is a list of packets. `memory`, a writable array or buffer, is the
        handler's off-chip memory, which it reads and writes in place; without it the memory that the handler
        needs is made, of zeros. `engine` is "fast", or "model", which counts cycles and can `trace`. `deadline`
        limits instructions plus iterations of an invocation. Raises BadArgument, Trap, and KeyboardInterrupt
        soon after an interrupt.
        """
        program = self._use()
        what = self._handler(handler)
        exact = _one_of("engine", engine, ENGINES) == "model"
        if trace and not exact:
            raise BadArgument("engine fast has no cycles to trace", way_out="add engine='model'")
        if deadline is not None:
            _number("deadline", deadline, 1, 2**63)
        view, lengths = _data.packets_of(data, packet_bytes, what)
        if memory is None and what.memory_bytes:
            memory = _new_memory(what.memory_bytes, data)
        place = None if memory is None else _data.memory_bytes(memory, what, program.most_memory)
        done = program.run(what.name, exact, bool(trace), deadline or 0, view, lengths, place)
        events = Trace(done.trace) if trace else None
        if not done.good:
            raise _failure(done, events)
        return _result(done, data, what, memory, events)


def _new_memory(size: int, data: typing.Any) -> typing.Any:
    if not _wants_arrays(data):
        return bytearray(size)
    import numpy
    return numpy.zeros(size, "u1")


def _wants_arrays(data: typing.Any) -> bool:
    return _data.is_array(data[0] if isinstance(data, (list, tuple)) else data)


def _failure(done: typing.Any, events: Trace | None) -> Error:
    if not done.trapped:
        return Error(done.what if not done.where or PLACE.match(done.where) else f"{done.where}: {done.what}")
    trap = Trap(done.what, done.where, done.pc)
    trap.trace = events
    return trap


def _result(done: typing.Any, data: typing.Any, handler: Handler, memory: typing.Any, events: Trace | None) -> Run:
    output, ends = done.take_output(), done.take_lengths().cumsum().tolist()
    whole: typing.Any = output
    if not _wants_arrays(data):
        whole, size = output.tobytes(), 1
    else:
        # Where only the size is known, the type of the input if that has it, as in acis-run.
        given = (data[0] if isinstance(data, (list, tuple)) else data).dtype
        same = given.itemsize == handler.output_bytes and given != "b1"
        kind = handler.output or (given if same else f"u{handler.output_bytes}")
        # A handler may send a part of an element; then the bytes are what there is.
        fits = handler.output_bytes in (1, 2, 4, 8) and all(end % handler.output_bytes == 0 for end in ends)
        whole, size = (output.view(kind), handler.output_bytes) if fits else (output, 1)
    packets = [whole[begin // size:end // size] for begin, end in zip([0, *ends], ends)]
    return Run(whole, packets, memory, json.loads(done.statistics), events)

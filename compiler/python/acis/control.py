"""The switch steers an application: a member of a control group, from Python.

    from acis import control

    policy = control.Policy(staleness=2)
    with control.Group("127.0.0.1:9000", job=1, rank=rank, size=4, policy=policy) as group:
        for i in range(100):
            group.begin(i)          # waits until the switch lets it begin
            work(i)
            group.end(i)
            group.extra(token)      # until the switch's signal, if the policy has extra work
        for piece in pieces:
            group.put(piece)        # tasks, which the switch moves if imbalance is not 0
        for task in group.tasks():  # until all queues have ended
            run(task)
        total, made = group.sum([1.0, 2.0])

This is runtime/host/control/acis_control.h, which says more, through ctypes; acis.client finds the
library.
"""
from __future__ import annotations

import ctypes
import dataclasses
import typing

from acis import client
from acis import _errors

__all__ = ["DEADLINE", "Error", "Extra", "Group", "LAST_ARRIVAL", "Made", "NONE", "Policy", "State", "UNBOUNDED"]

NONE, DEADLINE, LAST_ARRIVAL = range(3)  #: until when extra work is done
UNBOUNDED = 2**32 - 1  #: a staleness that holds nobody up


class Error(_errors.Error):
    """What the library or the switch says."""


@dataclasses.dataclass(frozen=True)
class Policy:
    """How the members go on; all say the same. Fields as in acis_control.h."""
    staleness: int = 0
    most_staleness: int = 0
    quorum: int = 0
    extra: int = NONE
    deadline: float = 0
    utility: float = 0
    window: int = 0
    every: int = 0
    timeout: float = 0
    imbalance: float = 0
    settled: float = 0
    survive: bool = False


class _CPolicy(ctypes.Structure):
    _fields_ = [("staleness", ctypes.c_uint32), ("most_staleness", ctypes.c_uint32),
                ("quorum", ctypes.c_uint32), ("extra", ctypes.c_int), ("deadline", ctypes.c_double),
                ("utility", ctypes.c_double), ("window", ctypes.c_uint32), ("every", ctypes.c_uint32),
                ("timeout", ctypes.c_double), ("imbalance", ctypes.c_double), ("settled", ctypes.c_double),
                ("survive", ctypes.c_int)]


class State(typing.NamedTuple):
    """What a member knows; fields as in acis_control.h."""
    done: int
    allowed: int
    floor: int
    signalled: int
    deadline: float
    staleness: int
    slowest: int
    slowest_done: int


class _CState(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("done", "allowed", "floor", "signalled")] + \
        [("deadline", ctypes.c_double), ("staleness", ctypes.c_uint32), ("slowest", ctypes.c_uint32),
         ("slowest_done", ctypes.c_uint64)]


class Extra(typing.NamedTuple):
    """Extra work that was done: pieces, those that the signal came during, seconds."""
    tokens: int
    overruns: int
    seconds: float


class _CExtra(ctypes.Structure):
    _fields_ = [("tokens", ctypes.c_uint64), ("overruns", ctypes.c_uint64), ("seconds", ctypes.c_double)]


class Made(typing.NamedTuple):
    """What a sum is of: its number, members of the group whose share is in it (ranks of the group), of
    how many, and whether this one's is."""
    number: int
    who: tuple[int, ...]
    members: int
    mine: bool


class _CMade(ctypes.Structure):
    _fields_ = [("number", ctypes.c_uint64), ("contributors", ctypes.c_uint32), ("members", ctypes.c_uint32),
                ("mine", ctypes.c_int)]


_TOKEN = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)


def _declare(library: ctypes.CDLL) -> ctypes.CDLL:
    pointer, text, error = ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_char_p)
    ranks = ctypes.POINTER(ctypes.c_uint32)
    for name, result, arguments in (
            ("open", pointer, [text, ctypes.c_uint32, text, ctypes.c_uint32, ctypes.c_uint32, error]),
            ("close", None, [pointer]),
            ("control_open", pointer, [pointer, ctypes.c_uint32, ranks, ctypes.c_size_t,
                                       ctypes.POINTER(_CPolicy), error]),
            ("control_close", None, [pointer]),
            ("control_begin", text, [pointer, ctypes.c_uint64]),
            ("control_end", text, [pointer, ctypes.c_uint64]),
            ("control_extra", text, [pointer, _TOKEN, pointer, ctypes.POINTER(_CExtra)]),
            ("control_put", text, [pointer, text, ctypes.c_size_t]),
            ("control_next", text, [pointer, ctypes.POINTER(pointer), ctypes.POINTER(ctypes.c_size_t)]),
            ("control_sum", text, [pointer, ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_double),
                                   ctypes.c_size_t, ctypes.POINTER(_CMade), ctypes.POINTER(ctypes.c_uint8)]),
            ("control_look", text, [pointer, ctypes.POINTER(_CState)])):
        function = getattr(library, "acis_" + name)
        function.restype, function.argtypes = result, arguments
    return library


_lib = _declare(client._lib)


def _text(problem: ctypes.c_char_p) -> str:
    return (problem.value or b"").decode(errors="replace")


def _check(problem: bytes | None) -> None:
    if problem is not None:
        raise Error(problem.decode(errors="replace"))


class Group:
    """A member of the group of all ranks of a job, or of `ranks`, with a session of its own at the
    switch `address` ("host:port"). Every member makes one with the same ranks and policy."""

    def __init__(self, address: str, *, rank: int, size: int, job: int = 0, key: str = "", context: int = 0,
                 ranks: typing.Iterable[int] | None = None, policy: Policy = Policy()) -> None:
        self._group = self._session = None
        error = ctypes.c_char_p()
        self._session = _lib.acis_open(address.encode(), job, key.encode(), rank, size, ctypes.byref(error))
        if not self._session:
            raise Error(_text(error))
        members = list(range(size)) if ranks is None else list(ranks)
        self._members = len(members)
        self._group = _lib.acis_control_open(
            self._session, context, (ctypes.c_uint32 * len(members))(*members), len(members),
            _CPolicy(*dataclasses.astuple(policy)), ctypes.byref(error))
        if not self._group:
            self.close()
            raise Error(_text(error))

    def _use(self) -> typing.Any:
        if not self._group:
            raise Error("the group is closed")
        return self._group

    def begin(self, iteration: int) -> None:
        """Waits until the member's next iteration may begin; Error names who is waited for."""
        _check(_lib.acis_control_begin(self._use(), iteration))

    def end(self, iteration: int) -> None:
        """The iteration is done; does not wait."""
        _check(_lib.acis_control_end(self._use(), iteration))

    def extra(self, token: typing.Callable[[], object]) -> Extra:
        """Calls `token` until the switch's signal, or until it gives a false value."""
        done = _CExtra()
        raised: list[BaseException] = []

        def call(_: object) -> int:
            try:
                return 1 if token() else 0
            except BaseException as error:  # ctypes would print it and go on
                raised.append(error)
                return 0

        problem = _lib.acis_control_extra(self._use(), _TOKEN(call), None, ctypes.byref(done))
        if raised:
            raise raised[0]
        _check(problem)
        return Extra(done.tokens, done.overruns, done.seconds)

    def put(self, task: bytes) -> None:
        """A task, `bytes` that any member can run, to the end of this member's queue; does not wait."""
        _check(_lib.acis_control_put(self._use(), task, len(task)))

    def next(self) -> bytes | None:
        """The last task is over: waits for the next one; None: all queues have ended."""
        task, size = ctypes.c_void_p(), ctypes.c_size_t()
        _check(_lib.acis_control_next(self._use(), ctypes.byref(task), ctypes.byref(size)))
        return None if task.value is None else ctypes.string_at(task.value, size.value)

    def tasks(self) -> typing.Iterator[bytes]:
        """All tasks of this round that this member gets."""
        while (task := self.next()) is not None:
            yield task

    def sum(self, share: typing.Sequence[float] | None, count: int = 0) -> tuple[list[float], Made] | None:
        """Gives `share`, numbers, to the next sum; waits for ([numbers], Made). None: only asks for the next
        sum, of `count` numbers; None if it is not made yet."""
        numbers = ctypes.c_double * (count if share is None else len(share))
        given, total = None if share is None else numbers(*share), numbers()
        made, who = _CMade(), (ctypes.c_uint8 * self._members)()
        _check(_lib.acis_control_sum(self._use(), given, total, len(total), ctypes.byref(made), who))
        if made.contributors == 0:
            return None
        return list(total), Made(made.number, tuple(r for r in range(self._members) if who[r]), made.members,
                                 bool(made.mine))

    def look(self) -> State:
        """The State of the member; does not wait."""
        state = _CState()
        _check(_lib.acis_control_look(self._use(), ctypes.byref(state)))
        return State(*(getattr(state, name) for name in State._fields))

    def close(self) -> None:
        """Leaves the group, which holds nobody up, and the switch."""
        group, self._group = self._group, None
        session, self._session = self._session, None
        if group:
            _lib.acis_control_close(group)
        if session:
            _lib.acis_close(session)

    def __enter__(self) -> Group:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    __del__ = close

"""One switch with a handler of acis.gcn, and what is in its memory."""
from __future__ import annotations

import hashlib
import threading
import typing

from acis._arrays import Array
from acis._errors import Error
from acis._packets import Held, Progress, fill, stream

if typing.TYPE_CHECKING:
    from acis import client


class Leaf:
    """The handler is loaded with the first run, and again where the memory has to be larger. Dense rows that are there already are
    not sent again; a load that was broken off, by a network that was down, goes on where it was."""

    def __init__(self, switch: client.Switch, binary: bytes, engine: str, listen: str, packet_bytes: int, deadline: float, tries: int,
                 attached: typing.Callable[[client.Handler], client.Handler]):
        self._switch, self._binary, self._engine, self._listen = switch, binary, engine, listen
        self._packet_bytes, self._deadline, self._tries, self._attached = packet_bytes, deadline, tries, attached
        self._handler: client.Handler | None = None
        self._room = 0
        self._held, self._digest = Held(), b""

    def run(self, image: Array, packets: list[Array], answer_bytes: list[int], progress: Progress | None) \
            -> tuple[list[Array], int | None]:
        """The answers to packets, with `image` in the memory; cycles, with engine "model"."""
        from acis import client
        handler = self._loaded(image.nbytes)
        before = handler.counters().cycles
        to = self._attached(handler)
        digest = hashlib.blake2b(image.data).digest()
        kept = digest == self._digest
        if not kept:
            self._held, self._digest = Held(), digest
        try:
            answers = self._exchange(to, image, packets, answer_bytes, progress)
        except client.Failure:
            raise  # what is there, is there
        except Error:
            self._held = Held()
            if not kept:
                raise
            answers = self._exchange(to, image, packets, answer_bytes, progress)
        after = handler.counters().cycles
        return answers, after - before if self._engine == "model" else None

    def _exchange(self, to: client.Handler, image: Array, packets: list[Array], answer_bytes: list[int], progress: Progress | None) \
            -> list[Array]:
        fill(to, image, self._packet_bytes, self._deadline, self._tries, progress, held=self._held)
        for words in packets:
            words[1] = self._held.version
        return stream(to, packets, answer_bytes, self._deadline, self._tries)

    def _loaded(self, room: int) -> client.Handler:
        if self._handler is None or room > self._room:
            self._handler = self._switch.load(self._binary, engine=self._engine, memory=room,
                                              listen=self._handler.address if self._handler else self._listen)
            self._room, self._digest = room, b""
        return self._handler

    def close(self) -> None:
        if self._handler:
            self._handler.unload()
            self._handler.close()
            self._handler = None


class Together:
    """The progress of several leaves as one."""

    def __init__(self, progress: Progress | None, leaves: int):
        self._progress, self._leaves = progress, leaves
        self._there: dict[int, int] = {}
        self._lock = threading.Lock()

    def of(self, leaf: int) -> Progress:
        def called(there: int, of: int) -> None:
            with self._lock:
                self._there[leaf] = there
                if self._progress:
                    self._progress(sum(self._there.values()), of * self._leaves)
        return called

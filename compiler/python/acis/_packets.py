"""Packets to a handler in a switch that keeps what it is given: each can be repeated, and its answer begins with its tag.

A packet begins with {kind, version, tag}; {0, version, tag, first float, floats} is stored in the handler's memory
(examples/gcn/store.h)."""
from __future__ import annotations

import itertools
import secrets
import typing

import numpy

from acis._arrays import Array
from acis._errors import Error

if typing.TYPE_CHECKING:
    from acis import client

DATAGRAM = 65507  #: bytes of payload at most
SWITCH_MEMORY = 2**30  #: that acisd gives a handler
HEAD_WORDS = 16
#: Called with the bytes that are there, and with all.
Progress = typing.Callable[[int, int], None]
_FILL_PACKETS = 128  #: between two calls of `progress`
#: What a handler of acis.gcn says with an answer of so many words.
LOST = {8: "the switch has lost its dense rows, says the answer to packet {packet} (has the handler trapped, or has another host "
           "loaded it?); do it again"}


def new_version() -> int:
    """One that another host's packets do not name, and with room for as many behind it."""
    return secrets.randbelow(2**31 - 1) + 1


class Held:
    """What of an image is in a handler's memory."""

    def __init__(self) -> None:
        self.version = new_version()
        self.floats = -1  #: the first ones; -1: the version has not begun


def fill(handler: client.Handler, image: Array, packet_bytes: int, deadline: float, tries: int, progress: Progress | None = None,
         refusals: typing.Mapping[int, str] = LOST, held: Held | None = None) -> int:
    """Streams floats into the handler's memory, in parts, each of which goes on where it was when a packet was lost. Gives
    their version, which sums have to name. The handler forgets it when the floats may be gone. `held` is what an earlier call
    for the same image got done, and is kept up to date."""
    held = held or Held()
    most = (packet_bytes // 64 - 1) * 16  #: floats of a packet, whole beats
    if held.floats < 0:
        stream(handler, [head(0, held.version, 0, 0, 0)], [0], deadline, tries, refusals)
        held.floats = 0
    while held.floats < len(image):
        packets = []
        for start in range(held.floats, len(image), most)[:_FILL_PACKETS]:
            part = image[start:start + most]
            packets.append(numpy.concatenate([head(0, held.version, 0, start, len(part)), part.view("u4")]))
        stream(handler, packets, [0] * len(packets), deadline, tries, refusals)
        held.floats = min(len(image), held.floats + most * len(packets))
        if progress:
            progress(held.floats * 4, image.nbytes)
    return held.version


def head(*words: int) -> Array:
    """The first words of a packet, and zeros."""
    head = numpy.zeros(HEAD_WORDS, "u4")
    head[:len(words)] = words
    return head


def stream(handler: client.Handler, packets: list[Array], answer_bytes: list[int], deadline: float, tries: int,
           refusals: typing.Mapping[int, str] = LOST) -> list[Array]:
    """The answers to packets through a switch. All have the length of the longest, as a handler takes what
    it needs of its packet. An answer to a packet is the same every time, so one that is lost, or is that of another packet,
    as its tag says, is asked for again, `tries` times without a new one. `refusals` are what answers say that end after
    so many words of the tag."""
    from acis import client
    length = max(packet.nbytes for packet in packets)
    content = numpy.zeros((len(packets), length // 4), "u4")
    for row, packet in zip(content, packets):
        row[:len(packet)] = packet
    tags = numpy.array([next(_tags) % (2**32 - 1) + 1 for _ in packets], "u4")
    content[:, 2] = tags
    ends = numpy.cumsum(answer_bytes) // 4 + 16 * numpy.arange(1, len(packets) + 1)
    # Room behind the last one, for answers of others.
    out = numpy.zeros(int(ends[-1]) + 16384, "f4")
    done = failed = 0
    while done < len(packets):
        at = int(ends[done - 1]) if done else 0
        lost: client.Failure | None = None
        try:
            got = handler.stream(content[done:], length, out=out[at:], deadline=deadline).nbytes // 4
        except client.Failure as problem:
            if problem.code not in ("lost", "no-room"):
                raise
            lost, got = problem, 0
            if problem.packet:
                got = int(ends[done + problem.packet - 1]) - at
        before = done
        done = _right(out.view("u4")[:at + got], tags, ends, done, refusals)
        failed = 0 if done > before else failed + 1
        if failed >= tries:
            raise lost or Error(f"packet {done} has been answered with something else; is another handler there?")
    return [out[end - size // 4:end] for size, end in zip(answer_bytes, ends.tolist())]


_tags = itertools.count(secrets.randbelow(2**31))


def _right(answers: Array, tags: Array, ends: Array, done: int, refusals: typing.Mapping[int, str]) -> int:
    """How many answers are there, those before `done` among them, and of their packets."""
    while done < len(tags):
        at = int(ends[done - 1]) if done else 0
        words = answers[at:at + HEAD_WORDS]
        same = int(numpy.argmin(numpy.append(words == tags[done], False)))
        if same in refusals:
            raise Error(refusals[same].format(packet=done))
        if int(ends[done]) > len(answers) or same < HEAD_WORDS:
            break
        done += 1
    return done

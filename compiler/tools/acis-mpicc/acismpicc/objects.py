"""Reads what a linker was given: ELF objects, archives, and its own list of them.

Every byte is of somebody else: a file that is not well formed gives no more than it has, never
an exception, and never more work than its length.
"""
import mmap
import os
import re
import struct

NOBITS, SYMTAB, DYNSYM = 8, 2, 11
UNDEFINED = 0
GLOBAL, WEAK = 1, 2


class Object:
    """One ELF object of 64 bits, little-endian; `is_elf` says whether it is one."""

    def __init__(self, data):
        self.data = data
        self.sections = []  # (name, type, link, bytes)
        self.is_elf = len(data) >= 64 and bytes(data[:6]) == b"\x7fELF\x02\x01"
        if self.is_elf:
            self._read()

    def _part(self, offset, size):
        whole = offset <= len(self.data) and size <= len(self.data) - offset
        return self.data[offset:offset + size] if whole else b""

    def _read(self):
        start, = struct.unpack_from("<Q", self.data, 0x28)
        each, count, names = struct.unpack_from("<HHH", self.data, 0x3A)
        if each != 64:
            return
        if count == 0:  # more than its field can say: in the first section's size
            first = self._part(start, 64)
            count = struct.unpack_from("<Q", first, 32)[0] if len(first) == 64 else 0
        heads = []
        for i in range(min(count, len(self.data) // 64)):
            head = self._part(start + 64 * i, 64)
            if len(head) < 64:
                break
            heads.append(struct.unpack("<IIQQQQIIQQ", head))
        texts = self._part(*heads[names][4:6]) if names < len(heads) else b""
        for head in heads:
            data = b"" if head[1] == NOBITS else self._part(*head[4:6])
            self.sections.append((text_at(texts, head[0]), head[1], head[6], data))

    def section(self, name):
        """The bytes of the section of that name; None: there is none."""
        return next((bytes(s[3]) for s in self.sections if s[0] == name), None)

    def defines(self):
        """Names of functions and variables that other files see."""
        names = set()
        for _, kind, link, data in self.sections:
            if kind not in (SYMTAB, DYNSYM) or link >= len(self.sections):
                continue
            texts = self.sections[link][3]
            for name, info, _, section, _, _ in struct.iter_unpack(
                    "<IBBHQQ", data[:len(data) // 24 * 24]):
                if section != UNDEFINED and info >> 4 in (GLOBAL, WEAK):
                    names.add(text_at(texts, name))
        return names


def text_at(texts, offset):
    """A name of a table; no name is longer than 4096 bytes."""
    piece = bytes(texts[offset:offset + 4096])
    return piece[:piece.find(b"\0")].decode("utf-8", "replace") if b"\0" in piece else ""


def load(path):
    """The bytes of a file; empty if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if os.fstat(
                file.fileno()).st_size else b""
    except (OSError, ValueError):
        return b""


def members(data):
    """Members of an archive: [(name, offset, size)]; those of a thin one are files, not members."""
    found, at, names = [], 8, b""
    if bytes(data[:8]) != b"!<arch>\n":
        return found
    while at + 60 <= len(data):
        head = bytes(data[at:at + 60])
        size = head[48:58].strip()
        if head[58:] != b"`\n" or not size.isdigit():
            break
        name, start, size = head[:16].rstrip(), at + 60, int(size)
        if size > len(data) - start:
            break
        if name == b"//":
            names = bytes(data[start:start + size])
        elif name[:1] == b"/" and name[1:].isdigit():  # at this place of the table of long names
            rest = names[int(name[1:]):]
            found.append((rest[:rest.find(b"\n")].rstrip(b"/").decode("utf-8", "replace"), start,
                          size))
        elif name not in (b"/", b"/SYM64/"):
            found.append((name.rstrip(b"/").decode("utf-8", "replace"), start, size))
        at = start + size + size % 2
    return found


class Input:
    """What the linker took: a file, or a member of an archive."""

    def __init__(self, path, member=""):
        self.path, self.member = path, member
        data = load(path)
        if member:
            places = [data[at:at + size] for name, at, size in members(data) if name == member]
            # Of two with one name nothing says which of them it was.
            data = places[0] if len(places) == 1 else b""
        self.object = Object(data)

    @property
    def name(self):
        return f"{self.path}({self.member})" if self.member else self.path


def traced(line):
    """(path, member) of a line of the linker's --trace; None: the line is something else.

    GNU's ld writes `(libx.a)member.o`, gold and lld `libx.a(member.o)`.
    """
    line = line.rstrip("\n")
    for shape in (r"\((?P<path>.+)\)(?P<member>[^()]+)", r"(?P<path>.+)\((?P<member>[^()]+)\)"):
        if (match := re.fullmatch(shape, line)) and os.path.isfile(match["path"]):
            return match["path"], match["member"]
    return (line, "") if os.path.isfile(line) else None

#!/usr/bin/env python3
"""The memory of a board (acis_board_memory.sv) as lines of hexadecimal digits, a beat each: the pattern that a
design is routed with, and what takes its place: the table by which registers are set up (acis_board_setup.sv),
the program that acis-image writes, and the handler's memory.

usage: image.py PROGRAM.bin --bytes 16 --ports 1 [--port 9000] -o memory.hex
"""
import argparse
import pathlib
import re
import sys

RTL = pathlib.Path(__file__).resolve().parents[1]
SIZE = 65536              # bytes of memory if nothing else is said: acis_board's MemoryBeats
PAGE = 4096               # the program and the handler's memory begin at a multiple of it
END = 1 << 31             # an entry that waits for the end of a run
HANDLE, SWAP = 1, 4       # RegMode
START, CONTINUE = 1, 16   # RegControl


def registers():
    """Addresses of the shell's registers by name."""
    text = (RTL.parents[2] / "backend/isa/Shell.td").read_text()
    return {name: int(at, 16) for name, at in re.findall(r"def (Reg\w+) : Constant<0x([0-9a-f]+),", text)}


def lines(memory, beat_bytes):
    """Of a memory's bytes; what is at the lowest address is the rightmost digit of a beat."""
    return "".join(memory[at:at + beat_bytes][::-1].hex() + "\n" for at in range(0, len(memory), beat_bytes))


def pattern(size):
    """The bytes of a memory without an image."""
    mask, words = (1 << 32) - 1, []
    for number in range(size // 4):
        mixed = (number + 1) * 0x9e3779b1 & mask
        mixed = (mixed ^ mixed >> 15) * 0x85ebca77 & mask
        words.append(mixed ^ mixed >> 13)
    return b"".join(word.to_bytes(4, "little") for word in words)


def setup(beat_bytes, ports, port, data_at, data_bytes):
    """The table: registers, a start, and another one whenever a run has ended."""
    at = registers()
    writes = [(at["RegGlobal"], 1), (at["RegEnable"], 1), (at["RegMode"], HANDLE | SWAP), (at["RegPort"], port),
              (at["RegMemory"], data_bytes), (at["RegBase"], PAGE)]
    writes += [(at["RegBase"] + 12 * place, data_at) for place in range(1, ports + 1)]
    again = len(writes)
    writes += [(at["RegControl"], START), (END, 0), (at["RegPending"], 1), (at["RegControl"], CONTINUE)]
    table = b""
    for entry, (register, value) in enumerate(writes):
        after = entry + 1 if entry + 1 < len(writes) else again
        table += (register | after << 16).to_bytes(4, "little") + value.to_bytes(4, "little") + bytes(beat_bytes - 8)
    return table


def image(program, beat_bytes, ports, port, size=SIZE):
    """The bytes of a memory with a program; `ports` are those of the shell. Raises ValueError if it is too large."""
    data_at = PAGE + -(-len(program) // PAGE) * PAGE
    if data_at >= size:
        raise ValueError(f"found a program of {len(program)} bytes, allowed are {size - 2 * PAGE}; let the handler "
                         "have fewer or shorter loops")
    table = setup(beat_bytes, ports, port, data_at, size - data_at)
    return (table.ljust(PAGE, b"\0") + program).ljust(size, b"\0")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--bytes", type=int, required=True, metavar="N", help="of a beat")
    parser.add_argument("--ports", type=int, required=True, metavar="N", help="of the shell to memory")
    parser.add_argument("--port", type=int, default=9000, help="UDP port of the handler, 0: any")
    parser.add_argument("-o", type=pathlib.Path, required=True, metavar="FILE")
    args = parser.parse_args()
    try:
        args.o.write_text(lines(image(args.program.read_bytes(), args.bytes, args.ports, args.port), args.bytes))
    except (OSError, ValueError) as error:
        sys.exit(f"error: {args.program}: {error}")


if __name__ == "__main__":
    sys.exit(main())

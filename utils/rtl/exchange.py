"""Exchange of what block memories of a routed ECP5 design begin with.

A memory is routed with a pattern of which no 512 bits in one column occur twice (board/image.py). However synthesis laid it
out in blocks, a column of 512 of its words is every n-th bit of some block, n being the width of the block's port; there the
column of what takes its place is put. Each has to be found once, so nothing stays behind.
"""
import re

DEPTH = 512   # words of a block at its widest
# Widths of a block's port; those below nine leave a parity bit out of each word of nine.
WIDTHS = ((1, 8), (2, 8), (4, 8), (9, 9), (18, 9), (36, 9))
BITS = [format(word, "09b")[::-1] for word in range(512)]
RAM = re.compile(r"(?ms)^(\.bram_init \d+\n)(.*?)(?=^\.|^\n|\Z)")


def columns(lines):
    """The columns of a memory, DEPTH words each, of lines of hexadecimal digits, one a word."""
    width = 4 * len(lines[0])
    text = "".join(format(int(line, 16), f"0{width}b") for line in lines)
    return [text[at + bit:at + width * DEPTH:width] for at in range(0, len(text), width * DEPTH) for bit in range(width)]


def places(width, bits):
    """The columns of a block with this width of port, as slices of its bits."""
    return [slice(base + bit, base + width * DEPTH, width) for base in range(0, bits, width * DEPTH) for bit in range(width)]


def flat(words, used):
    """The bits of a block, the lowest one of each word first."""
    return "".join(BITS[word][:used] for word in words)


def exchanged(words, instead, found):
    """The words of a block, of nine bits, with what takes the place of columns in it; `found` counts these."""
    texts = {used: flat(words, used) for _, used in WIDTHS}
    for width, used in WIDTHS:
        text = texts[used]
        here = [place for place in places(width, len(text)) if text[place] in instead]
        if not here:
            continue
        bits = list(text)
        for place in here:
            found[text[place]] = found.get(text[place], 0) + 1
            bits[place] = instead[text[place]]
        return [word >> used << used | int("".join(bits[at:at + used][::-1]), 2)
                for word, at in zip(words, range(0, len(bits), used))]
    return words


def exchange(config, pattern, memory):
    """The text of a routed design with `memory` in the place of `pattern`, both lists of lines of hexadecimal digits.
    Raises ValueError if a column of the pattern is not there once."""
    instead = dict(zip(columns(pattern), columns(memory)))
    found = {}

    def block(match):
        words = [int(word, 16) for word in match[2].split()]
        after = exchanged(words, instead, found)
        if after == words:
            return match[0]
        rows = (" ".join(format(word, "03x") for word in after[at:at + 8]) for at in range(0, len(after), 8))
        return match[1] + "\n".join(rows) + "\n"
    text = RAM.sub(block, config)
    if len(found) != len(instead) or any(count != 1 for count in found.values()):
        raise ValueError(f"found {len(found)} of {len(instead)} columns of the board's memory, "
                         f"{sum(count > 1 for count in found.values())} more than once")
    return text

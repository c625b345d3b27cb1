"""Shapes of random handlers that read and write arrays in place: in turn, by an element that stands still
while all others pass, from both ends, rows of which one changes all others.

Used by fuzz-handlers.py.
"""
from handlergen import SIZE, constant, seen
from handlershapes import Shapes, head


class Meets(Shapes):
    def meets(self):
        return self.line() if self.rng.random() < 0.5 else self.plane()

    def loaded(self, t, count):
        """The start of a handler, which fills the arrays a and b with `count` elements each."""
        text = head(t, t, "uint32_t") + f"  {'static ' * (self.rng.random() < 0.2)}{t} a[{count}], b[{count}];\n"
        text += f"  for (int i = 0; i < {count}; i++)\n    a[i] = in[i];\n  for (int i = 0; i < {count}; i++)\n    b[i] = in[{count} + i];\n"
        return text

    def sent(self, text, t, count, more=()):
        for array in "ab":
            text += f"  for (int i = 0; i < {count}; i++)\n    acis_push(out, {array}[i]);\n"
        text += "".join(f"  acis_push(out, {seen(t, one)});\n" for one in more)
        text += f"  *len = {(2 * count + len(more)) * SIZE[t]};\n}}\n"
        return self.program("meets", text, t, "uint32_t", fixed=2 * count)

    def body(self, t, place, written, pad):
        """Statements that each write one place, some under a condition."""
        rng, text = self.rng, ""
        for _ in range(rng.choice([1, 1, 2, 3])):
            reads = [(f"{rng.choice('aab')}[{place()}]", t) for _ in range(rng.choice([1, 2, 2, 3]))]
            guard = f"if ({self.e.condition(reads, 1)})\n{pad}  " if rng.random() < 0.2 else ""
            text += f"{pad}{guard}{rng.choice('aab')}[{written()}] = {seen(t, self.e.make(t, reads, self.depth))};\n"
            if rng.random() < 0.1:
                text += f"{pad}s = {seen(t, self.e.make(t, reads + [('s', t)] * 2, 1))};\n"
        return text

    def line(self):
        rng, t = self.rng, self.type()
        self.e.types = [t]
        count = rng.choice([16, 33, 40, 64])
        low, high = rng.choice([0, 0, 0, 1, 2, 16]), rng.choice([0, 0, 1, 16])
        if low + high >= count:
            low = high = 0
        moving = ["i"] * 4 + [f"i - {d}" for d in (1, 2, 16) if d <= low] + [f"i + {d}" for d in (1, 16) if d <= high]
        still = [str(rng.randrange(count)) for _ in range(3)] + ["k"]
        other = [f"{count} - 1 - i", "i / 2", f"(i * 3) % {count}"]

        if rng.random() < 0.5:  # what lanes can do, but for the elements that stand still
            low = high = 0
            moving, other = ["i"], ["i"]

        def place():
            return rng.choice(rng.choice([moving] * 4 + [still] * 3 + [other]))

        def written():
            return "i" if len(moving) == 1 else place()

        text = self.loaded(t, count) + f"  uint32_t k = mem[0] % {count};\n  {t} s = {constant(rng, t)};\n"
        for _ in range(rng.choice([1, 1, 2])):
            step = rng.choice(["i++", "i++", "i++", "i += 2"])
            loop = f"for (int i = {low}; i < {count - high}; {step})"
            if rng.random() < 0.15:
                loop = f"for (int i = {count - high - 1}; i >= {low}; i--)"
            text += f"  {loop} {{\n" + self.body(t, place, written, "    ") + "  }\n"
        return self.sent(text, t, count, ["s"])

    def plane(self):
        rng, t = self.rng, self.type()
        self.e.types = [t]
        rows, columns = rng.choice([(4, 8), (4, 16), (8, 8), (3, 32), (8, 16)])
        around = rng.random() < 0.4  # a loop over the row, or column, by which the others are changed
        lanes = columns % 16 == 0 and rng.random() < 0.6
        least = min(rows, columns)
        row = ["r"] * 4 + [str(rng.randrange(rows))] + ["p"] * (3 * around) + [f"(r + 1) % {rows}"]
        column = ["c"] * 4 + [str(rng.randrange(columns))] * 2 + ["p"] * (3 * around) + ["k"]

        def place():
            if not lanes and rows == columns and rng.random() < 0.1:
                return f"c * {columns} + r"
            return f"({rng.choice(row)}) * {columns} + {rng.choice(column)}"

        def written():
            return f"({rng.choice(row)}) * {columns} + c" if lanes else place()

        text = self.loaded(t, rows * columns) + f"  uint32_t k = mem[0] % {columns};\n  {t} s = {constant(rng, t)};\n"
        pad = "  "
        if around:
            text += f"{pad}for (int p = 0; p < {least}; p++)\n"
            pad += "  "
        first = rng.choice(["0", "0", "p + 1"]) if around else "0"
        loops = [f"for (int r = {first}; r < {rows}; r++)", f"for (int c = {'0' if lanes else rng.choice(['0', '0', first])}; c < {columns}; c++)"]
        if not lanes and rng.random() < 0.2:
            loops.reverse()
        text += f"{pad}{loops[0]}\n{pad}  {loops[1]} {{\n" + self.body(t, place, written, pad + "    ") + f"{pad}  }}\n"
        return self.sent(text, t, rows * columns, ["s"])

    def single(self):
        return super().single() if self.rng.random() < 0.93 else self.meets()

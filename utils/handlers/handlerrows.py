"""Shapes of random handlers whose nests are imperfect: code before and after the inner loop,
rows of a length that comes with the data, single elements and floats between loops.

Used by fuzz-handlers.py.
"""
from handlercounts import Counts
from handlergen import SIZE, constant, is_float, numbers, seen
from handlershapes import head


class Rows(Counts):
    def row(self):
        """One loop over rows with work before, in and after the loop along a row."""
        rng, t, u, m = self.rng, self.type(), self.type(), self.type()
        rows, columns = rng.choice([2, 3, 5, 8]), rng.choice([3, 4, 7, 8, 16, 20, 40])
        source = rng.choice(["array", "array", "stream", "memory"])
        static = rng.random() < 0.3
        text = f"static {u} q[{rows}];\n" if static else ""
        text += head(t, u, m) + ("" if static else f"  {u} q[{rows}];\n") + f"  {t} b[{columns}];\n"
        taken, a = 0, m if source == "memory" else t
        if source == "array":
            text += f"  {t} a[{rows}][{columns}];\n" + self.filled("a", t, rows, columns, "0")
            taken = rows * columns
        text += f"  for (int c = 0; c < {columns}; c++)\n    b[c] = in[{taken} + c];\n"
        taken += columns
        if not static:
            text += f"  for (int r = 0; r < {rows}; r++)\n    q[r] = {constant(rng, u)};\n"
        carried = rng.random() < 0.4
        text += f"  {u} v = {constant(rng, u)};\n" if carried else ""
        outside = [("v", u)] if carried else []
        env = outside + [("r", "int32_t")] * (rng.random() < 0.2)
        text += f"  for (int r = 0; r < {rows}; r++) {{\n"
        begin = rng.choice(["constant", "array", "value"])
        first = {"constant": constant(rng, u), "array": "q[r]"}.get(begin) or self.e.make(u, env + [("q[r]", u)], 1)
        text += f"    {u} s = {first};\n"
        if rng.random() < 0.3:
            text += f"    q[r] = {self.e.make(u, env + [('s', u)], 1)};\n"
        element = {"array": "a[r][c]", "memory": f"mem[r * {columns} + c]", "stream": f"in[{taken} + r * {columns} + c]"}[source]
        inside = outside + [("x", a), ("b[c]", t)]
        text += f"    for (int c = 0; c < {columns}; c++) {{\n      {a} x = {element};\n"
        text += self.update("s", u, inside, "      ")
        if rng.random() < 0.3:
            text += f"      b[c] = {self.e.make(t, inside + [('s', u)], 1)};\n"
        if source == "array" and rng.random() < 0.2:
            text += f"      a[r][c] = {self.e.make(t, inside, 1)};\n"
        last = rng.random() < 0.2
        text += "      z = x;\n" if last else ""
        text += "    }\n"
        text = text.replace(f"    {u} s = ", f"    {a} z = {constant(rng, a)};\n    {u} s = ", 1) if last else text
        after = env + [("s", u)] * 2 + ([("z", a)] if last else [])
        if rng.random() < 0.5:
            text += f"    q[r] = {self.e.make(u, after + [('q[r]', u)], 1)};\n"
        if carried:
            text += self.update("v", u, after, "    ")
        sent = rng.random() < 0.5
        text += f"    out[r] = {seen(u, self.e.make(u, after, 1))};\n" if sent else ""
        text += "  }\n"
        o = rows if sent else 0
        text += f"  for (int r = 0; r < {rows}; r++)\n    out[{o} + r] = {seen(u, 'q[r]')};\n"
        text += f"  out[{o + rows}] = {seen(u, 'v')};\n" if carried else ""
        taken += rows * columns if source == "stream" else 0
        return self.program("row", text + f"  *len = {o + rows + carried} * {SIZE[u]};\n}}\n", t, m, fixed=taken)

    def ragged(self):
        """Rows whose lengths are in an array, in the memory, or in front of each row."""
        rng, t, u = self.rng, "uint32_t", self.type()
        rows, where = rng.choice([1, 3, 6]), rng.choice(["array", "memory", "stream"])
        lengths = [rng.choice([0, 1, 2, 5, 16, 17, rng.randrange(40)]) for _ in range(rows)]
        text = head(t, u, t) + "  uint32_t at = 0;\n"
        if where == "array":
            text += f"  uint32_t length[{rows}];\n  for (int r = 0; r < {rows}; r++)\n    length[r] = in[r];\n  at = {rows};\n"
        text += f"  {u} v = {constant(rng, u)};\n  for (int r = 0; r < {rows}; r++) {{\n    {u} s = {constant(rng, u)};\n"
        size = {"array": "length[r]", "memory": "mem[r]", "stream": "in[at]"}[where]
        text += f"    uint32_t n = {size};\n" + ("    at++;\n" if where == "stream" else "")
        text += f"    for (uint32_t k = 0; k < n; k++) {{\n      uint32_t x = in[at];\n      at++;\n"
        text += self.update("s", u, [("x", t)], "      ") + "    }\n"
        text += self.update("v", u, [("s", u)], "    ")
        text += f"    out[r] = {seen(u, self.e.make(u, [('s', u), ('v', u)], 1))};\n  }}\n  *len = {rows} * {SIZE[u]};\n}}\n"
        packet = b"".join(n.to_bytes(4, "little") for n in lengths) if where == "array" else b""
        for n in lengths:
            packet += n.to_bytes(4, "little") if where == "stream" else b""
            packet += numbers(rng, t, n, "any")
        packet += numbers(rng, t, 1, "any")
        program = self.program("ragged", text, t, t, packet=packet, size=len(packet))
        if where == "memory":
            program.memory = b"".join(n.to_bytes(4, "little") for n in lengths) + program.memory[4 * rows:]
        return program

    def steps(self):
        """Floats and single elements between loops, and control code that depends on them."""
        rng, t, m = self.rng, self.type(), self.integer_type()
        size = rng.choice([4, 16, 33])
        static = rng.random() < 0.4
        text = f"static {t} a[{size}];\n" if static else ""
        text += head(t, t, m) + ("" if static else f"  {t} a[{size}];\n")
        text += f"  for (int i = 0; i < {size}; i++)\n    a[i] = in[i];\n  {t} v = {constant(rng, t)};\n"
        rounds = rng.choice([1, 2, 4])
        text += f"  uint32_t at = (uint32_t)mem[0] % {size}, o = 0;\n  for (uint32_t j = 0; j < {rounds}; j++) {{\n"
        env = [("v", t), ("a[at]", t), (f"a[{rng.randrange(size)}]", t)]
        for _ in range(rng.choice([1, 2, 3])):
            kind = rng.choice(["value", "store", "branch", "send", "move"])
            if kind == "value":
                text += self.update("v", t, env, "    ")
            elif kind == "store":
                text += f"    a[{rng.choice(['at', str(rng.randrange(size))])}] = {self.e.make(t, env, self.depth)};\n"
            elif kind == "branch":
                text += f"    if ({self.e.condition(env, 1)})\n      a[at] = {self.e.make(t, env, 1)};\n"
            elif kind == "send":
                text += f"    out[o] = {seen(t, self.e.make(t, env, 1))};\n    o++;\n"
            else:
                text += f"    at = (at + {rng.choice(['j', '3', '(uint32_t)mem[j + 1]'])}) % {size};\n"
        text += "  }\n"
        text += f"  for (int i = 0; i < {size}; i++)\n    out[o + i] = {seen(t, 'a[i]')};\n"
        return self.program("steps", text + f"  *len = (o + {size}) * {SIZE[t]};\n}}\n", t, m, fixed=size)

    def single(self):
        more = [self.row] * 3 + [self.ragged, self.steps]
        return super().single() if self.rng.random() < 0.75 else self.rng.choice(more)()

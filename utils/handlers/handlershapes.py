"""The shapes of random handlers: which loops there are and what they access.

Used by fuzz-handlers.py. A shape is a function that returns a Program.
"""
from dataclasses import dataclass

from handlergen import FLOATS, INTS, PRELUDE, SIZE, Expressions, constant, is_float, numbers, seen, unsigned


@dataclass
class Program:
    shape: str
    source: str
    packet: bytes  # all packets
    packet_bytes: int  # of each but the last one
    memory: bytes
    handler: str = "handler"  # the one that runs
    suffix: str = ".c"


def head(in_type, out_type, mem_type):
    return (f"ACIS_HANDLER void handler(const {in_type} *restrict in, {out_type} *restrict out,\n"
            f"                          {mem_type} *restrict mem, uint32_t *len) {{\n")


class Shapes:
    def __init__(self, rng, vpes=16, lanes=16):
        """Of the overlay: how much a packet for all VPEs holds; the source is the same."""
        self.rng, self.lanes, self.slice = rng, lanes, max(vpes, 16) * max(lanes, 16)
        family = rng.choice([INTS, FLOATS, INTS + FLOATS, ["int32_t", "uint32_t"], ["float"], ["float", "int32_t"], ["int8_t", "int32_t"]])
        self.types = rng.sample(family, min(len(family), rng.choice([1, 1, 2, 3])))
        self.e = Expressions(rng, self.types)
        self.depth = rng.choice([1, 2, 2, 3])

    def type(self):
        return self.rng.choice(self.types)

    def program(self, shape, body, in_type, mem_type, fixed=0, packet=None, size=0):
        """fixed: elements that every packet must have (0: any length goes)."""
        rng = self.rng
        if packet is None:
            if fixed:
                size = (fixed + rng.choice([0, 0, 1, 5])) * SIZE[in_type]
                count = rng.choice([1, 2, 3])
            else:
                size = rng.choice([0, 1, 3, 15, 16, 17, rng.randrange(1, 200), rng.randrange(1, 200)]) * SIZE[in_type]
                size += rng.choice([0, 0, 1, SIZE[in_type] - 1])
                size, count = max(size, 1), rng.choice([1, 1, 2, 4])
            total = size * count + (0 if fixed else rng.choice([0, 1, SIZE[in_type] * 3]))
            packet = numbers(rng, in_type, total // SIZE[in_type] + 1)[:total]
        return Program(shape, PRELUDE + body, packet, size, numbers(rng, mem_type, 4096))

    def count(self, in_type):
        return f"  uint32_t n = *len / {SIZE[in_type]};\n"

    def operands(self, t, m, env, pad):
        """Reads of an iteration; extends env."""
        lines = f"{pad}{t} x = in[i];\n"
        env.append(("x", t))
        if self.rng.random() < 0.4:
            offset = self.rng.choice(["", "", " + 5", " + 1000"])
            lines += f"{pad}{m} m = mem[i{offset}];\n"
            env.append(("m", m))
        if self.rng.random() < 0.15:
            env.append(("i", "uint32_t"))
        return lines

    def invariants(self, m, env):
        lines = ""
        for _ in range(self.rng.choice([0, 0, 1, 2])):
            name = self.e.fresh("k")
            lines += f"  {m} {name} = mem[{self.rng.randrange(50)}];\n"
            env.append((name, m))
        return lines

    def elementwise(self):
        rng, t, u, m = self.rng, self.type(), self.type(), self.type()
        env = []
        text = head(t, u, m) + self.count(t) + self.invariants(m, env)
        text += f"  for ({rng.choice(['uint32_t', 'uint32_t', 'int32_t', 'size_t'])} i = 0; i < n; i++) {{\n"
        popped = rng.random() < 0.2
        if popped:
            text += f"    {t} x = acis_pop(in);\n"
            env.append(("x", t))
        else:
            text += self.operands(t, m, env, "    ")
        text += "".join(l + "\n" for l in self.e.statements(env, rng.choice([0, 1, 2]), self.depth, "    "))
        result = seen(u, self.e.make(u, env, self.depth))
        text += f"    acis_push(out, {result});\n" if popped else f"    out[i] = {result};\n"
        if rng.random() < 0.2:
            text += f"    mem[i + 2000] = {seen(m, self.e.make(m, env, 1))};\n"
        return self.program("elementwise", text + f"  }}\n  *len = n * {SIZE[u]};\n}}\n", t, m)

    def exchange(self):
        """Memory that is read and then written, with values that may have nothing to do with it."""
        rng, t, u, m = self.rng, self.type(), self.type(), self.type()
        env = []
        text = head(t, u, m) + self.count(t) + self.invariants(m, env)
        place = f"{rng.choice(['', '', '2 * ', '3 * '])}i + {rng.choice([0, 0, 3, 64])}"
        count = rng.choice(["n", "n", "n", "(n < 8 ? n : 8)"])
        text += f"  for (uint32_t i = 0; i < {count}; i++) {{\n    {t} x = in[i];\n"
        env.append(("x", t))
        text += f"    {m} m = mem[{place}{rng.choice(['', '', ' + 1', ' + 2', ' + 17'])}];\n"
        both = env + [("m", m)]
        again = rng.random() < 0.3
        if again:  # written first, perhaps, and read behind it
            both.append((f"mem[{place}{rng.choice(['', '', '', ' - 1', ' + 1']) if 'i + 0' not in place else ''}]", m))
            text += f"    {'if (x > 3) ' * (rng.random() < 0.4)}mem[{place}] = {seen(m, self.e.make(m, env, 1))};\n"
        text += f"    out[i] = {seen(u, self.e.make(u, both + both[-1:] * 3 * again, self.depth))};\n"
        if not again:
            text += f"    mem[{place}] = {seen(m, self.e.make(m, rng.choice([env, env, both]), rng.choice([0, 1, 2])))};\n"
        return self.program("exchange", text + f"  }}\n  *len = {count} * {SIZE[u]};\n}}\n", t, m)

    def window(self):
        rng, t, m = self.rng, self.type(), self.type()
        taps, env = rng.randrange(1, 6), []
        text = head(t, t, m) + self.count(t) + self.invariants(m, env)
        for k in range(taps):
            text += f"  {t} w{k} = {rng.choice(['0', '0', constant(rng, t)])};\n"
        text += "  for (uint32_t i = 0; i < n; i++) {\n" + self.operands(t, m, env, "    ")
        env += [(f"w{k}", t) for k in range(taps)]
        body = "".join(f"    {l.strip()}\n" for l in self.e.statements(env, rng.choice([0, 1]), self.depth, ""))
        body += f"    out[i] = {seen(t, self.e.make(t, env, self.depth + 1))};\n"
        shift = "".join(f"    w{k} = w{k - 1};\n" for k in range(taps - 1, 0, -1)) + "    w0 = x;\n"
        text += shift + body if rng.random() < 0.5 else body + shift
        return self.program("window", text + f"  }}\n  *len = n * {SIZE[t]};\n}}\n", t, m)

    def step(self, name, u, env, pad):
        """One reduction step of the accumulator."""
        rng, value = self.rng, self.e.make(u, env, self.depth)
        kind = rng.choice(["+", "+", "-", "^", "&", "|", "<", ">", "if", "*"])
        if kind in "<>":
            v = self.e.fresh()
            return f"{pad}{u} {v} = {value};\n{pad}{name} = {v} {kind} {name} ? {v} : {name};\n"
        plus = f"{name} = ({u})(({unsigned(u)}){name} {'+' if kind == 'if' else kind} ({unsigned(u)})({value}));\n"
        return f"{pad}if ({self.e.condition(env, 1)})\n{pad}  {plus}" if kind == "if" else pad + plus

    def reduction(self):
        rng, t, m = self.rng, self.type(), self.type()
        ints = [u for u in self.types if not is_float(u)]
        rows = rng.choice([0, 0, 4, 7, 16, 20])
        env, floats = [], not ints or rng.random() < 0.3
        u = ("double" if "double" in self.types and rng.random() < 0.5 else "float") if floats else rng.choice(ints)
        text = head(t, u, m) + self.count(t) + self.invariants(m, env)
        pad, names, start, index = "  ", [], "", "i"
        if rows:
            text += f"  n = n / {rows};\n  for (uint32_t r = 0; r < n; r++) {{\n"
            pad, index = "    ", f"r * {rows} + i"
        for k in range(1 if rows or floats else rng.choice([1, 2, 3])):
            names.append(f"s{k}")
            if floats:
                text += f"{pad}acis_sum_{'f64' if u == 'double' else 'f32'} s{k} = {{0}};\n"
            else:
                text += f"{pad}{u} s{k} = {rng.choice(['0', constant(rng, u), 'mem[3]' if u == m else '0'])};\n"
        text += f"{pad}for (uint32_t i = 0; i < {rows or 'n'}; i++) {{\n"
        text += self.operands(t, m, env, pad + "  ").replace("in[i]", f"in[{index}]")
        text += "".join(l + "\n" for l in self.e.statements(env, rng.choice([0, 0, 1]), self.depth, pad + "  "))
        for name in names:
            if floats:
                text += f"{pad}  acis_sum_add(&{name}, small_{u}({self.e.make(u, env, self.depth)}));\n"
            else:
                text += self.step(name, u, env, pad + "  ")
        text += f"{pad}}}\n"
        for k, name in enumerate(names):
            result = f"acis_sum_get(&{name})" if floats else name  # cannot be a NaN
            text += f"{pad}out[{'r' if rows else k}] = {result};\n"
        text += "  }\n" if rows else ""
        return self.program("reduction", text + f"  *len = {'n' if rows else len(names)} * {SIZE[u]};\n}}\n", t, m)

    def lane_loop(self):
        rng, t, u, m = self.rng, self.type(), self.type(), self.type()
        width, env = rng.choice(["ACIS_LANES", "ACIS_LANES", "16", "8", "10", "5", "3", "32"]), []
        text = head(t, u, m) + self.count(t) + self.invariants(m, env)
        text += f"  n = n / {width};\n  for (uint32_t b = 0; b < n; b++)\n    for (uint32_t l = 0; l < {width}; l++) {{\n"
        text += f"      {t} x = in[b * {width} + l];\n"
        env.append(("x", t))
        if rng.random() < 0.4:
            text += f"      {m} m = mem[{rng.choice(['l', f'b * {width} + l', f'b * 64 + l', 'b'])}];\n"
            env.append(("m", m))
        env += [(k, "uint32_t") for k in "bl" if rng.random() < 0.15]
        text += "".join(l + "\n" for l in self.e.statements(env, rng.choice([0, 1]), self.depth, "      "))
        text += f"      out[b * {width} + l] = {seen(u, self.e.make(u, env, self.depth))};\n    }}\n"
        return self.program("lane loop", text + f"  *len = n * {width} * {SIZE[u]};\n}}\n", t, m)

    def array(self):
        """An array is filled (or kept, if static) and read, in rows of lanes."""
        rng, t, m = self.rng, self.type(), self.type()
        rows, lanes = rng.choice([1, 2, 4, 8]), rng.choice(["ACIS_LANES", "16"])
        static, flat = rng.random() < 0.5, rng.random() < 0.4
        at = f"a[r * {lanes} + l]" if flat else "a[r][l]"
        shape = f"{t} a[{rows} * {lanes}]" if flat else f"{t} a[{rows}][{lanes}]"
        loops = lambda body: (f"  for (uint32_t r = 0; r < {rows}; r++)\n    for (uint32_t l = 0; l < {lanes}; l++)"
                              f" {{\n{body}    }}\n")
        text = (f"static {shape};\n" if static else "") + head(t, t, m) + ("" if static else f"  {shape};\n")
        env, k = [("x", t)] + ([("y", t)] if static else []), rng.choice([1, 1, 2])
        body = f"      {t} x = in[r * {lanes} + l];\n" + (f"      {t} y = {at};\n" if static else "")
        text += loops(body + f"      {at} = {seen(t, self.e.make(t, env, self.depth))};\n")
        env = [("y", t), ("x", t)]
        row = rng.choice(["r", f"{rows - 1} - r", str(rows // 2), "mem[r * 3 + 1] & " + str(rows - 1)])
        if is_float(m) and "mem" in row:
            row = "r"
        other = at.replace("r * ", f"({row}) * ").replace("a[r]", f"a[{row}]")
        source = rng.choice(["mem", "in"])
        start = f"{rows} * {lanes} + " if source == "in" else ""
        x = f"in[{start}r * {lanes} + l]" if source == "in" else f"({t})mem[r * {lanes} + l]"
        if source == "mem" and is_float(m) and not is_float(t):
            x = at
        body = f"      {t} y = {other}, x = {x};\n"
        body += f"      out[r * {lanes} + l] = {seen(t, self.e.make(t, env, self.depth))};\n"
        text += loops(body) + f"  *len = {rows} * {lanes} * {SIZE[t]};\n}}\n"
        return self.program("array", text, t, m, fixed=rows * 16 * (2 if source == "in" else 1))

    def per_vpe(self):
        """Rows of every VPE, filled from memory or the stream, combined over the VPEs."""
        rng, t = self.rng, self.type()
        rows = rng.choice([1, 3, 4])
        env, turn = [("y", t), ("x", t)], rng.random() < 0.4
        text = f"ACIS_PER_VPE static {t} a[ACIS_VPES][{rows}][ACIS_LANES];\n" + head(t, t, t)
        every = lambda source, at: (f"  for (uint32_t p = 0; p < ACIS_VPES; p++)\n    for (uint32_t r = 0; r < {rows}; r++)\n"
                                f"      for (uint32_t l = 0; l < ACIS_LANES; l++)\n        {at}{source};\n")
        position = f"(p * {rows} + r) * ACIS_LANES + l"
        source = rng.choice([f"mem[{position}]", f"in[{position}]"])
        text += every(f" = {source}", "a[p][r][l]")
        if turn:
            text += every(f" = {seen(t, self.e.make(t, [('a[p][r][l]', t)], self.depth))}", f"out[{position}]")
            return self.program("per VPE", text + f"  *len = ACIS_VPES * {rows} * ACIS_LANES * {SIZE[t]};\n}}\n", t, t, fixed=rows * self.slice)
        text += f"  for (uint32_t r = 0; r < {rows}; r++)\n    for (uint32_t l = 0; l < ACIS_LANES; l++) {{\n"
        text += f"      {t} x = {rng.choice(['a[0][r][l]', constant(rng, t)])};\n"
        text += f"      for (uint32_t p = 1; p < ACIS_VPES; p++) {{\n        {t} y = a[p][r][l];\n"
        text += f"        x = {self.e.make(t, env, self.depth)};\n      }}\n"
        text += f"      out[r * ACIS_LANES + l] = {seen(t, 'x')};\n    }}\n"
        return self.program("per VPE", text + f"  *len = {rows} * ACIS_LANES * {SIZE[t]};\n}}\n", t, t, fixed=rows * self.slice)

    def scatter(self):
        """As GCN: word p of a beat says which row of VPE p is added to which sum."""
        rng = self.rng
        t = rng.choice([u for u in self.types if SIZE[u] == 4] or ["float"])
        op = "+=" if is_float(t) or rng.random() < 0.6 else "^="
        u = t if is_float(t) else "uint32_t"
        beats, x = rng.choice([1, 2, 9, 30]), rng.choice([2, 4])
        text = f"ACIS_PER_VPE static {u} x[ACIS_VPES][{x}][ACIS_LANES], acc[ACIS_VPES][4][ACIS_LANES];\n"
        text += head("uint32_t", u, u) + "  uint32_t beats = *len / (4 * ACIS_VPES);\n"
        text += f"  for (uint32_t p = 0; p < ACIS_VPES; p++)\n    for (uint32_t r = 0; r < {x}; r++)\n"
        text += f"      for (uint32_t f = 0; f < ACIS_LANES; f++)\n        x[p][r][f] = mem[(p * {x} + r) * ACIS_LANES + f];\n"
        text += "  for (uint32_t b = 0; b < beats; b++)\n    for (uint32_t p = 0; p < ACIS_VPES; p++) {\n"
        text += f"      uint32_t w = in[b * ACIS_VPES + p], row = w >> 16 & 3, col = w & {x - 1};\n"
        text += f"      for (uint32_t f = 0; f < ACIS_LANES; f++)\n        acc[p][row][f] {op} x[p][col][f];\n    }}\n"
        text += f"  for (uint32_t r = 0; r < 4; r++)\n    for (uint32_t f = 0; f < ACIS_LANES; f++) {{\n      {u} s = acc[0][r][f];\n"
        text += f"      acc[0][r][f] = 0;\n      for (uint32_t p = 1; p < ACIS_VPES; p++) {{\n        s {op} acc[p][r][f];\n        acc[p][r][f] = 0;\n      }}\n"
        text += f"      out[r * ACIS_LANES + f] = {seen(u, 's')};\n    }}\n  *len = 16 * ACIS_LANES;\n}}\n"
        return self.program("scatter", text, "uint32_t", u, packet=numbers(rng, "uint32_t", beats * 32, "any"), size=beats * 64)

    def any(self):
        return self.rng.choice([self.elementwise] * 4 + [self.window] * 2 + [self.reduction] * 3 + [self.lane_loop] * 2 +
                               [self.array] * 2 + [self.per_vpe, self.scatter, self.exchange])()

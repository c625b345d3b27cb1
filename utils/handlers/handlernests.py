"""More shapes of random handlers: nests, recurrences, tables, early ends, switch, indices
from data, control code around loops, C++, several handlers in a file.

Used by fuzz-handlers.py. What the compiler refuses today is generated all the same: a
refusal must have its line, and what is mapped later is tested from the first day.
"""
import re

from handlergen import PRELUDE, SIZE, constant, is_float, numbers, seen, unsigned
from handlershapes import Program, Shapes, head


class Nests(Shapes):
    def integer_type(self):
        ints = [t for t in self.types if not is_float(t)]
        return self.rng.choice(ints or ["uint32_t"])

    def lines(self, env, count, depth, pad):
        return "".join(line + "\n" for line in self.e.statements(env, count, depth, pad))

    def update(self, name, t, env, pad):
        """An assignment to a variable, from itself among others, perhaps under a condition."""
        value = self.e.make(t, env + [(name, t)] * 2, self.depth)
        text = f"{name} = {value};\n"
        kind = self.rng.random()
        if kind < 0.25:
            return f"{pad}if ({self.e.condition(env + [(name, t)], 1)})\n{pad}  {text}"
        if kind < 0.35:
            other = self.e.make(t, env, 1)
            return f"{pad}if ({self.e.condition(env, 1)})\n{pad}  {text}{pad}else\n{pad}  {name} = {other};\n"
        return pad + text

    def switch(self, name, t, env, pad):
        """Cases with and without break, sometimes without a default."""
        rng, u = self.rng, self.integer_type()
        text = f"{pad}{t} {name} = {constant(rng, t)};\n{pad}switch ({self.e.make(u, env, 1)} & 7) {{\n"
        for case in rng.sample(range(8), rng.choice([2, 3, 5])):
            text += f"{pad}case {case}:\n{pad}  {name} = {self.e.make(t, env + [(name, t)], 1)};\n"
            text += f"{pad}  break;\n" if rng.random() < 0.75 else f"{pad}  /* falls through */\n"
        if rng.random() < 0.7:
            text += f"{pad}default:\n{pad}  {name} = {self.e.make(t, env, 1)};\n{pad}  break;\n"
        env.append((name, t))
        return text + f"{pad}}}\n"

    def recurrence(self):
        """State that is updated from itself in every iteration."""
        rng, t, m = self.rng, self.type(), self.type()
        states = [(f"s{k}", self.type()) for k in range(rng.choice([1, 1, 2, 3]))]
        env = []
        text = head(t, t, m) + self.count(t) + self.invariants(m, env)
        for name, u in states:
            text += f"  {u} {name} = {constant(rng, u)};\n"
        text += "  for (uint32_t i = 0; i < n; i++) {\n" + self.operands(t, m, env, "    ")
        if rng.random() < 0.3:
            text += self.switch("w", t, env, "    ")
        for name, u in states:
            text += self.update(name, u, env + states, "    ")
        text += f"    out[i] = {seen(t, self.e.make(t, env + states * 2, 1))};\n  }}\n"
        return self.program("recurrence", text + f"  *len = n * {SIZE[t]};\n}}\n", t, m)

    def table(self):
        """Constant tables, indexed by data or by a state that the table changes."""
        rng, t, u, m = self.rng, self.integer_type(), self.type(), self.type()
        size = rng.choice([4, 8, 16, 64])
        entries = ", ".join(constant(rng, u) for _ in range(size))
        text = f"static const {u} t1[{size}] = {{{entries}}};\n" + head(t, u, m) + self.count(t)
        chained = rng.random() < 0.4 and not is_float(u)
        text += f"  {u} s = 0;\n" if chained else ""
        index = f"(x ^ s) & {size - 1}" if chained else f"x & {size - 1}"
        text += f"  for (uint32_t i = 0; i < n; i++) {{\n    {t} x = in[i];\n    {u} y = t1[{index}];\n"
        env = [("y", u), ("x", t)]
        if chained:
            text += self.update("s", u, env, "    ")
            env.append(("s", u))
        text += f"    out[i] = {seen(u, self.e.make(u, env, 1))};\n  }}\n"
        return self.program("table", text + f"  *len = n * {SIZE[u]};\n}}\n", t, m)

    def ends_early(self):
        rng, t, m = self.rng, self.type(), self.type()
        env, kind = [], rng.choice(["break", "continue", "while", "return", "find"])
        text = head(t, t, m) + self.count(t) + self.invariants(m, env)
        if kind == "while":
            text += f"  uint32_t i = 0;\n  while (i < n && {self.e.condition([('in[i]', t)] + env, 1)}) {{\n"
            text += f"    out[i] = {seen(t, self.e.make(t, [('in[i]', t)] + env, 1))};\n    i++;\n  }}\n"
            return self.program("early end", text + f"  *len = i * {SIZE[t]};\n}}\n", t, m)
        if kind == "find":
            text += f"  uint32_t found = n;\n  for (uint32_t i = 0; i < n; i++)\n    if ({self.e.condition([('in[i]', t)] + env, 2)}) {{\n"
            text += f"      found = i;\n      break;\n    }}\n  out[0] = ({t})found;\n"
            return self.program("early end", text + f"  *len = {SIZE[t]};\n}}\n", t, m)
        text += "  uint32_t k = 0;\n  for (uint32_t i = 0; i < n; i++) {\n" + self.operands(t, m, env, "    ")
        text += self.lines(env, rng.choice([0, 1]), 1, "    ")
        condition, value = self.e.condition(env, 2), seen(t, self.e.make(t, env, self.depth))
        if kind == "return":
            text += f"    if ({condition}) {{\n      *len = k * {SIZE[t]};\n      return;\n    }}\n"
        else:
            text += f"    if ({condition})\n      {kind};\n"
        text += f"    out[k] = {value};\n    k++;\n  }}\n"
        return self.program("early end", text + f"  *len = k * {SIZE[t]};\n}}\n", t, m)

    def switched(self):
        rng, t, u, m = self.rng, self.type(), self.type(), self.type()
        env = []
        text = head(t, u, m) + self.count(t) + self.invariants(m, env)
        text += "  for (uint32_t i = 0; i < n; i++) {\n" + self.operands(t, m, env, "    ")
        text += self.switch("w", u, env, "    ")
        if rng.random() < 0.4:
            text += self.switch("z", t, env, "    ")
        text += f"    out[i] = {seen(u, self.e.make(u, env, self.depth))};\n  }}\n"
        return self.program("switch", text + f"  *len = n * {SIZE[u]};\n}}\n", t, m)

    def filled(self, name, t, rows, columns, start, pad="  "):
        """The loops that take a matrix from the stream."""
        return (f"{pad}for (int r = 0; r < {rows}; r++)\n{pad}  for (int c = 0; c < {columns}; c++)\n"
                f"{pad}    {name}[r][c] = in[{start} + r * {columns} + c];\n")

    def nest(self):
        """Matrices on chip, with rows that need not be whole beats, and what is done to
        them: windows, transposition, products, sums of rows, recurrences along a row."""
        rng, t, m = self.rng, self.type(), self.type()
        rows, columns = rng.choice([2, 3, 4, 8]), rng.choice([4, 5, 8, 16, 16, 20, 32])
        static = rng.random() < 0.3
        text = f"static {t} a[{rows}][{columns}];\n" if static else ""
        text += head(t, t, m) + ("" if static else f"  {t} a[{rows}][{columns}];\n")
        text += self.filled("a", t, rows, columns, "0")
        kind = rng.choice(["window", "transpose", "rows", "scan", "inplace", "product", "columns"])
        sent = rows * columns
        pad = "      "
        outer = f"  for (int r = 0; r < {rows}; r++)\n    for (int c = 0; c < {columns}; c++) {{\n"
        if kind == "window":
            y, x = rng.randrange(min(rows, 3)), rng.randrange(3)
            text += f"  for (int r = 0; r < {rows - y}; r++)\n    for (int c = 0; c < {columns - x}; c++) {{\n"
            env = [("p", t), ("q", t)]
            text += f"{pad}{t} p = a[r][c], q = a[r + {y}][c + {x}];\n"
            text += f"{pad}out[r * {columns - x} + c] = {seen(t, self.e.make(t, env, self.depth))};\n    }}\n"
            sent = (rows - y) * (columns - x)
        elif kind == "transpose":
            text += f"  for (int c = 0; c < {columns}; c++)\n    for (int r = 0; r < {rows}; r++)\n"
            text += f"{pad}out[c * {rows} + r] = {seen(t, self.e.make(t, [('a[r][c]', t)], 1))};\n"
        elif kind in ("rows", "columns"):
            u = self.type()
            o, i, n, k = ("r", "c", rows, columns) if kind == "rows" else ("c", "r", columns, rows)
            text += f"  for (int {o} = 0; {o} < {n}; {o}++) {{\n    {u} s = {constant(rng, u)};\n"
            text += f"    for (int {i} = 0; {i} < {k}; {i}++) {{\n{pad}{t} x = a[r][c];\n"
            text += self.update("s", u, [("x", t)], pad)
            text += f"    }}\n    out[{o}] = {seen(t, self.e.make(t, [('s', u)], 1))};\n  }}\n"
            sent = n
        elif kind == "scan":
            text += f"  for (int r = 0; r < {rows}; r++)\n    for (int c = 1; c < {columns}; c++)\n"
            text += f"{pad}a[r][c] = {self.e.make(t, [('a[r][c]', t), ('a[r][c - 1]', t)], self.depth)};\n"
            text += outer + f"{pad}out[r * {columns} + c] = {seen(t, 'a[r][c]')};\n    }}\n"
        elif kind == "inplace":
            env = [("x", t)]
            text += outer + f"{pad}{t} x = a[r][c];\n" + self.lines(env, 1, self.depth, pad)
            guard = f"if ({self.e.condition(env, 1)})\n{pad}  " if rng.random() < 0.5 else ""
            text += f"{pad}{guard}a[r][c] = {self.e.make(t, env, 1)};\n    }}\n"
            text += outer + f"{pad}out[r * {columns} + c] = {seen(t, 'a[r][c]')};\n    }}\n"
        else:
            depth = rng.choice([2, 4])
            text = text.replace("  for (int r", f"  {t} p[{rows}][{depth}];\n  for (int r", 1)
            add, times = (f"p[r][k] + a[r][c] * a[k % {rows}][c]", "") if is_float(t) else (
                f"({t})(({unsigned(t)})p[r][k] + ({unsigned(t)})a[r][c] * ({unsigned(t)})a[k % {rows}][c])", "")
            text += f"  for (int r = 0; r < {rows}; r++)\n    for (int k = 0; k < {depth}; k++) {{\n      p[r][k] = 0;\n"
            text += f"      for (int c = 0; c < {columns}; c++)\n        p[r][k] = {add};\n    }}\n"
            text += f"  for (int r = 0; r < {rows}; r++)\n    for (int k = 0; k < {depth}; k++)\n"
            text += f"      out[r * {depth} + k] = {seen(t, 'p[r][k]')};\n"
            sent = rows * depth
        return self.program("nest", text + f"  *len = {sent} * {SIZE[t]};\n}}\n", t, m, fixed=rows * columns)

    def indexed(self):
        """Elements of arrays and of memory at positions that come in the packet."""
        rng, t, m = self.rng, self.integer_type(), self.type()
        size, kind = rng.choice([8, 16, 64, 256]), rng.choice(["histogram", "gather", "scatter", "memory", "reverse"])
        text = f"static {m} a[{size}];\n" + head(t, m, m) + self.count(t)
        fill = f"  for (uint32_t i = 0; i < {size}; i++)\n    a[i] = mem[i];\n"
        show = f"  for (uint32_t i = 0; i < {size}; i++)\n    out[i] = {seen(m, 'a[i]')};\n  *len = {size} * {SIZE[m]};\n}}\n"
        each = f"  for (uint32_t i = 0; i < n; i++) {{\n    {t} x = in[i];\n"
        at = f"a[x & {size - 1}]"
        if kind == "histogram":
            value = f"{at} + 1" if is_float(m) else f"({m})({at} {rng.choice('+^|')} {rng.choice(['1', 'i', 'x'])})"
            text += each + f"    {at} = {value};\n  }}\n" + show
        elif kind == "scatter":
            text += each + f"    {at} = {self.e.make(m, [('x', t), ('i', 'uint32_t')], 1)};\n  }}\n" + show
        elif kind == "gather":
            env = [("y", m), ("x", t)]
            text += fill + each + f"    {m} y = {at};\n    out[i] = {seen(m, self.e.make(m, env, 1))};\n  }}\n  *len = n * {SIZE[m]};\n}}\n"
        elif kind == "memory":
            text += each + f"    out[i] = {seen(m, f'mem[x & {size - 1}]')};\n  }}\n  *len = n * {SIZE[m]};\n}}\n"
        else:
            text += fill + f"  for (uint32_t i = 0; i < {size}; i++)\n    out[i] = {seen(m, f'a[{size - 1} - i]')};\n"
            text += f"  *len = {size} * {SIZE[m]};\n}}\n"
        return self.program("indexed", text, t, m)

    def control(self):
        """Control code around loops: trips and branches that memory decides."""
        rng, t, m = self.rng, self.type(), self.integer_type()
        inner = rng.choice([3, 8, 16, 17])
        text = head(t, t, m) + self.count(t) + f"  uint32_t rounds = ((uint32_t)mem[1] & 3) + 1, at = 0, o = 0;\n"
        text += f"  {m} k = mem[2];\n"
        text += f"  for (uint32_t j = 0; j < rounds && at + {inner} <= n; j++) {{\n"
        text += f"    k = {self.e.make(m, [('k', m), ('j', 'uint32_t')], 2)};\n"
        env = [("x", t), ("k", m), ("j", "uint32_t")]
        body = lambda: (f"      for (uint32_t i = 0; i < {inner}; i++) {{\n        {t} x = in[at + i];\n"
                        f"        out[o + i] = {seen(t, self.e.make(t, env, self.depth))};\n      }}\n      o += {inner};\n")
        text += f"    if ({self.e.condition([('k', m), ('j', 'uint32_t')], 1)}) {{\n{body()}    }}"
        text += f" else {{\n{body()}    }}\n" if rng.random() < 0.6 else "\n"
        text += f"    at += {inner};\n  }}\n  *len = o * {SIZE[t]};\n}}\n"
        return self.program("control", text, t, m)

    def reload(self):
        """An array that each round of control code fills again, from memory or the stream,
        wholly or in part, and then uses, perhaps keeping something for the next round."""
        rng, t = self.rng, self.type()
        rows, vpe, static = rng.choice([1, 2, 4]), rng.random() < 0.4, rng.random() < 0.6
        at, cell = ("[p]", f"(p * {rows} + r)") if vpe else ("", "r")
        extent = f"[ACIS_VPES][{rows}][ACIS_LANES]" if vpe else f"[{rows}][ACIS_LANES]"
        text = f"ACIS_PER_VPE static {t} a{extent};\n" if vpe else f"static {t} a{extent};\n" if static else ""
        text += head(t, t, t) + ("" if vpe or static else f"  {t} a{extent};\n") + self.count(t)
        text += "  uint32_t o = 0;\n"
        block = f"(ACIS_VPES * {rows} * ACIS_LANES)" if vpe else f"({rows} * ACIS_LANES)"
        text += f"  for (uint32_t j = 0; (j + 1) * {rows} * ACIS_LANES <= n; j++) {{\n"
        loops = "    for (uint32_t p = 0; p < ACIS_VPES; p++)\n" if vpe else ""
        full = rng.random() < 0.7 or not (vpe or static)  # a local array has no values yet
        loops += f"    for (uint32_t r = {0 if full else rows // 2}; r < {rows}; r++)\n    for (uint32_t l = 0; l < ACIS_LANES; l++)\n"
        condition = "" if rng.random() < 0.8 or not (vpe or static) else f"    if ({self.e.condition([('j', 'uint32_t')], 1)})\n"
        text += condition + loops + f"      a{at}[r][l] = mem[j * {rng.choice([block, '16', '0'])} + {cell} * ACIS_LANES + l];\n"
        v = rng.choice(["0", "ACIS_VPES - 1"]) if vpe else None
        where = f"a[{v}][r][l]" if vpe else "a[r][l]"
        text += f"    for (uint32_t r = 0; r < {rows}; r++)\n    for (uint32_t l = 0; l < ACIS_LANES; l++) {{\n"
        text += f"      {t} y = {where}, x = in[(j * {rows} + r) * ACIS_LANES + l];\n"
        text += f"      out[o + r * ACIS_LANES + l] = {seen(t, self.e.make(t, [('x', t), ('y', t)], self.depth))};\n"
        if rng.random() < 0.3:
            text += f"      {where} = {self.e.make(t, [('x', t), ('y', t)], 1)};\n"
        text += f"    }}\n    o += {rows} * ACIS_LANES;\n  }}\n  *len = o * {SIZE[t]};\n}}\n"
        rounds = rng.choice([1, 2, 3, 5])
        count = rounds * rows * self.lanes * SIZE[t]
        return self.program("reload", text, t, t, packet=numbers(rng, t, 2 * rounds * rows * self.lanes), size=count)

    def tiles(self):
        """Tile numbers in the stream decide how far the handler goes."""
        rng, t = self.rng, self.rng.choice(["uint32_t", "int32_t", "float"])
        last, inner = rng.choice([4, 9]), rng.choice([4, 16])
        text = head("uint32_t", "uint32_t", t) + "  uint32_t pos = 0, o = 0;\n  uint32_t t = acis_next_tile(in, &pos, 0);\n"
        text += f"  while (t < {last}) {{\n    uint32_t k = in[pos];\n    pos += 1;\n"
        text += f"    for (uint32_t i = 0; i < {inner}; i++)\n"
        text += f"      out[o + i] = {self.e.make('uint32_t', [('in[pos + i]', 'uint32_t'), ('k', 'uint32_t'), ('t', 'uint32_t')], self.depth)};\n"
        text += f"    o += {inner};\n    pos += {inner};\n    t = acis_next_tile(in, &pos, t + 1);\n  }}\n  *len = o * 4;\n}}\n"
        packet, count = b"", 0
        for tile in sorted(rng.sample(range(last), rng.randrange(1, last))):
            packet += tile.to_bytes(4, "little") + numbers(rng, "uint32_t", inner + 1, "any")
            count += 1
        packet += (last + rng.randrange(3)).to_bytes(4, "little")
        return self.program("tiles", text, "uint32_t", t, packet=packet, size=len(packet))

    def templates(self):
        """C++: a template, a lambda, a reference, a constant array."""
        rng, t, u = self.rng, self.type(), self.type()
        text = "template <typename T> struct Step {\n  T k;\n"
        text += f"  T operator()(T x) const {{ return {self.e.make(t, [('x', t), ('k', t)], 2)}; }}\n}};\n"
        text += head(t, u, u) + self.count(t) + f"  const Step<{t}> step{{static_cast<{t}>(mem[0])}};\n"
        text = text.replace(f"static_cast<{t}>(mem[0])", constant(rng, t) if is_float(u) and not is_float(t) else f"static_cast<{t}>(mem[0])")
        text += f"  auto mix = [&]({t} x) -> {u} {{ return {self.e.make(u, [('x', t)], 2)}; }};\n"
        text += f"  constexpr {u} offsets[] = {{{', '.join(constant(rng, u) for _ in range(3))}}};\n"
        text += f"  for (uint32_t i = 0; i < n; ++i) {{\n    const {t} &x = in[i];\n    {u} y = mix(step(x));\n"
        text += f"    for ({u} o : offsets)\n      y = {self.e.make(u, [('y', u), ('o', u)], 1)};\n"
        text += f"    out[i] = {seen(u, 'y')};\n  }}\n  *len = n * {SIZE[u]};\n}}\n"
        return self.cxx(self.program("C++", text, t, u))

    def cxx(self, program):
        program.source = program.source.replace("restrict ", "__restrict ")
        program.suffix = ".cpp"
        return program

    def several(self):
        """Two or three handlers in a file; one of them runs. The others must not matter."""
        rng = self.rng
        parts = [self.single() for _ in range(rng.choice([2, 3]))]
        run = rng.randrange(len(parts))
        text = PRELUDE
        for k, part in enumerate(parts):
            body = part.source.removeprefix(PRELUDE)
            text += re.sub(r"\b(handler|a|q|x|acc|t1|cell(?:_m\d+)*)\b", rf"\1_{k}", body)
        chosen = parts[run]
        return Program("several", text, chosen.packet, chosen.packet_bytes, chosen.memory, f"handler_{run}")

    def single(self):
        more = [self.recurrence] * 2 + [self.table, self.ends_early, self.switched] + [self.nest] * 3 + [self.indexed, self.control, self.tiles] + [self.reload] * 2
        return Shapes.any(self) if self.rng.random() < 0.4 else self.rng.choice(more)()

    def any(self):
        kind = self.rng.random()
        if kind < 0.06:
            return self.several()
        if kind < 0.12:
            return self.templates()
        program = self.single()
        return self.cxx(program) if kind < 0.2 else program

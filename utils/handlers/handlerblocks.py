"""Shapes of random handlers that read rows of the stream as it does not bring them: beside a loop
too long to be unrolled, in another order, with gaps; loops of scalars that may end early or run
under a condition; elements at strides that come with the data; states that read in each case.

Used by fuzz-handlers.py.
"""
from handlercounts import Counts
from handlergen import SIZE, constant, is_float, seen
from handlershapes import head


class Blocks(Counts):
    def rounds(self, name, u, env, pad):
        """A loop that changes a value again and again."""
        rng, e = self.rng, self.e
        count = rng.choice([3, 16, 33, 64, 100])
        kind = rng.choice(["plain", "plain", "break", "while", "guard"])
        body = self.update(name, u, env + [("i", "int32_t")] * (rng.random() < 0.3), pad + "  ")
        loop = f"for (int32_t i = 0; i < {count}; i++)"
        if kind == "break":
            body += f"{pad}  if ({e.condition(env + [(name, u)], 1)})\n{pad}    break;\n"
        elif kind == "while":
            loop = f"for (int32_t i = 0; i < {count} && {e.condition(env + [(name, u)], 1)}; i++)"
        text = f"{pad}{loop} {{\n{body}{pad}}}\n"
        return f"{pad}if ({e.condition(env, 1)})\n{text}" if kind == "guard" else text

    def block(self):
        """Rows of the stream, of which some elements are read, and rounds over them."""
        rng, t, u, m = self.rng, self.type(), self.type(), self.type()
        row = rng.choice([1, 2, 3, 4, 8, 10])
        known = rng.random() < 0.4
        rows = rng.choice([1, 2, 5, 9])
        start = rng.choice([0, 0, 1, 5])
        taken = sorted(rng.sample(range(row), min(row, rng.choice([1, 2, 3]))))
        if rng.random() < 0.3:
            rng.shuffle(taken)
        env = []
        text = head(t, u, m) + self.count(t) + self.invariants(m, env)
        text += f"  uint32_t rows = n < {start} ? 0 : (n - {start}) / {row};\n"
        carried = rng.random() < 0.4
        if carried:
            text += f"  {u} v = {constant(rng, u)};\n"
            env.append(("v", u))
        text += f"  for (uint32_t b = 0; b < {rows if known else 'rows'}; b++) {{\n"
        for k, place in enumerate(taken):
            text += f"    {t} x{k} = in[{start} + b * {row} + {place}];\n"
            env.append((f"x{k}", t))
        text += f"    {u} s = {self.e.make(u, env, 1)};\n" + self.rounds("s", u, env, "    ")
        if rng.random() < 0.2:
            text += self.rounds("s", u, env, "    ")
        env.append(("s", u))
        if carried:
            text += self.update("v", u, env, "    ")
        sent = rng.choice([1, 1, 2])
        for k in range(sent):
            text += f"    out[b * {sent} + {k}] = {seen(u, self.e.make(u, env + [('s', u)], 1))};\n"
        text += f"  }}\n  *len = {rows if known else 'rows'} * {sent * SIZE[u]};\n}}\n"
        return self.program("block", text, t, m, **({"fixed": start + rows * row} if known else {}))

    def columns(self):
        """Small matrices in the stream, read by columns."""
        rng, t, m = self.rng, self.type(), self.type()
        rows, columns, blocks = rng.choice([2, 3, 4, 8]), rng.choice([2, 4, 5, 16]), rng.choice([1, 2, 5])
        size = rows * columns
        text = head(t, t, m) + f"  for (uint32_t b = 0; b < {blocks}; b++)\n"
        text += f"    for (uint32_t c = 0; c < {columns}; c++)\n      for (uint32_t r = 0; r < {rows}; r++) {{\n"
        env = [("x", t)]
        text += f"        {t} x = in[b * {size} + r * {columns} + c];\n"
        text += f"        out[b * {size} + c * {rows} + r] = {seen(t, self.e.make(t, env, self.depth))};\n      }}\n"
        return self.program("columns", text + f"  *len = {blocks * size * SIZE[t]};\n}}\n", t, m, fixed=blocks * size)

    def places(self):
        """Elements of an array at a stride that is not a constant."""
        rng, t, u = self.rng, self.type(), self.integer_type()
        size, count = rng.choice([16, 64]), rng.choice([4, 8, 16])
        most = (size - 1) // count
        text = head(t, t, u) + f"  {t} a[{size}];\n  for (int i = 0; i < {size}; i++)\n    a[i] = in[i];\n"
        text += f"  uint32_t step = (uint32_t)mem[0] % {most + 1};\n  {t} s = {constant(rng, t)};\n"
        text += f"  for (uint32_t k = 0; k < {rng.choice([1, 3])}; k++)\n    for (uint32_t i = 0; i < {count}; i++) {{\n"
        text += self.update("s", t, [("a[i * step]", t)] * 2, "      ")
        if rng.random() < 0.5:
            text += f"      a[i * step] = {self.e.make(t, [('s', t), ('a[i]', t)], 1)};\n"
        text += f"    }}\n  for (int i = 0; i < {size}; i++)\n    out[i] = {seen(t, self.e.make(t, [('a[i]', t), ('s', t)], 1))};\n"
        return self.program("places", text + f"  *len = {size * SIZE[t]};\n}}\n", t, u, fixed=size)

    def machine(self):
        """A state whose cases each read the next element."""
        rng, t, m = self.rng, self.integer_type(), self.type()
        cases = rng.choice([2, 3, 5])
        text = head(t, "uint32_t", m) + self.count(t) + "  uint32_t state = 0, hits = 0;\n  for (uint32_t i = 0; i < n; i++) {\n    switch (state) {\n"
        env = [("in[i]", t)]
        for k in range(cases):
            label = f"    case {k}:\n" if k < cases - 1 else "    default:\n"
            text += label + f"      state = {self.e.condition(env, 1)} ? {rng.randrange(cases)} : {rng.randrange(cases)};\n"
            if rng.random() < 0.4:
                text += f"      hits += (uint32_t){'(int64_t)' if is_float(t) else ''}in[i];\n"
            text += "      break;\n"
        text += "    }\n  }\n  out[0] = hits;\n  out[1] = state;\n  *len = 8;\n}\n"
        return self.program("machine", text, t, m)

    def single(self):
        more = [self.block] * 4 + [self.columns, self.places, self.machine]
        return super().single() if self.rng.random() < 0.8 else self.rng.choice(more)()

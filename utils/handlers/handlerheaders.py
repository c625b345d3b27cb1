"""Shapes of random handlers that read words of the stream again: fields of headers in any order, in
parts, on some ways only, behind loops over what follows them, of a packet or of each of its rows; and
neighbours, by loops whose windows overlap.

Used by fuzz-handlers.py.
"""
from handlergen import INTS, SIZE, cast, constant, seen, unsigned
from handlershapes import Shapes, head

ROW = 96  # bytes of a header and of what loops read behind it
LOOPS = 3  # at most, each of up to 3 words


class Headers(Shapes):
    def a_field(self, size):
        t = self.rng.choice(INTS)
        at = self.rng.randrange(size // SIZE[t]) * SIZE[t]
        return f"*(const {t} *)(p + {at})", t

    def take(self, env, size, pad):
        name, t = self.rng.choice(env)
        text, of = self.a_field(size)
        more = f" ^ {name}" if self.rng.random() < 0.3 else ""
        return f"{pad}{name} = ({t})({cast(self.rng, text, of, t)}{more});\n"

    def walk(self, env, size, pad):
        self.walks += 1
        name, t = self.rng.choice(env)
        bound, _ = self.rng.choice(env)
        at = f"*(const uint32_t *)(p + {size + 12 * self.walks} + 4 * i)"
        guard = f"if ({self.e.condition(env, 1)}) " if self.rng.random() < 0.2 else ""
        return f"{pad}for (uint32_t i = 0; i < ((uint32_t){bound} & 3); i++)\n{pad}  {guard}{name} = ({t})(({unsigned(t)}){name} + {at});\n"

    def some_ways(self, env, size, depth, pad):
        text = ""
        for _ in range(self.rng.choice([1, 2, 2, 3, 4])):
            kind = self.rng.choice(["read"] * 4 + ["if"] * (2 * (depth > 0)) + ["loop"] * (self.walks < LOOPS))
            if kind == "read":
                text += self.take(env, size, pad)
            elif kind == "loop":
                text += self.walk(env, size, pad)
            else:
                text += f"{pad}if ({self.e.condition(env, 1)}) {{\n{self.some_ways(env, size, depth - 1, pad + '  ')}"
                text += f"{pad}}} else {{\n{self.some_ways(env, size, depth - 1, pad + '  ')}" if self.rng.random() < 0.4 else ""
                text += pad + "}\n"
        return text

    def fields(self):
        rng, rows = self.rng, self.rng.random() < 0.3
        self.walks, self.e.types = 0, rng.sample(INTS, 2)
        env = [(f"h{k}", rng.choice(self.e.types)) for k in range(3)]
        pad = "    " if rows else "  "
        text = head("uint8_t", "uint64_t", "uint32_t")
        text += f"  for (uint32_t r = 0; r < *len / {ROW}; r++) {{\n" if rows else ""
        text += f"{pad}const uint8_t *p = in{f' + {ROW} * r' if rows else ''};\n"
        text += "".join(f"{pad}{t} {name} = {constant(rng, t)};\n" for name, t in env)
        text += self.some_ways(env, rng.choice([8, 16, 40]), 2, pad)
        out = [f"(uint64_t){name}" for name, _ in env]
        text += f"{pad}out[{'r' if rows else '0'}] = {out[0]} + 3 * {out[1]} + 7 * {out[2]};\n"
        text += f"  }}\n  *len = *len / {ROW} * 8;\n}}\n" if rows else "  *len = 8;\n}\n"
        return self.program("fields", text, "uint8_t", "uint32_t", fixed=ROW * (2 if rows else 1))

    def neighbours(self):
        rng, t, u, m = self.rng, self.type(), self.type(), self.type()
        step, size = rng.choice([1, 1, 1, 2, 3]), rng.choice([2, 2, 3, 4, 8])
        text, env, ends = head(t, u, m) + self.count(t), [], rng.random() < 0.2
        text += f"  uint32_t o = 0;\n  {u} s = {constant(rng, u)};\n"
        text += f"  for (uint32_t i = 0; i + {size - 1} < n; i += {step}) {{\n"
        for k, place in enumerate(rng.sample(range(size), rng.randrange(2, size + 1))):
            text += f"    {t} x{k} = in[i + {place}];\n"
            env.append((f"x{k}", t))
        if rng.random() < 0.3:
            text += f"    {t} a = {constant(rng, t)};\n"
            text += f"    for (int k = 0; k < {size}; k++)\n      a = in[i + k] > a ? in[i + k] : a;\n"
            env.append(("a", t))
        text += f"    if ({self.e.condition(env, 1)})\n      break;\n" if ends else ""
        if rng.random() < 0.4:
            text += f"    s = {seen(u, self.e.make(u, env + [('s', u)], self.depth))};\n"
            env.append(("s", u))
        text += f"    out[o++] = {seen(u, self.e.make(u, env, self.depth))};\n  }}\n"
        return self.program("neighbours", text + f"  *len = o * sizeof({u});\n}}\n", t, m)

    def payload(self):
        """A header that some ways read, then a loop that begins in it."""
        rng, size = self.rng, self.rng.choice([8, 16])
        self.walks, self.e.types = LOOPS, rng.sample(INTS, 2)
        env = [(f"h{k}", rng.choice(self.e.types)) for k in range(2)]
        start, step = rng.randrange(size), rng.choice([1, 1, 1, 2, 4])
        text = head("uint8_t", "uint8_t", "uint32_t") + "  const uint8_t *p = in;\n  uint32_t o = 0, n = *len;\n"
        text += "".join(f"  {t} {name} = {constant(rng, t)};\n" for name, t in env) + self.some_ways(env, size, 2, "  ")
        text += f"  if ({self.e.condition(env, 1)}) {{\n    out[0] = 7;\n    *len = 1;\n    return;\n  }}\n" if rng.random() < 0.3 else ""
        text += f"  for (uint32_t i = {start}; i + {step} <= n; i += {step}) {{\n"
        places = sorted(rng.sample(range(step), rng.randrange(1, step + 1)))
        text += "".join(f"    uint8_t x{k} = in[i + {k}];\n" for k in places)
        env += [(f"x{k}", "uint8_t") for k in places]
        text += f"    out[o++] = {self.e.make('uint8_t', env, self.depth)};\n  }}\n  *len = o;\n}}\n"
        return self.program("payload", text, "uint8_t", "uint32_t", fixed=ROW)

    def read_again(self):
        return self.rng.choice([self.fields, self.neighbours, self.payload])()

    def single(self):
        return super().single() if self.rng.random() < 0.92 else self.read_again()

"""Shapes of random handlers about how loops count and how they follow each other: starts,
steps and directions, several elements in an iteration, reductions that a later loop uses,
lengths of 0, packets that an invocation reads on into.

Used by fuzz-handlers.py.
"""
from handlergen import SIZE, constant, is_float, seen
from handlernests import Nests
from handlershapes import head


class Counts(Nests):
    def counted(self):
        """The same work under each way to count."""
        rng, t, m = self.rng, self.type(), self.type()
        env = []
        text = head(t, t, m) + self.count(t) + self.invariants(m, env) + "  uint32_t o = 0;\n"
        step, start = rng.choice([1, 1, 2, 3]), rng.choice(["0", "1", "5", "n / 2"])
        loop = rng.choice([
            f"for (uint32_t i = {start}; i < n; i += {step}) {{",
            f"for (uint32_t i = {start}; i + {step} <= n; i += {step}) {{",
            f"for (int32_t i = {start}; i < (int32_t)n; i += {step}) {{",
            f"for (uint32_t k = n, i = 0; k > 0; k--, i++) {{",
            f"for (uint32_t k = n; k-- > 0;) {{\n    uint32_t i = n - 1 - k;",
            f"for (uint32_t i = 0; i != n; i++) {{",
            f"for (uint64_t i = 0; i < n; i++) {{",
            f"for (uint32_t i = 0; i < (n < 37 ? n : 37); i++) {{",
            f"for (uint32_t i = 0; i < (n & ~3u); i++) {{",
            f"for (uint16_t i = 0; i < (uint16_t)n; i++) {{",
        ])
        late = rng.random() < 0.2
        text += ("  uint32_t i = 0;\n  if (n > 0)\n    do {\n" if late else "  " + loop + "\n")
        text += self.operands(t, m, env, "    ")
        text += f"    out[o++] = {seen(t, self.e.make(t, env, self.depth))};\n"
        text += "      i++;\n    } while (i < n);\n" if late else "  }\n"
        return self.program("counted", text + f"  *len = o * {SIZE[t]};\n}}\n", t, m)

    def strided(self):
        """Several elements of the streams in an iteration."""
        rng, t, u, m = self.rng, self.type(), self.type(), self.type()
        takes, gives = rng.choice([1, 2, 3, 4]), rng.choice([1, 2, 2, 3])
        used = [k for k in range(takes) if rng.random() < 0.8] or [0]
        text = head(t, u, m) + self.count(t) + f"  n = n / {takes};\n"
        popped = rng.random() < 0.3
        if popped:
            used = list(range(takes))
        text += "  for (uint32_t i = 0; i < n; i++) {\n"
        for k in used:
            position = f"{takes} * i + {k}" if takes > 1 else "i"
            text += f"    {t} x{k} = {'acis_pop(in)' if popped else f'in[{position}]'};\n"
        env = [(f"x{k}", t) for k in used]
        if rng.random() < 0.4:
            text += f"    {m} m = mem[{rng.choice(['i', '2 * i', '3 * i + 7', 'i / 2', 'i & 7'])}];\n"
            env.append(("m", m))
        for k in range(gives):
            value = seen(u, self.e.make(u, env, self.depth))
            text += f"    acis_push(out, {value});\n" if popped else f"    out[{gives} * i + {k}] = {value};\n"
        return self.program("strided", text + f"  }}\n  *len = n * {gives} * {SIZE[u]};\n}}\n", t, m)

    def sequence(self):
        """A reduction into a scalar, then a loop over what was kept that uses it; a branch
        on it between them."""
        rng, t, m = self.rng, self.type(), self.type()
        size = rng.choice([16, 32, 64])
        ints = not is_float(t)
        text = head(t, t, m) + f"  {t} a[{size}];\n"
        if ints:
            text += f"  {t} s = {constant(rng, t)};\n"
        else:
            text += f"  acis_sum_{'f32' if t == 'float' else 'f64'} s = {{0}};\n"
        text += f"  for (uint32_t i = 0; i < {size}; i++) {{\n    {t} x = in[i];\n    a[i] = {self.e.make(t, [('x', t)], 1)};\n"
        if ints:
            text += self.step("s", t, [("x", t)], "    ")
        else:
            text += f"    acis_sum_add(&s, small_{t}({self.e.make(t, [('x', t)], 1)}));\n"
        text += "  }\n" + ("" if ints else f"  {t} total = acis_sum_get(&s);\n")
        total = "s" if ints else "total"
        text += f"  uint32_t n = {size};\n"
        if ints and rng.random() < 0.4:
            text += f"  if ({self.e.condition([(total, t)], 1)})\n    n = {rng.choice([0, 1, size // 2, size - 3])};\n"
        env = [(total, t), ("a[i]", t)]
        text += f"  for (uint32_t i = 0; i < n; i++)\n    out[i] = {seen(t, self.e.make(t, env, self.depth))};\n"
        return self.program("sequence", text + f"  *len = n * {SIZE[t]};\n}}\n", t, m, fixed=size)

    def lengths(self):
        """The length is not written, is 0 for some packets, or less than a beat."""
        rng, t, m = self.rng, self.type(), self.type()
        text = head(t, t, m) + self.count(t)
        kind = rng.choice(["same", "nothing", "sometimes", "first"])
        value = lambda: seen(t, self.e.make(t, [("in[i]", t)], self.depth))
        if kind == "same":
            text += f"  n = (*len + {SIZE[t] - 1}) / {SIZE[t]};\n" if SIZE[t] == 1 else ""
            text += f"  for (uint32_t i = 0; i < n; i++)\n    out[i] = {value()};\n"
            text += "" if SIZE[t] == 1 else f"  *len = *len / {SIZE[t]} * {SIZE[t]};\n"
        elif kind == "nothing":
            text += f"  {m} s = 0;\n  for (uint32_t i = 0; i < n; i++)\n    mem[i] = {seen(m, self.e.make(m, [('in[i]', t)], 1))};\n"
            text = text.replace(f"  {m} s = 0;\n", "") + "  *len = 0;\n"
        elif kind == "sometimes":
            text += f"  if (n & 1) {{\n    *len = 0;\n    return;\n  }}\n  for (uint32_t i = 0; i < n; i++)\n    out[i] = {value()};\n"
            text += f"  *len = n * {SIZE[t]};\n"
        else:
            k = rng.choice([1, 2, 5])
            text += f"  if (n > {k})\n    n = {k};\n  for (uint32_t i = 0; i < n; i++)\n    out[i] = {value()};\n  *len = n * {SIZE[t]};\n"
        return self.program("lengths", text + "}\n", t, m)

    def single(self):
        more = [self.counted] * 2 + [self.strided] * 2 + [self.sequence, self.lengths]
        return Nests.single(self) if self.rng.random() < 0.7 else self.rng.choice(more)()

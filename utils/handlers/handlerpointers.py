"""Shapes of random handlers that choose between pointers: into one of several arrays, to one of the
elements of one or to none; and that read the numbers of a header in another order than it has.

Used by fuzz-handlers.py.
"""
from handlergen import constant, is_float, seen
from handlershapes import Shapes, head

ELEMENTS = 16  # that every array has at least


class Pointers(Shapes):
    def within(self, t):
        some = [f"(i & {ELEMENTS - 1})", f"((i * 5 + 1) & {ELEMENTS - 1})", str(self.rng.randrange(ELEMENTS))]
        return some + ([] if is_float(t) else [f"((uint32_t)x & {ELEMENTS - 1})", f"((uint32_t)x >> 3 & {ELEMENTS - 1})"] * 2)

    def arrays(self, v, count):
        """(Declarations in front of the handler, statements at its start) of arrays a0, a1, .."""
        rng, outside, inside = self.rng, "", ""
        kind = rng.choice(["static", "static", "local", "mixed"])
        for k in range(count):
            size = rng.choice([ELEMENTS, ELEMENTS, ELEMENTS + 1, 3 * ELEMENTS])
            if kind == "static" or (kind == "mixed" and k % 2):
                given = ", ".join(constant(rng, v) for _ in range(rng.choice([1, 3])))
                outside += f"static {v} a{k}[{size}]{f' = {{{given}}}' if rng.random() < 0.4 else ''};\n"
            else:
                value = rng.choice(["i", f"3 * i + {k}", "0"])
                inside += f"  {v} a{k}[{size}];\n  for (int i = 0; i < {size}; i++)\n    a{k}[i] = ({v})({value});\n"
        return outside, inside

    def stored(self, place, v, env):
        return f"    {place} = {seen(v, self.e.make(v, env, self.depth))};\n"

    def chosen(self):
        """One array of several: in each iteration, for a packet, or in turn."""
        rng, t, u, m, v = self.rng, self.type(), self.type(), self.type(), self.type()
        count, how = rng.choice([2, 2, 3]), rng.choice(["each", "packet", "turns"])
        outside, inside = self.arrays(v, count)
        text, env = outside + head(t, u, m) + self.count(t) + inside, []
        some = [f"a{k}" for k in range(count)] + ([f"a0 + {rng.randrange(4)}"] if rng.random() < 0.2 and how == "turns" else [])
        rng.shuffle(some)
        if how == "turns":
            text += "".join(f"  {v} *p{k} = {a};\n" for k, a in enumerate(some))
        elif how == "packet":
            text += f"  {v} *p0 = mem[{rng.randrange(9)}] > {constant(rng, m)} ? {some[0]} : {some[1]};\n"
        text += "  for (uint32_t i = 0; i < n; i++) {\n" + self.operands(t, m, env, "    ")
        if how == "each":
            rest = f"{self.e.condition(env, 1)} ? {some[1]} : {some[2]}" if count == 3 else some[1]
            text += f"    {v} *p0 = {self.e.condition(env, 2)} ? {some[0]} : {rest};\n"
        # A pointer that is moved into its array stays in it.
        indices = [f"({i} & 7)" for i in self.within(t)]
        pointers = [f"p{k}" for k in range(len(some) if how == "turns" else 1)] + ["a0"]
        env += [(f"{rng.choice(pointers)}[{rng.choice(indices)}]", v) for _ in range(rng.choice([1, 2]))]
        for _ in range(rng.choice([1, 1, 2])):
            guard = f"    if ({self.e.condition(env, 1)})\n  " if rng.random() < 0.3 else ""
            text += guard + self.stored(f"{rng.choice(pointers)}[{rng.choice(indices)}]", v, env)
        text += f"    out[i] = {seen(u, self.e.make(u, env, self.depth))};\n"
        if how == "turns":
            text += f"    {v} *first = p0;\n"
            text += "".join(f"    p{k} = p{k + 1};\n" for k in range(len(some) - 1)) + f"    p{len(some) - 1} = first;\n"
        return self.program("chosen array", text + "  }\n" + f"  *len = n * sizeof({u});\n}}\n", t, m)

    def element(self):
        """One of the elements so far, or none."""
        rng, t, u, m, v = self.rng, self.type(), self.type(), self.type(), self.type()
        outside, inside = self.arrays(v, 1)
        none, carried, env = rng.random() < 0.6, rng.random() < 0.5, []
        start = f"{v} *p = {'0' if none else '&a0[%d]' % rng.randrange(ELEMENTS)};\n"
        text = outside + head(t, u, m) + self.count(t) + inside + ("  " + start if carried else "")
        text += "  for (uint32_t i = 0; i < n; i++) {\n" + self.operands(t, m, env, "    ")
        text += "" if carried else "    " + start
        indices = self.within(t)
        for _ in range(rng.choice([1, 2])):
            text += f"    if ({self.e.condition(env, 2)})\n      p = &a0[{rng.choice(indices)}];\n"
        text += f"    {v} y = {'p ? *p : ' + constant(rng, v) if none else '*p'};\n"
        env += [("y", v), (f"a0[{rng.choice(indices)}]", v)]
        if rng.random() < 0.8:
            text += f"    if ({'p' if none else self.e.condition(env, 1)})\n  " + self.stored("*p", v, env)
        if rng.random() < 0.3:
            text += self.stored(f"a0[{rng.choice(indices)}]", v, env)
        text += f"    out[i] = {seen(u, self.e.make(u, env, self.depth))};\n  }}\n"
        return self.program("chosen element", text + f"  *len = n * sizeof({u});\n}}\n", t, m)

    def header(self):
        """Numbers at the start of a packet, in any order and on some ways only."""
        rng, t, u, m = self.rng, self.type(), self.type(), self.type()
        size, env, lines, pad = rng.choice([2, 3, 5, 9]), [], "", "  "
        for k, place in enumerate(rng.sample(range(size), rng.randrange(2, size + 1))):
            if env and rng.random() < 0.3:
                lines += f"{pad}{t} h{k} = {constant(rng, t)};\n{pad}if ({self.e.condition(env, 1)})\n{pad}  h{k} = in[{place}];\n"
            else:
                lines += f"{pad}{t} h{k} = in[{place}];\n"
            env.append((f"h{k}", t))
        text = head(t, u, m) + self.count(t) + lines
        text += f"  for (uint32_t i = {size}; i < n; i++) {{\n    {t} x = in[i];\n"
        env.append(("x", t))
        text += f"    out[i - {size}] = {seen(u, self.e.make(u, env, self.depth))};\n  }}\n"
        return self.program("header", text + f"  *len = (n - {size}) * sizeof({u});\n}}\n", t, m, fixed=size)

    def pointer(self):
        return self.rng.choice([self.chosen, self.chosen, self.element, self.header])()

    def single(self):
        return super().single() if self.rng.random() < 0.9 else self.pointer()

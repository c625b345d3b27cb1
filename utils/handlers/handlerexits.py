"""Shapes of random handlers about ends and what is left out: output in some iterations only,
loops with several ends and what they hand on, searches in tables, tables that change.

Used by fuzz-handlers.py.
"""
from handlercounts import Counts
from handlergen import SIZE, constant, is_float, seen
from handlershapes import head


class Exits(Counts):
    def entries(self, t, count):
        """Initial values; C makes the rest zeros."""
        given = self.rng.choice([count, count, max(1, count // 2), 1])
        return "{" + ", ".join(constant(self.rng, t) for _ in range(given)) + "}"

    def filtered(self):
        """None, one or several elements of output in an iteration."""
        rng, t, u, m = self.rng, self.type(), self.type(), self.type()
        env, pushed = [], rng.random() < 0.4
        text = head(t, u, m) + self.count(t) + self.invariants(m, env) + "  uint32_t k = 0;\n"
        if not pushed and rng.random() < 0.3:
            text += f"  out[k++] = {constant(rng, u)};\n"
        text += "  for (uint32_t i = 0; i < n; i++) {\n"
        text += self.operands(t, m, env, "    ").replace("in[i]", "acis_pop(in)" if pushed else "in[i]")
        state = rng.random() < 0.3
        if state:
            u0 = self.type()
            text = text.replace("  uint32_t k = 0;\n", f"  uint32_t k = 0;\n  {u0} s = {constant(rng, u0)};\n", 1)
            text += self.update("s", u0, env, "    ")
            env.append(("s", u0))

        def write(pad):
            value = seen(u, self.e.make(u, env, self.depth))
            return f"{pad}acis_push(out, {value});\n{pad}k++;\n" if pushed else rng.choice(
                [f"{pad}out[k++] = {value};\n", f"{pad}out[k] = {value};\n{pad}k += 1;\n"])

        if rng.random() < 0.3:
            text += write("    ")
        for _ in range(rng.choice([1, 1, 2])):
            text += f"    if ({self.e.condition(env, 2)}) {{\n" + write("      ")
            if rng.random() < 0.4:
                text += f"      if ({self.e.condition(env, 1)}) {{\n" + write("        ") + "      }\n"
            text += "    }"
            text += " else {\n" + write("      ") + "    }\n" if rng.random() < 0.25 else "\n"
        if rng.random() < 0.3:
            text += f"    if ({self.e.condition(env, 1)})\n      break;\n"
        text += "  }\n"
        if not pushed and rng.random() < 0.4:
            text += f"  for (uint32_t i = 0; i < {rng.choice([1, 3, 17])}; i++)\n    out[k++] = {constant(rng, u)};\n"
        return self.program("filtered", text + f"  *len = k * {SIZE[u]};\n}}\n", t, m)

    def ends(self):
        """Several ends, each with its own way on, stores before and after them."""
        rng, t, m = self.rng, self.type(), self.type()
        env, u = [], self.type()
        text = head(t, t, m) + self.count(t) + self.invariants(m, env)
        text += f"  uint32_t i, why = 0;\n  {u} s = {constant(rng, u)}, last = {constant(rng, u)};\n"
        bound = rng.choice(["n", "n", "(n < 20 ? n : 20)", "n / 2"])
        text += f"  for (i = 0; i < {bound}; i++) {{\n    {t} x = in[i];\n"
        env += [("x", t), ("s", u)]
        for k in range(rng.choice([1, 2, 3])):
            step = rng.choice(["store", "update", "update", "none"])
            if step == "store":
                text += f"    mem[i + {1000 * k + 64}] = {seen(m, self.e.make(m, env, 1))};\n"
            elif step == "update":
                text += self.update("s", u, [("x", t)], "    ")
            text += f"    if ({self.e.condition(env, 1)}) {{\n"
            text += f"      why = {k + 1};\n" if rng.random() < 0.7 else ""
            text += f"      last = {self.e.make(u, env, 1)};\n" if rng.random() < 0.5 else ""
            text += "      i++;\n" if rng.random() < 0.2 else ""
            if rng.random() < 0.2:
                text += f"      out[0] = {seen(t, self.e.make(t, env, 1))};\n      *len = {SIZE[t]};\n      return;\n    }}\n"
            else:
                text += "      break;\n    }\n"
        text += "  }\n"
        values = [f"({t})i", f"({t})why"] + ([] if is_float(u) and not is_float(t) else [seen(t, f"({t})s"), seen(t, f"({t})last")])
        for k, value in enumerate(values):
            text += f"  out[{k}] = {value};\n"
        return self.program("ends", text + f"  *len = {len(values)} * {SIZE[t]};\n}}\n", t, m)

    def searched(self):
        """A table is searched, or followed from entry to entry."""
        rng, t = self.rng, self.integer_type()
        size, m = rng.choice([4, 8, 13]), self.integer_type()
        order = rng.choice(["<", ">=", "==", ">"])
        text = f"static const {t} t1[{size}] = {self.entries(t, size)};\n" + head(t, t, m) + self.count(t)
        text += f"  uint32_t at;\n  {t} wanted = ({t})mem[1];\n"
        text += f"  for (at = 0; at < {size}; at++)\n    if (t1[at] {order} wanted)\n      break;\n"
        text += f"  for (uint32_t i = 0; i < n; i++) {{\n    {t} x = in[i];\n"
        env = [("x", t), ("at", "uint32_t")]
        text += f"    out[i] = {seen(t, self.e.make(t, env, 1))};\n  }}\n"
        return self.program("searched", text + f"  *len = n * {SIZE[t]};\n}}\n", t, m)

    def tables(self):
        """Arrays with initial values: several, of other types, two dimensions, changed by
        the loop, local ones that begin anew with each packet."""
        rng, t, u, m = self.rng, self.integer_type(), self.type(), self.type()
        rows, columns = rng.choice([1, 2, 4]), rng.choice([4, 8])
        static = rng.choice(["static const", "static", "const", ""])
        text, body = "", f"{u} t1[{rows}][{columns}] = {{{', '.join(self.entries(u, columns) for _ in range(rng.choice([1, rows])))}}};\n"
        second = rng.random() < 0.5
        text += f"static {m} t2[16] = {self.entries(m, 16)};\n" if second else ""
        text += f"{static} {body}" if "static" in static else ""
        text += head(t, u, m) + ("" if "static" in static else f"  {static} {body}") + self.count(t)
        text += f"  for (uint32_t i = 0; i < n; i++) {{\n    {t} x = in[i];\n"
        at = f"t1[x & {rows - 1}][x >> 2 & {columns - 1}]"
        text += f"    {u} y = {at};\n"
        env = [("y", u), ("x", t)]
        if second:
            text += f"    {m} z = t2[(x ^ i) & 15];\n"
            env.append(("z", m))
        text += f"    out[i] = {seen(u, self.e.make(u, env, self.depth))};\n"
        if "const" not in static and rng.random() < 0.7:
            guard = f"if ({self.e.condition(env, 1)})\n      " if rng.random() < 0.4 else ""
            text += f"    {guard}{at} = {self.e.make(u, env, 1)};\n"
        if second and rng.random() < 0.5:
            text += f"    t2[x & 15] = {self.e.make(m, env, 1)};\n"
        return self.program("tables", text + f"  }}\n  *len = n * {SIZE[u]};\n}}\n", t, m)

    def bounded(self):
        """Loops without a count: a value shrinks or grows until it has passed a bound, by factors
        that data may choose, with another end or without."""
        rng, t = self.rng, self.integer_type()
        u = rng.choice(["uint32_t", "int32_t", "uint64_t", "uint16_t"])
        grows, most = rng.random() < 0.5, rng.choice([20, 100, 5000])
        if grows:
            start = f"({u})((x & {rng.choice([1, 7, 15])}) + 1)"
            steps = [f"{f} * y{rng.choice(['', ' + 1', ' + 2'])}" for f in (2, 2, 3)] + ["y << 1 | 1"]
            goes = rng.choice([f"y < {most}", f"2 * y + 1 < {most}"])
        else:
            start = f"({u})(x & 0x7fff)"
            steps = ["y / 2", "y / 3", "y >> 1", "y >> 2"] if rng.random() < 0.8 else ["y & (y - 1)"]
            goes = rng.choice(["y", "y > 0", f"y > {most}"])
        step = rng.choice(steps)
        if rng.random() < 0.4:
            step = f"x >> (k & 7) & 1 ? {rng.choice(steps)} : {step}"
        text = head(t, "uint32_t", t) + self.count(t)
        text += f"  for (uint32_t i = 0; i < n; i++) {{\n    {t} x = in[i];\n    {u} y = {start};\n    uint32_t k = 0, s = 0;\n"
        body = f"      s = s * {rng.choice([1, 3])} + (uint32_t)y;\n"
        if rng.random() < 0.3:
            body += f"      if ({self.e.condition([('x', t), ('k', 'uint32_t')], 1)})\n        break;\n"
        body += f"      y = {step};\n      k++;\n"
        text += rng.choice([f"    while ({goes}) {{\n{body}    }}\n", f"    do {{\n{body}    }} while ({goes});\n"])
        return self.program("bounded", text + "    out[i] = s ^ k;\n  }\n  *len = n * 4;\n}\n", t, t)

    def padded(self):
        """A loop that reads in its first or in its last iterations alone."""
        rng, t, u = self.rng, self.type(), self.type()
        count, skipped = rng.choice([5, 16, 64, 100]), rng.choice([1, 3, 16])
        counter = rng.choice(["uint32_t", "int32_t"])
        order, many = rng.choice([("i < n", count), ("i < n", count), ("i <= n - 1", count),
                                  (f"i >= {skipped}", f"n + {skipped}"), (f"i > {skipped - 1}", f"n + {skipped}")])
        place = f"i - {skipped}" if "n +" in str(many) else "i"
        if order == "i <= n - 1":
            counter = "int32_t"
        text = head(t, u, t) + f"  {counter} n = *len / {SIZE[t]};\n  {u} s = {constant(rng, u)};\n"
        text += f"  for ({counter} i = 0; i < {many}; i++) {{\n"
        env = [("x", t), ("s", u)] + ([("i", counter)] if rng.random() < 0.5 else [])
        other = rng.choice(["0", constant(rng, t), "x"])
        if other == "x":
            text = text.replace("  for (", f"  {t} x = {constant(rng, t)};\n  for (", 1)
            text += f"    if ({order})\n      x = in[{place}];\n"
        else:
            text += f"    {t} x = {order} ? in[{place}] : {other};\n"
        if rng.random() < 0.5:
            text += f"    s = {self.e.make(u, env, 1)};\n"
        text += f"    out[i] = {seen(u, self.e.make(u, env, self.depth))};\n  }}\n"
        return self.program("padded", text + f"  *len = ({many}) * {SIZE[u]};\n}}\n", t, t)

    def single(self):
        more = [self.filtered] * 2 + [self.ends] * 2 + [self.searched, self.tables, self.bounded, self.padded]
        return super().single() if self.rng.random() < 0.7 else self.rng.choice(more)()

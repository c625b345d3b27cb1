"""Shapes of random handlers that keep records: static and local tables of them, records that hold
arrays and records, pointers to them, whole ones that are copied.

Used by fuzz-handlers.py.
"""
from handlergen import FLOATS, INTS, constant, is_float, seen
from handlerrecords import Records
from handlershapes import head


class Tables(Records):
    def layout(self, name, depth):
        """Declarations of a structure and those it holds, and its numbers: (path, type), where a path
        has an index for each array in it as `%`."""
        rng = self.rng
        family = rng.choice([INTS, INTS + FLOATS, ["uint32_t"], ["uint8_t", "uint16_t", "uint32_t"]])
        before, members, numbers = "", "", []
        for k in range(rng.choice([2, 2, 3, 5])):
            m, kind = f"m{k}", rng.choice(["number"] * 4 + ["array"] * 2 + ["record", "records"] * (depth > 0))
            if kind in ("number", "array"):
                t, count = rng.choice(family), rng.choice([2, 4])
                members += f"  {t} {m}{f'[{count}]' if kind == 'array' else ''};\n"
                numbers.append((m + (f"[% & {count - 1}]" if kind == "array" else ""), t))
                continue
            inner = f"{name}_{m}"
            text, parts = self.layout(inner, depth - 1)
            before += text
            members += f"  struct {inner} {m}{'[2]' if kind == 'records' else ''};\n"
            numbers += [(m + ("[% & 1]" if kind == "records" else "") + "." + path, t) for path, t in parts]
        return before + f"struct {name} {{\n{members}}};\n", numbers

    def place(self, record, path, indices):
        while "%" in path:
            path = path.replace("%", self.rng.choice(indices), 1)
        return record + path

    def indices(self, t, count):
        """Expressions that are below `count`, a power of two."""
        some = [f"(i & {count - 1})", f"((i * 5 + 1) & {count - 1})", str(self.rng.randrange(count))]
        return some + ([] if is_float(t) else [f"((uint32_t)x & {count - 1})", f"((uint32_t)x >> 3 & {count - 1})"] * 2)

    def stored(self, place, t, env):
        return f"    {place} = {seen(t, self.e.make(t, env, self.depth))};\n"

    def table(self):
        rng, t, m = self.rng, self.type(), self.type()
        declared, numbers = self.layout("cell", 1)
        count, kind = rng.choice([1, 2, 8, 64]), rng.choice(["static", "static", "local", "filled", "given"])
        given = "{" + ", ".join(["{0}", "{0}"][:count]) + "}" if kind == "filled" else None
        text, variable = declared, f"struct cell c[{count}]"
        if kind == "static":
            text += f"static {variable};\n"
        elif kind == "given":  # initial values of the first members
            values = [f"[{rng.randrange(count)}] = {{{rng.randrange(100)}}}"]
            plain = "." not in numbers[0][0] and "[" not in numbers[0][0]
            text += f"static {variable}{' = {' + ', '.join(values) + '}' if plain else ''};\n"
        u = self.type()
        another = rng.random() < 0.3 and kind in ("static", "given")
        text += f"static struct cell d[{count}];\n" if another else ""
        text += head(t, u, m) + self.count(t)
        if kind == "filled":
            text += f"  {variable} = {given};\n"
        elif kind == "local":
            text += f"  {variable};\n  for (int i = 0; i < {count}; i++) {{\n"
            text += "".join(f"  {line}" for path, v in numbers for line in self.every("c[i].", path, v))
            text += "  }\n"
        indices, env = self.indices(t, count), []
        text += "  for (uint32_t i = 0; i < n; i++) {\n" + self.operands(t, m, env, "    ")
        record = "p->" if rng.random() < 0.5 else f"c[{rng.choice(indices)}]."
        if record == "p->":
            place = f"&c[{rng.choice(indices)}]"
            if another:
                place = f"{self.e.condition(env, 2)} ? &d[{rng.choice(indices)}] : {place}"
            text += f"    struct cell *p = {place};\n"
        other = f"c[{rng.choice(indices)}]."
        inner = ["i", "i / 2", "1"] + ([] if is_float(t) else ["(uint32_t)x"])
        for path, v in rng.sample(numbers, min(len(numbers), 3)):
            env.append((self.place(rng.choice([record, record, other]), path, inner), v))
        whole = rng.choice(["", "", "", "assign", "swap"])
        if whole:
            a, b = (f"c[{rng.choice(indices)}]" for _ in "ab")
            path, v = rng.choice(numbers)
            text += f"    struct cell w = {a};\n"
            text += f"    {a} = {b};\n" if whole == "swap" else ""
            text += self.stored(self.place("w.", path, inner), v, env) + f"    {b} = w;\n"
        for path, v in rng.sample(numbers, min(len(numbers), rng.choice([1, 2, 3]))):
            text += self.stored(self.place(rng.choice([record, record, other]), path, inner), v, env)
        text += f"    out[i] = {seen(u, self.e.make(u, env, self.depth))};\n  }}\n"
        text += f"  *len = n * sizeof({u});\n}}\n"
        return self.program("kept records", text, t, m)

    def every(self, record, path, t):
        """Assignments of all numbers that a path stands for."""
        if "%" not in path:
            return [f"  {record}{path} = {constant(self.rng, t)};\n"]
        at = path.index("[%")
        behind = path.index("]", at)
        size = int(path[at:behind].split("& ")[1]) + 1
        return [line for k in range(size) for line in self.every(record, f"{path[:at]}[{k}]{path[behind + 1:]}", t)]

    def single(self):
        return super().single() if self.rng.random() < 0.9 else self.table()

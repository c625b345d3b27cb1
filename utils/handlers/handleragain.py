"""Shapes of random handlers that read the packet more than once, call a function with loops several times,
fill words byte by byte, and look for elements by pointers that may be null.

Used by fuzz-handlers.py.
"""
from handlergen import SIZE, constant, is_float, seen
from handlershapes import Shapes, head


class Again(Shapes):
    def again(self):
        return self.rng.choice([self.passes, self.passes, self.called, self.parts, self.found])()

    def passes(self):
        """Loops over the packet, or parts of it, of which later ones read what earlier ones have read."""
        rng, t = self.rng, self.type()
        self.e.types = [t]
        most = rng.choice([16, 40, 64, 200])
        text = head(t, t, "uint32_t") + self.count(t)
        fixed = rng.random() < 0.4
        bound = str(most) if fixed else rng.choice(["n", "n", f"(n < {most // 2} ? n : {most // 2})"])
        if not fixed:
            text += f"  if (n < 4 || n > {most}) {{\n    *len = 0;\n    return;\n  }}\n"
        text += f"  {t} s = {constant(rng, t)};\n"
        for _ in range(rng.choice([1, 1, 2])):
            first, step = rng.choice([0, 0, 0, 1, 3]), rng.choice([1, 1, 1, 2])
            count = bound if step == 1 else f"({bound}) / 2"
            text += f"  for (uint32_t i = {first if step == 1 else 0}; i < {count}; i++) {{\n"
            text += f"    {t} x = in[i];\n" if step == 1 else f"    {t} x = in[2 * i], y = in[2 * i + 1];\n"
            env = [("x", t), ("s", t)] + ([("y", t)] if step == 2 else [])
            one = seen(t, self.e.make(t, env, 1))  # each word counts, or LLVM reads the last one alone
            text += f"    s = {seen(t, f'(s + {one}) * x')};\n  }}\n" if is_float(t) else f"    s = ({t})((uint64_t)s * 5 + (uint64_t)x + (uint64_t)({one}));\n  }}\n"
            if rng.random() < 0.3:
                text += f"  if ({self.e.condition([('s', t)], 1)})\n    s = {constant(rng, t)};\n"
        start = rng.choice([0, 0, 0, 1, 2]) if fixed else 0  # of others it is not always known that they go back
        end = "n" if not fixed or rng.random() < 0.3 else str(most)
        text += f"  uint32_t o = 0;\n  for (uint32_t i = {start}; i < {end}; i++) {{\n    {t} x = in[i];\n"
        text += f"    out[o++] = {seen(t, self.e.make(t, [('x', t), ('x', t), ('s', t)], self.depth))};\n  }}\n"
        text += f"  *len = o * {SIZE[t]};\n}}\n"
        return self.program("again", text, t, "uint32_t", fixed=most)

    def called(self):
        """A function with a local array and loops, called several times."""
        rng, t = self.rng, self.type()
        self.e.types = [t]
        count = rng.choice([8, 16, 24])
        env = [("w[i]", t), ("a[i]", t), ("s", t)]
        text = f"static {t} mix(const {t} *a, {t} s) {{\n  {t} w[{count}];\n"
        for _ in range(rng.choice([1, 2])):
            text += "#pragma nounroll\n" * (rng.random() < 0.6)
            text += f"  for (int i = 0; i < {count}; i++)\n    w[i] = {seen(t, self.e.make(t, [('a[i]', t), ('a[i]', t), ('s', t)], self.depth))};\n"
        text += "#pragma nounroll\n" * (rng.random() < 0.6)
        text += f"  for (int i = {rng.choice([0, 1])}; i < {count}; i++)\n    s = {seen(t, self.e.make(t, env, 1))};\n  return s;\n}}\n"
        text += head(t, t, "uint32_t") + f"  {t} a[{count}], b[{count}], s = {constant(rng, t)};\n"
        text += f"  for (int i = 0; i < {count}; i++)\n    a[i] = in[i];\n"
        pushes = 0
        for _ in range(rng.choice([2, 3, 4])):
            kind = rng.random()
            if kind < 0.5:
                text += f"  s = mix({rng.choice('aab') if pushes else 'a'}, s);\n"
            elif kind < 0.7:
                text += f"  for (int k = 0; k < {rng.choice([2, 3])}; k++)\n    s = mix(a, {seen(t, self.e.make(t, [('s', t)], 1))});\n"
            else:
                text += f"  if ({self.e.condition([('s', t)], 1)})\n    s = mix(a, s);\n"
            text += f"  for (int i = 0; i < {count}; i++)\n    b[i] = {seen(t, self.e.make(t, [('a[i]', t), ('s', t)], 1))};\n"
            text += f"  acis_push(out, {seen(t, 's')});\n"
            pushes += 1
            if rng.random() < 0.4:
                text += f"  for (int i = 0; i < {count}; i++)\n    a[i] = b[{count - 1} - i];\n"
        text += f"  for (int i = 0; i < {count}; i++)\n    acis_push(out, {seen(t, 'b[i]')});\n"
        text += f"  *len = {(count + pushes) * SIZE[t]};\n}}\n"
        return self.program("called", text, t, "uint32_t", fixed=count)

    def parts(self):
        """Words that are filled or looked at by bytes or halves, at places that data or counters say."""
        rng = self.rng
        part, words = rng.choice(["uint8_t", "uint8_t", "uint16_t"]), rng.choice([4, 16, 20])
        each = 4 // SIZE[part]
        total = words * each
        static = "static " * (rng.random() < 0.3)
        initial = " = {1, 0x20304, 3, 0xfffefdfc}" if rng.random() < 0.5 else " = {0}"
        text = f"typedef {part} __attribute__((may_alias)) part;\n"
        text += head(part, "uint32_t", "uint32_t") + f"  uint32_t n = *len / {SIZE[part]}, s = 7;\n  {static}uint32_t w[{words}]{initial};\n"
        text += f"  part *p = (part *)w;\n  if (n > {total})\n    n = {total};\n"
        place = rng.choice(["i", "i", f"{total - 1} - i", f"(i * 5) % {total}"])
        text += f"  for (uint32_t i = 0; i < n; i++)\n    p[{place}] {rng.choice(['=', '^=', '+='])} in[i];\n"
        if rng.random() < 0.5:
            text += f"  p[n % {total}] = 0x80;\n"
        if rng.random() < 0.5:
            text += f"  for (int i = 0; i < {words}; i++)\n    w[i] = w[i] * 3 + {rng.choice(['s', f'w[(i + 1) % {words}]', '5'])};\n"
        for _ in range(rng.choice([1, 2])):
            at = rng.choice([f"w[i % {words}]", f"p[(s ^ i) % {total}]", f"w[s % {words}]", f"p[i]"])
            text += f"  for (uint32_t i = 0; i < {total}; i++)\n    s = (s << 5 | s >> 27) + {at};\n"
        text += f"  out[0] = s;\n  for (int i = 0; i < {words}; i++)\n    out[i + 1] = w[i];\n  *len = {4 * words + 4};\n}}\n"
        return self.program("parts of words", text, part, "uint32_t")

    def found(self):
        """A table of records, searched by a function that gives a pointer to a member, to a record, or null."""
        rng = self.rng
        size, key = rng.choice([4, 8, 16]), rng.choice(["uint32_t", "uint8_t", "uint16_t"])
        value = rng.choice(["uint32_t", "uint16_t", "int32_t"])
        members = [f"{key} key;", f"{value} value;", "uint8_t used;", f"{value} list[4];"]
        rng.shuffle(members)
        what = rng.choice(["record", "member", "element"])
        kind = "struct entry" if what == "record" else value
        place = {"record": "&t[i]", "member": "&t[i].value", "element": "&t[i].list[k & 3]"}[what]
        use = {"record": "p->value", "member": "*p", "element": "*p"}[what]
        text = f"struct entry {{ {' '.join(members)} }};\nstatic struct entry t[{size}];\n"
        text += f"static {kind} *find(uint32_t k) {{\n  for (int i = 0; i < {size}; i++)\n    if (t[i].used && t[i].key == ({key})k)\n      return {place};\n  return 0;\n}}\n"
        text += head("uint32_t", "uint32_t", "uint32_t") + "  uint32_t n = *len / 4;\n  for (uint32_t i = 0; i < n; i++) {\n"
        text += f"    uint32_t k = in[i] % {rng.choice([size, 2 * size, 24])}, r = 99;\n    {kind} *p = find(k);\n"
        change = rng.choice([f"{use} += i", f"{use}++", f"{use} ^= k"])
        slot = rng.choice([f"i % {size}", f"k % {size}"])
        fill = f"t[{slot}].used = 1;\n      t[{slot}].key = k;\n      t[{slot}].value = {rng.choice(['0', 'i', 'k'])};\n      t[{slot}].list[k & 3] = i;"
        test = rng.choice(["p", "p != 0", "!p"])
        one, other = f"r = {use};\n      {change};", fill
        if test == "!p":
            one, other = other, one
        text += f"    if ({test}) {{\n      {one}\n    }} else {{\n      {other}\n    }}\n    out[i] = r;\n  }}\n  *len = 4 * n;\n}}\n"
        return self.program("found", text, "uint32_t", "uint32_t")

    def single(self):
        return super().single() if self.rng.random() < 0.9 else self.again()

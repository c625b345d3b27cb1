"""Shapes of random handlers that walk through a packet by steps that it says, as over options or frames:
by an index, by a pointer, or by what is left; with tests of lengths, kinds that are one byte, steps that
are rounded up, loops over what an item holds, tables of kinds, and more than one walk.

Used by fuzz-handlers.py.
"""
from handlergen import INTS, SIZE, cast, constant, seen
from handlershapes import Shapes, head


class Walks(Shapes):
    def item_field(self, env, header):
        """A field of the item's header, which the loop's test says is there."""
        rng = self.rng
        t = rng.choice([u for u in INTS if SIZE[u] <= header])
        at = rng.randrange(header - SIZE[t] + 1)
        name = self.e.fresh("f")
        env.append((name, t))
        return f"{t} {name};\n    memcpy(&{name}, {self.item_place} + {at}, {SIZE[t]});\n"

    def item_step(self, header):
        """What an item has behind its header: bytes, at most 70; and whether it is certain to be there."""
        rng = self.rng
        least = rng.choice([0, 0, 1, 3])
        mask = rng.choice([1, 3, 7, 15, 31, 63])
        return f"({self.item_place}[{rng.randrange(header)}] & {mask}) + {least}"

    def item_rest(self):
        """Bytes from the position on."""
        return {"index": "n - p", "pointer": "(uint32_t)(end - p)", "left": "n"}[self.item_form]

    def item_move(self, by):
        return {"index": f"p += {by};", "pointer": f"p += {by};", "left": f"p += {by}, n -= {by};"}[self.item_form]

    def item_test(self, header):
        rng = self.rng
        tests = {"index": [f"p + {header} <= n", f"n >= {header} && p <= n - {header}", f"p + {header - 1} < n"],
                 "pointer": [f"end - p >= {header}", f"p + {header} <= end"],
                 "left": [f"n >= {header}", f"n > {header - 1}"]}
        return rng.choice(tests[self.item_form])

    def items(self, number, env, start):
        rng = self.rng
        header = rng.choice([1, 2, 2, 4, 6])
        self.item_place = "(in + p)" if self.item_form == "index" else "p"
        checks = self.item_form == "left" or rng.random() < 0.5
        pads = self.item_form != "left" and rng.random() < 0.2
        text = f"  while ({self.item_test(header)}{' && o < 200' if rng.random() < 0.2 else ''}) {{\n"
        own = list(env)
        for _ in range(rng.choice([1, 2, 3])):
            text += "    " + self.item_field(own, header)
        if header == 2 and rng.random() < 0.3:
            text += f"    if ({self.item_place}[0] == 1) {{\n      {self.item_move(1)}\n      continue;\n    }}\n"
        if rng.random() < 0.2:
            text += f"    if ({self.e.condition(own, 1)})\n      break;\n"
        text += f"    uint32_t l = {self.item_step(header)};\n"
        if checks:
            text += f"    if (l > {self.item_rest()} - {header})\n      break;\n"
            own.append(("l", "uint32_t"))
            if rng.random() < 0.3:
                text += f"    uint8_t x = 0;\n    for (uint32_t k = 0; k < l; k++)\n      x = x * 3 + {self.item_place}[{header} + k];\n"
                own.append(("x", "uint8_t"))
        if self.item_counts:
            text += f"    {self.item_counts}[{self.item_place}[0] & 15]{rng.choice(['++', ' += l', ' ^= o'])};\n"
        kept, t = rng.choice(env)
        if rng.random() < 0.5:
            text += f"    {kept} = {seen(t, self.e.make(t, own, self.depth))};\n"
        guard = f"if ({self.e.condition(own, 1)})\n      " if rng.random() < 0.4 else ""
        text += f"    {guard}out[o++] = {seen('uint32_t', cast(rng, self.e.make(t, own, self.depth), t, 'uint32_t'))};\n"
        text += "    " + self.item_move(f"(({header} + l + 3) & ~3u)" if pads else f"{header} + l") + "\n  }\n"
        return text

    def through(self):
        rng = self.rng
        self.e.types = rng.sample(INTS, 2)
        self.item_form = rng.choice(["index", "index", "pointer", "left"])
        self.item_counts = self.e.fresh("seen") if rng.random() < 0.3 else ""
        env = [(f"h{k}", rng.choice(self.e.types)) for k in range(2)]
        text = "#include <string.h>\n" + (f"static uint32_t {self.item_counts}[16];\n" if self.item_counts else "")
        text += head("uint8_t", "uint32_t", "uint32_t") + "  uint32_t n = *len, o = 0;\n"
        text += "".join(f"  {t} {name} = {constant(rng, t)};\n" for name, t in env)
        start = rng.choice(["0", "0", "8", "4 + (in[1] & 12)"])
        text += "  if (n < 24) {\n    *len = 0;\n    return;\n  }\n"
        text += {"index": f"  uint32_t p = {start};\n", "pointer": f"  const uint8_t *p = in + {start}, *end = in + n;\n",
                 "left": f"  const uint8_t *p = in + {start};\n  n -= (uint32_t)(p - in);\n"}[self.item_form]
        text += self.items(0, env, start)
        if rng.random() < 0.2:
            text += {"index": "  p = 0;\n", "pointer": "  p = in;\n", "left": "  p = in, n = *len;\n"}[self.item_form]
            text += self.items(1, env, "0")
        for name, t in env:
            text += f"  out[o++] = {cast(rng, name, t, 'uint32_t')};\n"
        if self.item_counts:
            text += f"  for (int k = 0; k < 16; k++)\n    out[o++] = {self.item_counts}[k];\n"
        text += "  *len = o * 4;\n}\n"
        return self.program("walks", text, "uint8_t", "uint32_t", fixed=rng.choice([24, 60, 300]))

    def single(self):
        return super().single() if self.rng.random() < 0.95 else self.through()

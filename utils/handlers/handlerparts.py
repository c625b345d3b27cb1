"""Shapes of random handlers that work in place on two places of an array whose distance a launch or data
brings: parts that never meet, and others that just do.

Used by fuzz-handlers.py.
"""
from handlergen import SIZE, seen
from handlershapes import Shapes, head


class Parts(Shapes):
    def in_place(self):
        rng, t, size = self.rng, self.type(), 64
        self.e.types = [t]
        text = head(t, t, "uint32_t") + f"  static {t} a[{size}];\n"
        text += f"  for (uint32_t i = 0; i < {size}; i++)\n    a[i] = in[i];\n"
        start, step = rng.choice([("1", "h *= 2"), ("2", "h += 3"), ("3", "h = h * 2 + 1")])
        gap = rng.choice(["h", "h", "h", "h - 1", "h + 1", "2 * h - 1 - 2 * j", "h + h / 2", "(h & 7) + 8"])
        count = rng.choice(["h", "h", "h", "h - 1", "h / 2"] + ["8", "h + 1"] * ("j" not in gap))
        pace = rng.choice([1, 1, 1, 2])
        guard = f"if (i + j + {gap} < {rng.choice([size, size // 2])} && (a[{size - 1}] == a[i] || j != 3)) " if rng.random() < 0.2 else ""
        outer = rng.choice([0, 0, 1])
        text += f"  for (uint32_t h = {start}; h < {size // 4}; {step}) {{\n"
        text += f"    for (uint32_t i = 0; i < {size // 4}; i += 2 * h)\n" if outer else "    const uint32_t i = h & 3;\n"
        text += f"    for (uint32_t j = 0; j < {count}; j += {pace}) {guard}{{\n"
        text += f"      {t} u = a[i + j], v = a[i + j + {gap}];\n"
        env = [("u", t), ("v", t)]
        first, second = rng.sample([f"a[i + j]", f"a[i + j + {gap}]"], 2)
        text += f"      {first} = {seen(t, self.e.make(t, env, self.depth))};\n"
        if rng.random() < 0.8:
            text += f"      {second} = {seen(t, self.e.make(t, env, 1))};\n"
        text += f"    }}\n  }}\n  for (uint32_t i = 0; i < {size}; i++)\n    out[i] = a[i];\n"
        return self.program("in_place", text + f"  *len = {size * SIZE[t]};\n}}\n", t, "uint32_t", fixed=size)

    def single(self):
        return super().single() if self.rng.random() < 0.95 else self.in_place()

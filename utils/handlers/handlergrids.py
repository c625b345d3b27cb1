"""Shapes of random handlers that go through rows and columns of the packet, that read a header with parts where
data says and then the packet, and that have short loops of arrays behind conditions of data.

Used by fuzz-handlers.py.
"""
from handlergen import SIZE, constant, seen
from handlershapes import Shapes, head


class Grids(Shapes):
    def grids(self):
        return self.rng.choice([self.window, self.window, self.beginning, self.beginning, self.decided])()

    def window(self):
        """Rows of a constant width: windows of rows and columns, with or without the borders."""
        rng, t = self.rng, self.type()
        self.e.types = [t]
        width, tall, wide = rng.choice([4, 8, 16]), rng.choice([1, 2, 3]), rng.choice([1, 2, 3])
        down, right = (tall if rng.random() < 0.4 else 1), (wide if rng.random() < 0.4 else 1)
        middle = tall == 3 and wide == 3 and down == right == 1 and rng.random() < 0.6
        text = head(t, t, "uint32_t") + f"  uint32_t rows = *len / {SIZE[t] * width}, o = 0;\n"
        env = []
        if middle:
            text += f"  for (uint32_t r = 0; r < rows; r++)\n    for (uint32_t c = 0; c < {width}; c++) {{\n      {t} x = {constant(rng, t)};\n"
            text += f"      if (r > 0 && r + 1 < rows && c > 0 && c + 1 < {width}) {{\n"
            text += f"        const {t} *at = in + r * {width} + c;\n"
            for k in range(rng.choice([2, 4, 6])):
                place = rng.choice([-width - 1, -width, -width + 1, -1, 0, 1, width - 1, width, width + 1])
                text += f"        {t} a{k} = at[{place}];\n"
                env.append((f"a{k}", t))
            text += f"        x = {seen(t, self.e.make(t, env, self.depth))};\n      }}\n      out[o++] = x;\n    }}\n"
        else:
            text += f"  for (uint32_t r = 0; r + {tall - 1} < rows; r += {down})\n    for (uint32_t c = 0; c + {wide - 1} < {width}; c += {right}) {{\n"
            for k in range(tall):
                for j in range(wide):
                    if rng.random() < 0.8 or (k, j) in ((0, 0), (tall - 1, wide - 1)):
                        text += f"      {t} a{k}{j} = in[(r + {k}) * {width} + c + {j}];\n"
                        env.append((f"a{k}{j}", t))
            store = f"out[o++] = {seen(t, self.e.make(t, env, self.depth))};"
            if rng.random() < 0.3:
                store = f"if ({self.e.condition(env, 1)})\n        {store}"
            text += f"      {store}\n    }}\n"
        text += f"  *len = o * {SIZE[t]};\n}}\n"
        return self.program("window", text, t, "uint32_t", fixed=width * rng.choice([1, 3, 5, 8]))

    def beginning(self):
        """Header fields of which some are at places that data says; then loops over the packet or its rest."""
        rng, t = self.rng, rng_type(self.rng)
        most = rng.choice([3, 7, 15])
        text = head(t, t, "uint32_t") + f"  uint32_t n = *len / {SIZE[t]}, o = 0, s = 1;\n"
        if rng.random() < 0.7:
            text += f"  if (n < {most + 5}) {{\n    *len = 0;\n    return;\n  }}\n"
        scale = rng.choice([1, 1, 2])
        text += f"  uint32_t at = {rng.choice([0, 1, 2])} + {scale} * ((uint32_t)in[{rng.choice([0, 1])}] & {most // scale});\n"
        for _ in range(rng.choice([1, 2, 3])):
            kind = rng.random()
            if kind < 0.5:
                text += f"  s = s * 31 + (uint32_t)in[at + {rng.choice([0, 1, 2])}];\n"
            elif kind < 0.8:
                text += f"  if (s & {rng.choice([1, 2, 4])})\n    s ^= (uint32_t)in[at] << 3;\n"
            else:
                text += f"  s += (uint32_t)in[{rng.choice([2, 3, 4])}];\n"
        if rng.random() < 0.3:
            text += "  if (s % 7 == 3) {\n    *len = 0;\n    return;\n  }\n"
        text += f"  out[o++] = ({t})s;\n"
        start = rng.choice(["0", "0", "1", "at", f"at + {rng.choice([1, 2])}", "(s & 1 ? 2 : 4)"])
        body = rng.choice([f"out[o++] = ({t})((uint32_t)in[i] + s);", "s = s * 5 + (uint32_t)in[i];", "if (i >= at)\n      out[o++] = in[i];", f"if (in[i] & 1)\n      out[o++] = in[i];"])
        text += f"  for (uint32_t i = {start}; i < n; i++)\n    {body}\n  out[o++] = ({t})(s >> 3);\n  *len = o * {SIZE[t]};\n}}\n"
        return self.program("beginning", text, t, "uint32_t", fixed=rng.choice([most + 6, 40, 100]))

    def decided(self):
        """Loops of a static array behind conditions of the data, between other loops."""
        rng = self.rng
        size = rng.choice([4, 8])
        text = f"static uint32_t w[{size}], past[16];\n" + head("uint32_t", "uint32_t", "uint32_t")
        text += f"  uint32_t n = *len / 4, o = 0;\n  for (uint32_t i = 0; i < n; i++) {{\n    uint32_t x = in[i], y = {rng.choice(['x', 'i', '3'])}, g = x % {size};\n"
        loops = [f"for (int j = 0; j < {size}; j++)\n{{pad}}  y {rng.choice(['+=', '^='])} w[j] {rng.choice(['+ x', '<< j', '* 3'])};",
                 f"for (int j = 0; j < {size}; j++)\n{{pad}}  w[j] {rng.choice(['+=', '^='])} {rng.choice(['x', 'y', 'x >> j'])};",
                 f"for (int j = 1; j < {size}; j++)\n{{pad}}  if (w[j] < w[y % {size}])\n{{pad}}    y = j;",
                 f"for (int j = 0; j < 3 && (w[g] & 1); j++)\n{{pad}}  w[g] >>= 1;"]
        simple = ["w[g] += x;", "y = past[x % 16];", "past[y % 16] = x ^ y;", "y += 1000 / (g + 1);"]
        one = lambda pad: rng.choice(loops).replace("{pad}", pad) if rng.random() < 0.5 else rng.choice(simple)  # noqa: E731
        test = lambda: rng.choice([f"x & {rng.choice([1, 2, 4])}", "y > x", f"w[g] > {rng.choice([9, 1000])}", f"x % 3 == {rng.choice([0, 1])}"])  # noqa: E731
        for _ in range(rng.choice([1, 2, 2])):
            both = rng.choice([f"{test()} && {test()}", f"!({test()}) || {test()}", test()])
            text += f"    if ({both}) {{\n      {one('      ')}\n      {one('      ')}\n    }}"
            if rng.random() < 0.5:
                text += f" else if ({test()}) {{\n      {one('      ')}\n    }}"
            if rng.random() < 0.3:
                text += f" else {{\n      {one('      ')}\n    }}"
            text += "\n"
        if rng.random() < 0.3:
            text += f"    if ({test()})\n      continue;\n"
        text += rng.choice(["    out[o++] = y;\n", f"    if ({test()})\n      out[o++] = y + w[g];\n"])
        text += "  }\n  *len = o * 4;\n}\n"
        return self.program("decided", text, "uint32_t", "uint32_t")

    def single(self):
        return super().single() if self.rng.random() < 0.9 else self.grids()


def rng_type(rng):
    return rng.choice(["uint8_t", "uint8_t", "uint16_t", "uint32_t", "int32_t"])

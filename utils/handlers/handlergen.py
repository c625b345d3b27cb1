"""Random C handlers whose meaning is fixed by C, and packets for them.

Used by fuzz-handlers.py. No handler has undefined behaviour (signed arithmetic is done in
unsigned types, shifts are masked, conversions of floating point are guarded) and none
lets a NaN be seen: C does not say which one it is, and what is sent or stored is 0 instead.
"""
import struct

INTS = ["int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t"]
FLOATS = ["float", "double"]
CODE = dict(zip(INTS + FLOATS, "bBhHiIqQfd"))
SIZE = {t: struct.calcsize("<" + c) for t, c in CODE.items()}

PRELUDE = """#include <acis.h>
static inline float seen_float(float v) { return v == v ? v : 0.0f; }
static inline double seen_double(double v) { return v == v ? v : 0.0; }
static inline float small_float(float v) { return v > -1.0e30f && v < 1.0e30f ? v : 0.0f; }
static inline double small_double(double v) { return v > -1.0e30 && v < 1.0e30 ? v : 0.0; }
static inline int32_t to_int32_t(double v) { return v > -2147483649.0 && v < 2147483648.0 ? (int32_t)v : 7; }
static inline uint32_t to_uint32_t(double v) { return v > -1.0 && v < 4294967296.0 ? (uint32_t)v : 7; }
static inline int64_t to_int64_t(double v) { return v > -9.0e18 && v < 9.0e18 ? (int64_t)v : 7; }
static inline uint64_t to_uint64_t(double v) { return v > -1.0 && v < 1.8e19 ? (uint64_t)v : 7; }
static inline int32_t near_int32_t(float v) { return v > -2147483520.0f && v < 2147483520.0f ? (int32_t)v : 7; }
static inline uint32_t near_uint32_t(float v) { return v > -1.0f && v < 4294967040.0f ? (uint32_t)v : 7; }
"""


def is_float(t):
    return t in FLOATS


def is_signed(t):
    return not t.startswith("u")


def bits(t):
    return 8 * SIZE[t]


def unsigned(t):
    return "uint64_t" if SIZE[t] == 8 else "uint32_t"


def seen(t, text):
    return f"seen_{t}({text})" if is_float(t) else text


def cast(rng, text, source, to):
    if source == to:
        return text
    if not is_float(source) or is_float(to):
        return f"({to})({text})"
    wide = to if SIZE[to] >= 4 else "int32_t"
    if source == "float" and SIZE[wide] == 4:
        text = f"near_{wide}({text})"
    else:
        text = f"to_{wide}({text})"
    return text if wide == to else f"({to}){text}"


def constant(rng, t):
    if t == "float":
        return rng.choice(["0.0f", "-0.0f", "1.0f", "-1.5f", "0.1f", "3.0e38f", "1.0e-40f", "16777217.0f", "2.5f", "-7.0f"])
    if t == "double":
        return rng.choice(["0.0", "-0.0", "1.0", "-1.5", "0.1", "1.0e308", "4.0e-320", "9007199254740993.0", "2.5", "-7.0"])
    n = bits(t)
    low, high = (-(1 << n - 1), (1 << n - 1) - 1) if is_signed(t) else (0, (1 << n) - 1)
    value = rng.choice([0, 1, 2, 3, 5, 7, 10, 100, low, high, high - 1, rng.randint(low, high), rng.randint(low, high) >> n // 2])
    value = min(max(value, low), high)
    suffix = ("" if is_signed(t) else "u") + ("ll" if n == 64 else "")
    if value == low and is_signed(t):
        return f"({t})(-{high}{suffix} - 1)"
    return f"({t})({value}{suffix})"


class Expressions:
    """Expressions over the variables of `env`, a list of (name, type)."""

    def __init__(self, rng, types):
        self.rng, self.types, self.names = rng, types, 0

    def fresh(self, stem="v"):
        self.names += 1
        return f"{stem}{self.names}"

    def leaf(self, t, env):
        same = [n for n, u in env if u == t]
        if same and self.rng.random() < 0.8:
            return self.rng.choice(same)
        if env and self.rng.random() < 0.6:
            name, u = self.rng.choice(env)
            return cast(self.rng, name, u, t)
        return constant(self.rng, t)

    def make(self, t, env, depth):
        if depth <= 0 or self.rng.random() < 0.12:
            return self.leaf(t, env)
        if self.rng.random() < 0.12:
            u = self.rng.choice(self.types)
            return cast(self.rng, self.make(u, env, depth - 1), u, t)
        if self.rng.random() < 0.2:
            return f"({self.condition(env, depth - 1)} ? {self.make(t, env, depth - 1)} : {self.make(t, env, depth - 1)})"
        return self.floating(t, env, depth) if is_float(t) else self.integer(t, env, depth)

    def floating(self, t, env, depth):
        a, b = self.make(t, env, depth - 1), self.make(t, env, depth - 1)
        kind = self.rng.choice(["+", "-", "*", "+", "-", "*", "/", "min", "max", "neg", "abs", "sqrt", "mac"])
        f = "f" if t == "float" else ""
        if kind == "min" or kind == "max":
            x, y = self.leaf(t, env), self.leaf(t, env)
            order = self.rng.choice(["<", "<=", ">", ">="])
            return f"({x} {order} {y} ? {x} : {y})"
        if kind == "neg":
            return f"(-({a}))"
        if kind == "abs":
            return f"__builtin_fabs{f}({a})"
        if kind == "sqrt":
            return f"__builtin_fabs{f}({a})" if self.rng.random() < 0.7 else f"(({a}) / {constant(self.rng, t)})"
        if kind == "mac":
            return f"({a} * {b} {self.rng.choice('+-')} {self.leaf(t, env)})"
        if kind == "/" and self.rng.random() < 0.6:
            kind = "*"
        return f"({a} {kind} {b})"

    def integer(self, t, env, depth):
        rng, n, u = self.rng, bits(t), unsigned(t)
        a, b = self.make(t, env, depth - 1), self.make(t, env, depth - 1)
        kind = rng.choice(["+", "-", "*", "+", "-", "&", "|", "^", "<<", ">>", "min", "max", "neg", "not", "lnot", "cmp", "abs", "/", "%", "natural"])
        if kind in "+-*&|^":
            return f"({t})(({u})({a}) {kind} ({u})({b}))"
        if kind in ("<<", ">>"):
            by = str(rng.randrange(n)) if rng.random() < 0.7 else f"(({b}) & {n - 1})"
            return f"({t})({a} >> {by})" if kind == ">>" else f"({t})(({u})({a}) << {by})"
        if kind in ("min", "max"):
            x, y = self.leaf(t, env), self.leaf(t, env)
            return f"({x} {rng.choice(['<', '<=', '>', '>='])} {y} ? {x} : {y})"
        if kind == "neg":
            return f"({t})(0 - ({u})({a}))"
        if kind == "not":
            return f"({t})(~({a}))"
        if kind == "lnot":
            return f"({t})(!({a}))"
        if kind == "cmp":
            return f"({t})({self.condition(env, depth - 1)})"
        if kind == "abs":
            x = self.leaf(t, env)
            return f"({t})({x} < 0 ? 0 - ({u}){x} : ({u}){x})"
        if kind in "/%":
            if rng.random() < 0.5:
                return f"({t})({a} ^ {b})"
            by = str(rng.choice([2, 3, 5, 7, 8, 10, 64])) if rng.random() < 0.7 else f"(({b} & 7) + 1)"
            return f"({t})({a} {kind} {by})"
        if n < 32:  # as C promotes; cannot overflow
            return f"({t})({a} {rng.choice('+-')} {b})"
        return f"({a} {rng.choice('&|^')} {b})"

    def condition(self, env, depth):
        if depth > 1 and self.rng.random() < 0.25:
            return f"({self.condition(env, depth - 1)} {self.rng.choice(['&&', '||'])} {self.condition(env, depth - 1)})"
        t = self.rng.choice([u for _, u in env] or self.types)
        if self.rng.random() < 0.1:
            return f"!({self.make(t, env, depth - 1)})"
        order = self.rng.choice(["<", "<=", ">", ">=", "==", "!="])
        return f"({self.make(t, env, depth - 1)} {order} {self.make(t, env, depth - 1)})"

    def statements(self, env, count, depth, pad):
        """Statements that declare locals, which are added to env."""
        lines = []
        for _ in range(count):
            t, name = self.rng.choice(self.types), self.fresh()
            lines.append(f"{pad}{t} {name} = {self.make(t, env, depth)};")
            if self.rng.random() < 0.4:
                lines.append(f"{pad}if ({self.condition(env, 2)}) {{")
                lines.append(f"{pad}  {name} = {self.make(t, env + [(name, t)], depth - 1)};")
                if self.rng.random() < 0.4:
                    lines.append(f"{pad}  if ({self.condition(env, 1)})")
                    lines.append(f"{pad}    {name} = {self.make(t, env + [(name, t)], 1)};")
                if self.rng.random() < 0.5:
                    lines.append(f"{pad}}} else {{")
                    lines.append(f"{pad}  {name} = {self.make(t, env + [(name, t)], depth - 1)};")
                lines.append(f"{pad}}}")
            env.append((name, t))
        return lines


def number(rng, t, mode):
    """One element: plain, any bits, or one of the borders."""
    if mode == "mixed":
        mode = rng.choice(["plain", "plain", "any", "border"])
    if is_float(t):
        if mode == "plain":
            return rng.randrange(-400, 400) / 4
        if mode == "border":
            inf = float("inf")
            most, least = (3.4028234663852886e38, 1e-45) if t == "float" else (1.7976931348623157e308, 5e-324)
            return rng.choice([0.0, -0.0, inf, -inf, most, -most, least, -least, 1.0, -1.0, 0.5, 2.0**31, -(2.0**31), 2.0**32])
        value = struct.unpack("<" + CODE[t], rng.randbytes(SIZE[t]))[0]
        return value if value == value else 1.25
    n = bits(t)
    low, high = (-(1 << n - 1), (1 << n - 1) - 1) if is_signed(t) else (0, (1 << n) - 1)
    if mode == "plain":
        return rng.randrange(max(low, -50), min(high, 100))
    if mode == "border":
        return rng.choice([low, low + 1, high, high - 1, 0, 1, max(low, -1)])
    return rng.randint(low, high)


def numbers(rng, t, count, mode=None):
    mode = mode or rng.choice(["plain", "any", "border", "mixed"])
    return struct.pack(f"<{count}{CODE[t]}", *(number(rng, t, mode) for _ in range(count)))

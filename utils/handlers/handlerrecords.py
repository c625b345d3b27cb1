"""Shapes of random handlers over records whose members differ in size, of which they read some and
in any order, and send others.

Used by fuzz-handlers.py.
"""
from dataclasses import dataclass

from handlercounts import Counts
from handlergen import FLOATS, INTS, SIZE, constant, numbers, seen
from handlershapes import head


@dataclass
class Record:
    name: str
    members: list  # (name, type)
    packed: bool

    def declaration(self):
        packed = " __attribute__((packed))" if self.packed else ""
        members = "".join(f"  {t} {name};\n" for name, t in self.members)
        return f"struct{packed} {self.name} {{\n{members}}};\n"

    def places(self):
        """Offset of each member, and bytes of the whole, as the psABIs of both machines have them."""
        at, largest, offsets = 0, 1, []
        for _, t in self.members:
            align = 1 if self.packed else SIZE[t]
            at = -(-at // align) * align
            offsets.append(at)
            at, largest = at + SIZE[t], max(largest, align)
        return offsets, -(-at // largest) * largest

    def data(self, rng, count):
        offsets, size = self.places()
        result = bytearray(rng.randbytes(size * count))
        for (_, t), offset in zip(self.members, offsets):
            values = numbers(rng, t, count)
            for i in range(count):
                at = i * size + offset
                result[at:at + SIZE[t]] = values[i * SIZE[t]:(i + 1) * SIZE[t]]
        return bytes(result)


class Records(Counts):
    def some_record(self, name):
        rng = self.rng
        family = rng.choice([INTS, INTS + FLOATS, INTS[:6], ["uint8_t", "uint16_t", "uint32_t"]])
        members = [(f"m{k}", rng.choice(family)) for k in range(rng.choice([1, 2, 3, 5, 8]))]
        return Record(name, members, rng.random() < 0.2)

    def record(self):
        rng, m = self.rng, self.type()
        taken, sent, u = self.some_record("taken"), self.some_record("sent"), self.type()
        text = taken.declaration() + sent.declaration() + head("struct taken", "struct sent", m)
        text += "  const uint32_t n = *len / sizeof(struct taken);\n"
        env = []
        text += self.invariants(m, env)
        carried = rng.random() < 0.4
        if carried:
            text += f"  {u} v = {constant(rng, u)};\n"
        copied = rng.random() < 0.5
        text += "  for (uint32_t i = 0; i < n; i++) {\n" + ("    const struct taken r = in[i];\n" if copied else "")
        record = "r" if copied else "in[i]"
        read = rng.sample(taken.members, min(len(taken.members), rng.choice([1, 2, 3, 8])))
        env += [(f"{record}.{name}", t) for name, t in read]
        if carried:
            text += self.update("v", u, env, "    ")
            env.append(("v", u))
        order = list(sent.members)
        rng.shuffle(order)
        for name, t in order:
            text += f"    out[i].{name} = {seen(t, self.e.make(t, env, self.depth))};\n"
        text += "  }\n  *len = n * sizeof(struct sent);\n}\n"
        count = rng.choice([1, 2, 7, 16, 33, 100])
        size = taken.places()[1]
        spare = rng.choice([0, 0, 1, size - 1])
        return self.program("record", text, "uint8_t", m, packet=taken.data(rng, count) + rng.randbytes(spare),
                            size=count * size + spare)

    def single(self):
        return super().single() if self.rng.random() < 0.9 else self.record()

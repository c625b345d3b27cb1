"""Random MPI programs whose ranks take different ways through the same collectives.

A program is right by construction: on each communicator every rank makes the same sequence of
collectives with the same counts, types, operations and roots; messages go from a rank to its
neighbour in MPI_Sendrecv. Numbers are integers, or doubles that blocking collectives combine in
one order, so what is printed does not depend on time.
"""

HEAD = """#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 48 };
static int rank, size, noise;
static struct { int id, role; } me;
static int roles[64];
static MPI_Comm world, twin, half;
"""

TAIL = """
static void report(int step, long value) { printf("step %d rank %d: %ld\\n", step, rank, value); }
"""

OPS = {"int": ["MPI_SUM", "MPI_MAX", "MPI_MIN", "MPI_BXOR"], "double": ["MPI_SUM", "MPI_MAX"]}
FIRST = ["Allreduce", "Reduce", "Scan", "Bcast", "Gather", "Allgather", "Scatter", "Alltoall",
         "Reduce_scatter_block"]


class Step:
    """One step: arrays in_, mid, mine, out of its own, and functions that do it."""

    def __init__(self, number, rng):
        self.number, self.rng = number, rng
        self.type = rng.choice(["int", "int", "int", "double"])
        self.mpi_type = {"int": "MPI_INT", "double": "MPI_DOUBLE"}[self.type]
        self.comm = rng.choice(["world", "world", "twin", "half", "MPI_COMM_WORLD"])
        self.kind = rng.choice(["fused"] * 5 + ["semi", "dot"])
        self.a = rng.choice(FIRST) if self.kind != "dot" else "Allreduce"
        self.b = rng.choice(FIRST)
        self.ops = [rng.choice(OPS[self.type]) for _ in range(2)]
        self.roots = [rng.choice(["0", "0", "n - 1"]) for _ in range(2)]
        self.rounds = rng.choice([1, 1, 1, 2, 3])
        self.ways = rng.randrange(2, 5)

    def call(self, kind, which, source, target):
        """The collective; blocks of the smallest size that fits all numbers of ranks."""
        comm, kind_of, op, root = self.comm, self.mpi_type, self.ops[which], self.roots[which]
        if kind in ("Allreduce", "Scan"):
            return f"MPI_{kind}({source}, {target}, N, {kind_of}, {op}, {comm})"
        if kind == "Reduce":
            return f"MPI_Reduce({source}, {target}, N, {kind_of}, {op}, {root}, {comm})"
        if kind == "Reduce_scatter_block":
            return f"MPI_{kind}({source}, {target}, N / 8, {kind_of}, {op}, {comm})"
        if kind == "Bcast": # in its own array
            return f"MPI_Bcast({target if which == 0 else source}, N, {kind_of}, {root}, {comm})"
        end = f", {root}, {comm})" if kind in ("Gather", "Scatter") else f", {comm})"
        return f"MPI_{kind}({source}, N / 8, {kind_of}, {target}, N / 8, {kind_of}{end}"

    def first(self):
        return self.call(self.a, 0, f"in{self.number}", f"mid{self.number}") + ";"

    def second(self):
        return self.call(self.b, 1, f"mine{self.number}", f"out{self.number}") + ";"

    def op(self, indent):
        """Statements from mid to mine; on a way that is no chain from other data."""
        k, rng = self.number, self.rng
        value = rng.choice([f"mid{k}[i] * 2 + rank", f"mid{k}[i] - in{k}[i]",
                            f"mid{k}[(i + 1) % N] + i", f"in{k}[i] + mid{k}[0]"])
        lines = [f"for (int i = 0; i < N; i++)", f"  mine{k}[i] = {value};"]
        if rng.randrange(4) == 0:
            lines.insert(0, f"int shift = {rng.randrange(9)};")
            lines += ["for (int i = 0; i < N; i++)", f"  mine{k}[i] += shift;"]
        if rng.randrange(5) == 0:
            lines.insert(rng.choice([0, len(lines)]), f'printf("in {k} rank %d\\n", rank);')
        return [indent + line for line in lines]

    def chain(self):
        if self.kind == "dot":
            k, t = self.number, self.type
            return [f"  {t} local = 0, sum = 0;", "  for (int i = 0; i < N; i++)",
                    f"    local += in{k}[i] * mine{k}[i];",
                    f"  MPI_Allreduce(&local, &sum, 1, {self.mpi_type}, {self.ops[0]}, "
                    f"{self.comm});", f"  out{k}[0] = sum;"]
        lines = ["  " + self.first(), *self.op("  ")]
        return lines if self.kind == "semi" else lines + ["  " + self.second()]

    def plain(self):
        """The same collectives; what stands between is the way's own."""
        k, rng = self.number, self.rng
        between = rng.choice([
            [], ["noise++;"], [f'printf("way of {k} rank %d\\n", rank);', "fflush(stdout);"],
            [f"mine{k}[3] = rank;"], ["int where;", "MPI_Comm_rank(world, &where);", "noise += where;"],
            [f"for (int i = 0; i < N; i++)", f"  mine{k}[i] = i - rank;"],
            ["if (noise > 1000000)", "  MPI_Abort(MPI_COMM_WORLD, 9);"]])
        if self.kind == "dot":
            t = self.type
            return [f"  {t} none = 0, sum = 0;", *("  " + line for line in between),
                    f"  MPI_Allreduce(&none, &sum, 1, {self.mpi_type}, {self.ops[0]}, "
                    f"{self.comm});", f"  out{k}[0] = sum;"]
        return ["  " + self.first(), *("  " + line for line in between),
                *([] if self.kind == "semi" else ["  " + self.second()])]

    def functions(self):
        """way<k>_0 is the chain; the others are plain, some in two functions."""
        k, rng = self.number, self.rng
        text = [f"static {self.type} in{k}[N * 8], mid{k}[N * 8], mine{k}[N * 8], out{k}[N * 8];"]
        for way in range(self.ways):
            body = self.chain() if way == 0 or rng.randrange(4) == 0 else self.plain()
            if way > 0 and self.kind == "fused" and rng.randrange(3) == 0:
                text += [f"static void begin{k}_{way}(void) {{ {self.first()} }}",
                         f"static void end{k}_{way}(void) {{ {self.second()} }}"]
                body = [f"  begin{k}_{way}();", "  noise++;", f"  end{k}_{way}();"]
            text += [f"static void way{k}_{way}(void) {{", *body, "}"]
        return text

    def condition(self):
        rng = self.rng
        number = rng.randrange(2)
        return rng.choice([f"rank % 2 == {number}", "rank == 0", "rank > 0", "me.id > 1",
                           f"me.role == {number}", f"roles[rank] == {number}", "rank == size - 1"])

    def select(self):
        """A function that takes each rank to its way."""
        k, rng, ways = self.number, self.rng, self.ways
        rounds = [f"  for (int round = 0; round < {self.rounds}; round++)"]
        pick = rng.randrange(7)
        if pick == 0:
            body = rounds + [f"    if ({self.condition()})", f"      way{k}_0();", "    else",
                             f"      way{k}_1();"]
        elif pick == 1:
            body = [f"  if ({self.condition()}) {{", f"  {rounds[0]}", f"      way{k}_1();",
                    "    return;", "  }", *rounds, f"    way{k}_0();"]
        elif pick == 2:
            body = [f"  int special = {self.condition()};", *rounds,
                    f"    special ? way{k}_0() : way{k}_1();"]
        elif pick == 3:
            table = ", ".join(f"way{k}_{way}" for way in range(ways))
            body = [f"  static void (*const ways[])(void) = {{{table}}};", *rounds,
                    f"    ways[(rank + round) % {ways}]();"]
        elif pick == 4:
            cases = [f"    case {way}:\n      way{k}_{way}();\n      break;" for way in range(ways)]
            body = [*rounds, f"    switch ((roles[rank] + rank) % {ways}) {{", *cases, "    }"]
        elif pick == 5:
            body = [f"  int mine = rank % {self.rounds + 1};", "  int round = 0;",
                    "  for (; round < mine; round++)", f"    way{k}_0();",
                    f"  for (; round < {self.rounds}; round++)", f"    way{k}_1();"]
        else:
            body = [f"  int round = 0;", "again:", f"  if ({self.condition()})", "    goto other;",
                    f"  way{k}_0();", "  goto next;", "other:", f"  way{k}_1();", "next:",
                    f"  if (++round < {self.rounds})", "    goto again;"]
        return [f"static void step{k}(void) {{", *body, "}"]

    def inline(self):
        """The ways in one function, where the condition is seen or not."""
        role = self.rng.choice(["me.role", "roles[rank]", "(rank + 1) % 2", "noise % 2"])
        if role == "noise % 2": # the same on all ranks of an even past; it need not be
            role = "me.role"
        indent = lambda lines: ["    " + line for line in lines]
        return [f"static void step{self.number}(void) {{",
                f"  for (int round = 0; round < {self.rounds}; round++) {{",
                f"    if ({role}) {{", *indent(self.chain()), "    } else {",
                *indent(self.plain()), "    }", "  }", "}"]

    def text(self):
        declared = self.functions()
        return "\n".join(declared + (self.inline() if self.rng.randrange(4) == 0 else self.select()))

    def run(self):
        k = self.number
        comm = "half" if self.comm == "half" else "world"
        return (f"  MPI_Comm_size({comm}, &n);\n"
                f"  for (int i = 0; i < N * 8; i++)\n"
                f"    in{k}[i] = rank + i % 13, mid{k}[i] = i, mine{k}[i] = {k} + rank * i % 7;\n"
                f"  step{k}();\n"
                f"  for (int i = 0; i < N; i++)\n"
                f"    value += (i + 1) * (long)(out{k}[i] + mid{k}[i]);\n"
                f"  report({k}, value);\n")


def between(rng):
    return rng.choice([
        "", "", "  MPI_Barrier(world);\n",
        "  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 4, &from, 1, MPI_INT, "
        "(rank + size - 1) % size, 4, twin, MPI_STATUS_IGNORE);\n  value += from;\n",
        "  if (rank % 2)\n    MPI_Allreduce(&rank, &from, 1, MPI_INT, MPI_SUM, half);\n",
        "  MPI_Bcast(&from, 1, MPI_INT, 0, twin);\n"])


def program(rng):
    steps = [Step(number, rng) for number in range(rng.randrange(2, 5))]
    text = HEAD.replace("rank, size", "rank, size, n") + TAIL
    text += "\n".join(step.text() for step in steps)
    text += """
int main(int argc, char **argv) {
  int from = 0;
  long value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  world = MPI_COMM_WORLD;
  MPI_Comm_dup(world, &twin);
  MPI_Comm_split(world, rank % 2, rank, &half);
  for (int i = 0; i < size; i++)
    roles[i] = (i * 5 + 3) % 4 / 2;
  MPI_Bcast(roles, size, MPI_INT, 0, world);
  me.id = rank;
  MPI_Scatter(roles, 1, MPI_INT, &me.role, 1, MPI_INT, 0, world);
"""
    for step in steps:
        text += step.run() + between(rng)
    return text + """  MPI_Comm_free(&half);
  MPI_Comm_free(&twin);
  return MPI_Finalize();
}
"""

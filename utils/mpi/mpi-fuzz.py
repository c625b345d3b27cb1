#!/usr/bin/env python3
"""Mutates MPI programs and checks that the mutant and its rewriting print the same.

usage: mpi-fuzz.py --bin DIR [--seed N] [--count N] [--ranks N] [--switch overlay.json]
                   program.c|program.cpp...

A mutation swaps, moves or repeats statements, inserts statements that touch the arrays of the
program (prints, writes, aliases, collectives, early ends), or reads and writes buffers of a
collective right behind it, puts statements under conditions, loops or another communicator, puts
a call into a macro, a function or a check of its return code, jumps with goto, or changes
numbers, operators and names. Mutants that do not compile, fail, end without MPI_Finalize, or do not
print the same twice are left out: acisc must not crash on them all the same. With --switch ops are
compiled for that overlay and the rewritten mutant runs with a switch (acis-mpirun). Exit code 1 on
a crash or a difference; the mutant is kept in the current folder as mpi-fuzz-<seed>.
"""
import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from progress import progress

COMMON = ["-w", "-O1", "-ffp-contract=off"]
CLANG = ["-fsyntax-only", "-Wno-everything",
         "-Werror=uninitialized", "-Werror=sometimes-uninitialized", "-Werror=conditional-uninitialized",
         "-Werror=array-bounds", "-Werror=return-type"]


# What becomes of a process that ends after MPI_Init without MPI_Finalize MPI does not say, and it
# depends on when the others end: such a program fails here.
ENDS = """
#include <mpi.h>
#include <unistd.h>
static int finalized;
int MPI_Finalize(void) {
  finalized = 1;
  return PMPI_Finalize();
}
__attribute__((destructor)) static void ends(void) {
  int begun = 0;
  MPI_Initialized(&begun);
  if (begun && !finalized)
    _exit(99);
}
"""


def run(command, seconds=20, **kwargs):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=seconds, **kwargs)
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(
            errors="replace")
    except subprocess.TimeoutExpired:
        return "timeout", "", ""


def insertions(source, rng):
    """Statements made of the names that the program has."""
    arrays = re.findall(r"\b(\w+)\[(?:\w|\s|\*)+\]", source) or ["a"]
    names = re.findall(r"\b(?:int|double|float)\s+(\w+)\s*[=;,]", source) or ["rank"]
    array, other, name = rng.choice(arrays), rng.choice(arrays), rng.choice(names)
    return rng.choice([
        f"{array}[0] = {array}[1];",
        f"{array}[{rng.randrange(4)}] += 1;",
        f"{{ int *alias = (int *){array}; alias[0] = 3; }}",
        f"if (rank == 0) {other}[1] = 5;",
        f"{name} = {name} + 1;",
        f'printf("x%d\\n", (int){array}[0]);',
        f'if (rank == 0) printf("y%d\\n", (int){name});',
        "MPI_Barrier(MPI_COMM_WORLD);",
        f"MPI_Allreduce(MPI_IN_PLACE, &{name}, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);",
        f"for (int z = 0; z < 4; z++) {array}[z] = {other}[z];",
        f"if ({name} == 123456) return 3;",
        f"{{ static int kept; kept += (int){array}[0]; {array}[1] = kept; }}",
    ])


WRAPPERS = """
#define SAME(call) call
#define CHECKED(call) do { int code_ = (call); if (code_ != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, code_); } while (0)
#define TWICE(x) (x) + (x) - (x)
static int reduced(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return MPI_Allreduce(from, to, n, type, op, comm);
}
static int sent(void *data, int n, MPI_Datatype type, int root, MPI_Comm comm) {
  int code = MPI_Bcast(data, n, type, root, comm);
  if (code != MPI_SUCCESS) {
    fprintf(stderr, "error\\n");
    return code;
  }
  return 0;
}
"""


STATEMENT = re.compile(r"([ \t]+)\S.*;\s*$")


def wrap(lines, rng):
    """Puts one call of MPI behind a macro, a function or a jump; None if there is none."""
    calls = [i for i, line in enumerate(lines)
             if re.match(r"[ \t]+(MPI_\w+\(.*\));\s*(//.*|/\*.*)?$", line)
             and not re.search(r"MPI_(Init|Finalize|Comm_)", line)]
    if not calls:
        return None
    at = rng.choice(calls)
    call = re.match(r"[ \t]+(MPI_\w+\(.*\));", lines[at]).group(1)
    kind = rng.randrange(5)
    if kind == 0:
        lines[at] = f"  SAME({call});"
    elif kind == 1:
        lines[at] = f"  CHECKED({call});"
    elif kind == 2:
        lines[at] = f"  {{ int code_ = {call}; if (code_) return 2; }}"
    elif kind == 3:
        label = f"over_{at}"
        lines[at] = f"  if (size > 99) goto {label};\n  {call};\n{label}:;"
    else:
        for old, new in (("MPI_Allreduce(", "reduced("), ("MPI_Bcast(", "sent(")):
            call = call.replace(old, new)
        lines[at] = f"  {call};"
    first = next((i for i, line in enumerate(lines) if re.match(r"(static |int|void|double)", line)),
                 None)
    if first is None:
        return None
    return lines[:first] + WRAPPERS.split("\n") + lines[first:]


COLLECTIVE = re.compile(r"(\s+)(?:\w+ = )?MPI_(Allreduce|Reduce|Scan|Bcast|Gather|Allgather|Scatter|"
                        r"Alltoall|Reduce_scatter\w*)\((.*)\);")


def collectives(lines):
    return [i for i, line in enumerate(lines) if COLLECTIVE.match(line)]


def touch(lines, rng):
    """Statements right behind a collective, or a little later, that use its buffers."""
    calls = collectives(lines)
    if not calls:
        return lines
    at = rng.choice(calls)
    indent, name, text = COLLECTIVE.match(lines[at]).groups()
    names = [re.match(r"&?([a-z]\w*)", word) for word in text.replace(" ", "").split(",")]
    places = {"Bcast": [0], "Allreduce": [0, 1], "Reduce": [0, 1], "Scan": [0, 1]}.get(name, [0, 3])
    buffers = [names[i].group(1) for i in places if i < len(names) and names[i]]
    if not buffers:
        return lines
    buffer = rng.choice(buffers)
    declared = "\n".join(lines)
    isArray = re.search(rf"\*\s*{buffer}\b|\b{buffer}\s*\[", declared)
    place = f"{buffer}[0]" if isArray else buffer
    scalars = re.findall(r"\b(?:int|double|float)\s+(\w+)\s*[=;,]", declared) or ["rank"]
    other = rng.choice(scalars)
    new = rng.choice([
        f"{other} = (int){place};",
        f"if ((int){place} > 3) {other} = 2;",
        f"{place} += 1;",
        f"if (rank == 0) {place} = 0;",
        f"{{ char *kept_ = (char *)&{place}; kept_[0] ^= 0; kept_[1] = 0; }}",
        f"{{ static void *kept_; if (kept_) *(int *)kept_ = 1; kept_ = &{place}; }}",
        f'printf("z%d\\n", (int){place});',
        f"for (int z = 0; z < 2; z++) {other} += (int){place};",
        f"if (size > 1) {{ if ({place} > 0) {{ {other} = {other} + 1; }} else {other} = 7; }}",
        f"{place} = {place} * 2 + {other};",
    ])
    lines.insert(min(at + 1 + rng.randrange(4), len(lines) - 1), indent + new)
    return lines


def surround(lines, rng):
    """Some statements of one depth, the outermost, under a condition or in a loop."""
    depths = {i: len(STATEMENT.match(line).group(1).expandtabs()) for i, line in enumerate(lines)
              if STATEMENT.match(line)}
    if not depths:
        return lines
    at = rng.choice([i for i, depth in depths.items() if depth == min(depths.values())])
    end = min(at + rng.randrange(4), len(lines) - 2)
    head = rng.choice(["if (size > 0) {", "if (size > 0) { if (rank >= 0) {{", "{",
                       "for (int y_ = 0; y_ < 2; y_++) {", "if (rank % 2 == 0) {",
                       "do {", "switch (size > 0) { case 1: {", "if (rank == 0 || size > 1) {"])
    tail = "} while (0);" if head == "do {" else "}" * head.count("{")
    return lines[:at] + ["  " + head] + lines[at:end + 1] + ["  " + tail] + lines[end + 1:]


def elsewhere(lines, rng):
    """One collective on a communicator of its own."""
    calls = [i for i in collectives(lines) if "MPI_COMM_WORLD" in lines[i]]
    sizes = [i for i, line in enumerate(lines) if "MPI_Comm_size(" in line and "{" not in line]
    if not calls or not sizes:
        return lines
    at = rng.choice(calls)
    lines[at] = lines[at].replace("MPI_COMM_WORLD", "other_")
    made = rng.choice(["MPI_Comm_dup(MPI_COMM_WORLD, &other_);",
                       "MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &other_);"])
    lines.insert(sizes[-1] + 1, f"  MPI_Comm other_; {made}")
    return lines


def mutate(source, rng):
    lines = source.split("\n")
    if rng.randrange(3) == 0:
        lines = wrap(lines, rng) or lines
    for change in (touch, touch, surround, elsewhere):
        if rng.randrange(4) == 0:
            lines = change(lines, rng)
    body = [i for i, line in enumerate(lines)
            if STATEMENT.match(line) and "MPI_Init" not in line
            and "MPI_Finalize" not in line and "MPI_Comm_" not in line]
    for _ in range(rng.randrange(1, 4) if body else 0):
        at = rng.choice(body)
        kind = rng.randrange(7)
        if kind == 6: # a statement moves
            line = lines[at]
            lines[at] = ""
            lines.insert(rng.choice(body), line)
        elif kind <= 1:
            lines[at] = lines[at] + "\n  " + insertions(source, rng)
        elif kind == 2 and not lines[at].lstrip().startswith(("int ", "double ", "float ")):
            lines[at] = lines[at] + "\n" + lines[at]
        elif kind == 3:
            other = rng.choice(body)
            lines[at], lines[other] = lines[other], lines[at]
        elif kind == 4:
            lines[at] = re.sub(r"\b\d\b", lambda m: str(rng.randrange(4)), lines[at], count=1)
        else:
            pairs = [("+", "-"), ("SUM", "MAX"), ("64", "32"), ("< ", "<= "), ("0,", "1,"),
                     ("[i]", "[0]"), ("rank", "size"), ("Allreduce", "Scan")]
            old, new = rng.choice(pairs)
            lines[at] = lines[at].replace(old, new, 1)
    return "\n".join(lines)


def compiler(file):
    return "mpicxx.mpich" if file.suffix == ".cpp" else "mpicc.mpich"


def check(args, source, work, suffix):
    """None: left out; "": agrees; else what is wrong."""
    old, new = work / ("old" + suffix), work / ("new" + suffix)
    old.write_text(source)
    rewrite = [f"{args.bin}/acisc", "--mpi", "--force", "-o", str(new), str(old)]
    if args.switch:
        rewrite.insert(2, f"--config={args.switch}")
    code, _, messages = run(rewrite)
    if code == "timeout": # a busy machine, or an endless loop
        code, _, messages = run(rewrite, seconds=200)
    if code == "timeout" or (code and code not in (0, 1)):
        return f"acisc ends with {code}: {messages}"
    (work / "ends.c").write_text(ENDS)
    if (run([compiler(old), *COMMON, str(old), "-lm", "-o", str(work / "old")])[0] or
            run([compiler(old), *COMMON, str(old), str(work / "ends.c"), "-lm", "-o",
                 str(work / "ends")])[0]):
        return None
    # A program that reads what was never written has no result to compare.
    clang = "-cxx=clang++-22" if suffix == ".cpp" else "-cc=clang-22"
    if run([compiler(old), clang, *CLANG, str(old)])[0]:
        return None
    if code:
        return "acisc refuses what the compiler takes: " + messages
    if ": rewritten" not in messages:
        return None
    code, _, errors = run([compiler(new), *COMMON, f"-I{args.bin}/../include", str(new),
                           f"{args.bin}/../lib/libacis-cccf-mpich.a", "-lm", "-o",
                           str(work / "new")])
    if code == "timeout": # a busy machine
        return None
    if code:
        return "the rewritten program does not compile: " + errors
    outputs = []
    for program in ("old", "ends", "new"):
        launch = ["mpiexec.mpich", "-n", str(args.ranks)]
        if args.switch and program == "new":
            launch = [f"{args.bin}/acis-mpirun", "-n", str(args.ranks), "--mpi", "mpich",
                      f"--config={args.switch}", "--switch-arg=--message-bytes",
                      "--switch-arg=65536", f"--why={work}/why"]
        code, out, _ = run([*launch, str(work / program)], seconds=60)
        if code == "timeout" and program == "new" and args.switch: # a busy machine, or it hangs
            code, out, _ = run([*launch, str(work / program)], seconds=300)
        outputs.append((code, sorted(out.split("\n"))))
    if outputs[0] != outputs[1] or outputs[0][0] != 0:
        return None
    if args.switch and (work / "why").exists():
        args.served += bool(re.search(r"ACIS_I\w+\s+offloaded", (work / "why").read_text()))
    if outputs[0] == outputs[2] or not is_defined(args, old, work, outputs[0]):
        return "" if outputs[0] == outputs[2] else None
    return f"{outputs[0]} became {outputs[2]}"


def is_defined(args, source, work, output):
    """Whether the program prints the same whatever is in memory that it has not written, and
    stays inside its arrays. Asked only after a difference: it is slow."""
    for flags in (["-O0", "-ftrivial-auto-var-init=zero"], ["-O2", "-ftrivial-auto-var-init=pattern"],
                  ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]):
        program = work / "again"
        if run([compiler(source), "-w", "-ffp-contract=off", *flags, str(source), "-lm", "-o",
                str(program)])[0]:
            return True
        code, out, _ = run(["mpiexec.mpich", "-n", str(args.ranks), str(program)],
                           env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
        if (code, sorted(out.split("\n"))) != output:
            return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True)
    parser.add_argument("--seed", default=1, type=int)
    parser.add_argument("--count", default=20, type=int)
    parser.add_argument("--ranks", default=2, type=int)
    parser.add_argument("--switch", type=pathlib.Path, help="overlay of the switch")
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    args.bin = str(pathlib.Path(args.bin).resolve())
    args.switch = args.switch and args.switch.resolve()
    args.served = 0
    agreed = bad = 0
    for seed in progress(range(args.seed, args.seed + args.count), args.count, "mutants"):
        rng = random.Random(seed)
        program = rng.choice(sorted(args.programs))
        for _ in range(4): # most mutants do not compile; those are tests of acisc, too
            source = mutate(program.read_text(), rng)
            language = "c++" if program.suffix == ".cpp" else "c"
            if not run([compiler(program), "-w", "-fsyntax-only", "-x", language, "-"],
                       input=source.encode())[0]:
                break
        with tempfile.TemporaryDirectory() as work:
            wrong = check(args, source, pathlib.Path(work), program.suffix)
        agreed += wrong == ""
        if wrong:
            bad += 1
            pathlib.Path(f"mpi-fuzz-{seed}{program.suffix}").write_text(source)
            print(f"seed {seed}, {program.name}: {wrong}")
    print(f"{args.count} mutants, {agreed} rewritten and equal, {bad} bad" +
          (f"; {args.served} with a fused collective in the switch" if args.switch else ""))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

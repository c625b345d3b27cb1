"""For each trap of rv32-traps.s: where QEMU and where each engine's scalar unit reports it.

usage: scalar-traps.py INPUTS FOLDER PIPELINED.json
Prints a line for each; ends with an error if one differs. What the loader refuses for the same
place never gets to a scalar unit.
"""
import pathlib
import re
import subprocess
import sys

INPUTS, FOLDER = map(pathlib.Path, sys.argv[1:3])
ENGINES = {"fast": ("fast", "tiny.json"), "model": ("model", "tiny.json"),
           "rtl": ("rtl", "tiny.json"), "pipeline": ("rtl", sys.argv[3])}
CASES = ["undefined-0", "undefined-1", "undefined-branch", "undefined-product", "ebreak", "csr",
         "load-outside", "store-outside", "behind-the-code", "between-instructions", "none"]
PLACE = 0x20000  # in both: the code is position-independent
CLANG = "clang-22 --target=riscv32-unknown-elf -march=rv32im -mabi=ilp32 -c".split()


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def check(*command):
    code, text = run(*command)
    if code:
        sys.exit(f"{' '.join(map(str, command))}: {text}")


def qemu(case, start):
    """What QEMU says of the object: its handler's line, or the registers that it shows when it
    has no signal for the exception, as for a misaligned jump."""
    program = FOLDER / f"{case}.elf"
    check("ld.lld", "-e", "start", f"-Ttext={PLACE:#x}", start, FOLDER / "end-user.o",
          FOLDER / "user.o", "-o", program)
    code, text = run("qemu-riscv32", "-cpu", "rv32,c=false", program)
    shown = re.search(r"unhandled CPU exception 0 .*\n pc +([0-9a-f]+)", text, re.S)
    if shown:
        return f"trap at {int(shown[1], 16) - PLACE}"
    return text.strip() or "no trap"


def engine(case, start, name, overlay):
    flat = FOLDER / f"{case}.bin"
    joined = FOLDER / f"{case}-joined.elf"
    check("ld.lld", "-e", "trapping", f"-Ttext={PLACE:#x}", start, FOLDER / "end-overlay.o", "-o", joined)
    check("llvm-objcopy", "-O", "binary", "--only-section=.text", joined, flat)
    code, text = run("acis-scalar-run", name, overlay, flat, FOLDER / "out")
    refused = re.search(r"pc 0x([0-9a-f]+): ", text)
    if code and not refused:
        sys.exit(text)
    return f"refused at {int(refused[1], 16)}" if refused else text.split(":")[0] or "no trap"


def main():
    check(*CLANG, "-ffreestanding", "-O1", "-mno-relax", INPUTS / "rv32-signals.c", "-o",
          FOLDER / "user.o")
    for name, text in (("user", "li a7, 93; li a0, 0; ecall"), ("overlay", "wfi")):
        source = FOLDER / f"end-{name}.s"
        source.write_text(f".section .text.start, \"ax\", @progbits\n{text}\n")
        check(*CLANG, source, "-o", FOLDER / f"end-{name}.o")
    different = False
    for number, case in enumerate(CASES):
        start = FOLDER / f"{case}.o"
        check(*CLANG, f"-Wa,-defsym,CASE={number}", INPUTS / "rv32-traps.s", "-o", start)
        expected = qemu(case, start)
        same = []
        for label, (name, overlay) in ENGINES.items():
            found = engine(case, start, name, overlay)
            if found == expected:
                same.append(label)
            elif found.replace("refused", "trap") == expected:
                same.append(f"{label} (refused)")
            else:
                different = True
                print(f"{case}: {label} {found}; QEMU {expected}")
        print(f"{case}: {expected}, {' '.join(same)}")
    return different


if __name__ == "__main__":
    sys.exit(main())

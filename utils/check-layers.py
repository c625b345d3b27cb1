#!/usr/bin/env python3
"""Fails on an #include that points the wrong way.

usage: check-layers.py [repository]

The order, lowest first, is the one in docs/architecture.md. A folder may include
itself and what its row lists. Only the rows with LLVM may include llvm/, mlir/, clang/.
"""
import pathlib
import re
import sys

# folder: (folders it may include, may it include LLVM headers)
LAYERS = {
    "backend/support": ([], False),
    "backend/overlay": (["backend/support"], False),
    "backend/isa": (["backend/support", "backend/overlay"], False),
    "backend/isa/acis-tblgen": ([], True),
    "passes/mrrg": (["backend/support", "backend/overlay", "backend/isa", "passes/mapper"], False),
    "passes/mapper": (["backend/support", "backend/overlay", "backend/isa", "passes/mrrg"], False),
    "backend/regalloc": (["backend/support", "backend/overlay", "backend/isa"], False),
    "passes/dfg": (["backend/support", "backend/overlay", "backend/isa", "passes/mapper", "passes/mrrg"], True),
    "passes/llvm": (["backend/support", "backend/overlay", "backend/isa"], True),
    "passes/import": (["backend/support", "backend/overlay", "backend/isa", "passes/dfg", "passes/llvm"], True),
    "backend/object": (["backend/support", "backend/overlay", "backend/isa"], False),
    "backend/asm": (["backend/support", "backend/overlay", "backend/isa", "backend/object"], True),
    "backend/codegen": (["backend", "passes/dfg", "passes/mapper"], True),
    "compiler": (["backend", "passes", "compiler"], True),
    # Certificates come from the engine that the RTL is compared with.
    "compiler/driver": (["backend", "passes", "compiler", "runtime/loader", "runtime/certify"], True),
    # acis-objdump reads a binary with the loader that will read it in the switch.
    "compiler/tools/acis-objdump": (["backend", "runtime/loader", "compiler"], True),
    "runtime": (["backend/support", "backend/overlay", "backend/isa", "runtime"], False),
    "examples": (["backend/support", "backend/overlay", "backend/isa", "runtime", "examples"], False),
}
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.M)
LLVM = ("llvm/", "llvm-c/", "mlir/", "clang/")


def layer(path):
    """The longest folder in LAYERS that holds `path`."""
    return max((f for f in LAYERS if path.startswith(f + "/")), key=len, default=None)


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    wrong = []
    for file in sorted(root.glob("*/**/*")):
        name = file.relative_to(root).as_posix()
        if file.suffix not in (".h", ".cpp") or (own := layer(name)) is None:
            continue
        allowed, may_llvm = LAYERS[own]
        for target in INCLUDE.findall(file.read_text()):
            if target.startswith(LLVM) and not may_llvm:
                wrong.append(f"{name}: includes {target}; {own} may not use LLVM")
            elif (other := layer(target)) and other != own:
                if not any(target.startswith(a + "/") for a in allowed):
                    wrong.append(f"{name}: includes {target}; {own} may not depend on {other}")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

# Our instructions as .insn, the way the compiler writes them, decode to what was meant.
# RUN: llvm-mc -triple=riscv32 --show-encoding %s \
# RUN:   | sed -n -e 's/.*encoding: \[0x\(..\),0x\(..\),0x\(..\),0x\(..\)\]/\4\3\2\1/p' \
# RUN:   | acis-isa --decode | FileCheck %s

.insn i 0x0b, 0, x0, x10, 31            # CHECK: acis.arg 31, x10
.insn r 0x0b, 1, 127, x0, x10, x11      # CHECK: acis.launch 127, x10, x11
.insn i 0x0b, 2, x12, x0, 15            # CHECK: acis.result x12, 15
.insn i 0x0b, 3, x0, x0, 0              # CHECK: acis.sync
.insn r 0x0b, 4, 0, x5, x6, x7          # CHECK: acis.tile x5, x6, x7
.insn i 0x2b, 0, x5, x6, 6              # CHECK: streamin x5, x6, 6
.insn s 0x2b, 1, x5, 2(x6)              # CHECK: streamout x5, x6, 2
.insn r 0x2b, 2, 1, x0, x6, x8          # CHECK: streamout.v v8, x6
.insn r 0x5b, 0, 0, x2, x0, x4          # CHECK: spvacc.xv v2, v4
.insn r 0x5b, 1, 0, x2, x5, x4          # CHECK: spvacc.vx v2, x5, v4
.insn r 0x5b, 2, 0, x2, x5, x0          # CHECK: vlb8.v v2, (x5)
.insn r 0x5b, 2, 3, x31, x6, x0         # CHECK: vlb64.v v31, (x6)

# Beyond what an instruction allows there is none.
.insn i 0x0b, 0, x0, x10, 32            # CHECK: undefined
.insn i 0x0b, 2, x12, x0, 16            # CHECK: undefined
.insn i 0x2b, 0, x5, x6, 3              # CHECK: undefined
.insn s 0x2b, 1, x5, 3(x6)              # CHECK: undefined
.insn r 0x2b, 2, 0, x0, x6, x8          # CHECK: undefined
.insn r 0x5b, 2, 0, x2, x5, x4          # CHECK: undefined
.insn r 0x5b, 2, 4, x2, x5, x0          # CHECK: undefined
.insn r 0x5b, 3, 0, x2, x5, x4          # CHECK: undefined

// The prose of docs/isa.md. Chapters are printed in the order that acis-tblgen knows.

def Conventions : Chapter<"Conventions", [{
Standard instructions have their standard encoding and meaning (RV32IM, Zicsr, a part of
RVV 1.0), our own are in the opcode spaces custom-0 (0x0b), custom-1 (0x2b) and custom-2
(0x5b). Any other word is undefined and traps with its PC.

In the tables, bits are given from bit 31 to bit 0, `-` is a bit that is not looked at.
Pseudo-code: `x[r]` is a 32-bit register, unsigned unless in `s(...)`; `x[0]` is 0;
`mem8[a]` is the byte at address a; `v[p][r][e]` is element e of the group of vector
registers that starts at r, in PE p; `v[p][r] beat b lane l` is the same storage seen as
beats; `sext` and `zext` extend to 32 bits. pc goes on by 4 where it is not named.
}]>;

def Instructions : Chapter<"Instructions", [{
The scalar unit executes one instruction per cycle; `div` and `rem` take @DivideCycles@ cycles, a load
from off-chip memory waits for it ([timing.md](timing.md#scalar-unit) has all cases). It hands what the grid has to do to an in-order queue
and goes on; `acis.result` and `acis.sync` wait. Misaligned accesses trap, and so do
jumps to where no instruction begins, which then write no register.

A vector instruction works on every PE of `vpemask` at once, on elements 0 <= e < vl. It is
executed as contexts of one slot. Loads and stores run in the background; a later use of
their registers waits. Elements of 8, 16 and 32 bits take a container of 32 bits, elements
of 64 bits one of 64, so a group of `lmul` registers holds vlmax = lmul * (VRF beats / 32)
* vf elements, vf = lanes * 32 / container bits. The `vlmul` code 4, reserved in RVV 1.0,
is LMUL 16; fractional LMUL, masks, tail and mask policies, and other element widths than
the ones named are not supported (policies are ignored: elements past vl stay as they are).

`streamin(p, n)` skips the input stream forward to byte position p of the invocation and
pops n bytes; a position already passed traps. `streamout(p, data)` appends to the output
stream; p has to be the number of bytes sent so far. In `spvacc`, the beats come from the
stream at the position after the last one read, and limit = beats of the register group.
}]>;

def MachineState : Chapter<"Machine state", [{
| addresses | what |
|---|---|
| from 0 | code, fetch only |
| from @ScratchBase@ | scratch memory of the scalar unit (`scratchBytes`) |
| from @MemoryBase@ | off-chip memory of the job; memory ports use the same addresses |

At the start of an invocation pc is the entry of the handler, a0 = a1 = 0 (stream
positions), a2 = @MemoryBase@, a3 = 0, sp = end of the scratch memory. `wfi` ends the
invocation. What was sent since the last one is one packet; if `pktlen` was written and
differs from the bytes sent, the run traps; nothing sent is no packet.
}]>;

def Numbers : Chapter<"Numbers", [{
What every overlay has alike, or has at most; sizes of an overlay are in its description. Queues and jobs are the
machine's own: a program sees them in cycles only ([timing.md](timing.md)).
}]>;

def Traps : Chapter<"Traps", [{
A run that cannot go on ends with one of these texts and the PC, and with the source line where
the binary has it. The code is what the scalar unit of the RTL reports; what has none is found by
the grid, or by the engine around it.
}]>;

def Operations : Chapter<"Operations of a functional unit", [{
`n` is the width of the slot's type. Integers are computed modulo 2^n and zero-extended
into the lane; `s(a)` is a seen as a signed number. Flags are 0 or 1. `round` is to the
nearest even, NaN results are the canonical NaN of RISC-V. The type of a comparison is that
of its operands. Latency: by unit class, from the overlay description. Integer and float units
take a new operation each cycle, converters and dividers one in every cycle or in as many as the
description says (`every`).

With `accumulate`, operand b (c of `fmac`) is partial result i % @AccPartials@ of the slot in iteration
i, at first constant 1 (the identity) in every lane, and the result becomes it. Lanes past
the loop's end in the last iteration leave theirs alone. When the loop has drained, the
partial results are folded, p[k] = p[2k] op p[2k + 1], until one is left, then its lanes in
the same way; `op` is the operation, the addition of a `fmac`. The element is result
`result` of the loop. This order is part of the machine: all engines give the same bits.
}]>;

def ContextWords : Chapter<"Context words", [{
A context is one mapped loop. Its bytes are records, one after the other: Loop; Pop, once
per slot (`ii` times); then for each PE of the overlay, in order: Pe, its Address records
(`numAddresses`), its Slot records (`ii`). Fields are packed from bit 0 of a record up
without gaps; bit b of a record is bit b % 32 of its little-endian word b / 32. The rest of
the last word is 0. Kinds: uint, sint (two's complement), bool, arg (an index, all bits set
for none). What the fields do, and when, is defined in `backend/isa/Context.h`.

Array time: an element of slot s with stage t works for iteration i in cycle
(i + t) * ii + s. The whole grid stands still while a port that is due is not ready.
A source is what a PE can take a value from (what a slot reads, `inputLatency` cycles after it); an
operand is a source and a delay in cycles, below `operandDelay` of the overlay. The index of an
access is what its operand gives `indexLatency` cycles before it.
}]>;

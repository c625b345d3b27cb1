# A trap of the published instruction set for each CASE, behind instructions that do not trap.
  .option norvc
  .option norelax
  .section .text.start, "ax", @progbits
  .globl trapping
trapping:
  addi t0, zero, 5
  addi t1, zero, 0
again:
  add t1, t1, t0
  addi t0, t0, -1
  bne t0, zero, again
  sw t1, -4(sp)
  lw t2, -4(sp)
  bne t1, t2, again
  nop
.if CASE == 0
  .word 0                       # of no extension
.elseif CASE == 1
  .word 0xffffffff
.elseif CASE == 2
  .word 0x00002063              # a branch by a condition that there is not
.elseif CASE == 3
  .word 0x82000033              # a product with a bit too much
.elseif CASE == 4
  ebreak
.elseif CASE == 5
  csrr t0, 0x123                # a register that there is not
.elseif CASE == 6
  lui t0, 0xf0000
  lw t0, 8(t0)
.elseif CASE == 7
  lui t0, 0xf0000
  sb t1, 3(t0)
.elseif CASE == 8
  auipc t0, 0x400               # behind the code
  jalr ra, 0(t0)
.elseif CASE == 9
  auipc t0, 0
  jalr ra, 10(t0)               # between two instructions
  nop
.elseif CASE == 10
  auipc t0, 0
  jalr ra, 9(t0)                # the lowest bit does not count
.endif
  .globl behind
behind:

// Why a run ends: codes of the scalar unit, and one text for all engines, with the way out where
// there is one.

def TrapUndefined : ScalarTrap<1, "undefined instruction {word:hex}">;
def TrapJump : ScalarTrap<2, "jump to the misaligned address {target:hex}">;
def TrapNoCode : ScalarTrap<3, "no code at {pc:hex}; the code has {bytes} bytes">;
def TrapMisaligned : ScalarTrap<4, "misaligned {mnemonic:text} at {address:hex}">;
def TrapOutside : ScalarTrap<5,
    "memory access of {bytes} bytes at {address:hex}; the job has {memory} bytes from "
    "@MemoryBase@ and {scratch} bytes of scratch from @ScratchBase@">;
def TrapCsrRead : ScalarTrap<6, "CSR {number:hex3} does not exist">;
def TrapCsrWrite : ScalarTrap<7, "CSR {number:hex3} cannot be written">;
def TrapVtype : ScalarTrap<8,
    "vtype {vtype:hex} is not defined; LMUL is 1 to 16 and SEW 8 to 64">;
def TrapNoVtype : ScalarTrap<9, "{mnemonic:text} before any vsetvli">;
def TrapContext : ScalarTrap<10, "launch of context {context}; the handler does not have it">;
def TrapTail : ScalarTrap<11,
    "a last iteration of {elements} elements; a beat holds {lanes}">;
def TrapDeadlineLoop : ScalarTrap<12,
    "deadline: a loop of {iterations} iterations; at most {deadline} steps are allowed in one "
    "invocation">;
def TrapPassed : ScalarTrap<13,
    "stream position {position} was passed, the next byte is {next}; a stream is read forward: "
    "keep what is needed again">;
def TrapGap : ScalarTrap<14,
    "output position {position}, {sent} bytes were sent; the output is written in order, from 0 "
    "and without gaps">;
def TrapTooLong : ScalarTrap<15,
    "an output packet of {bytes} bytes; at most @MaxPacketBytes@ are possible">;
def TrapLength : ScalarTrap<16,
    "the packet length was set to {length} bytes and {sent} were sent; set it to what is sent, "
    "or not at all">;
def TrapDeadline : ScalarTrap<17,
    "deadline: more than {deadline} instructions and iterations in one invocation">;
// The loader's words for what the instruction asks for and no context can do.
def TrapVector : ScalarTrap<18, "{reason:text}">;

def TrapOffset : TrapReason<"register file offset {offset}; the range at beat {base} has {limit}">;
def TrapMemory : TrapReason<
    "memory access of {bytes} bytes at {address:hex}; the job has {memory} bytes from @MemoryBase@">;
def TrapStreamEnds : TrapReason<
    "deadline: the stream ends after {bytes} bytes and no packet will come: send more, or read no "
    "more than the packet's length">;
def TrapStuck : TrapReason<"deadline: no progress for {cycles} cycles">;

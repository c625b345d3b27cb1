// What a host sees of the kernel: its registers, by their offset, and how a run ends.
// runtime/hardware/rtl/shell/README.md explains each. In C++ they are in a header of their own.

let Header = "Shell" in {

def RegControl : Constant<0x000, "register of the kernel: start, done, idle, ready, continue", 12>;
def RegGlobal : Constant<0x004, "register: interrupts at all", 12>;
def RegEnable : Constant<0x008, "register: which interrupts", 12>;
def RegPending : Constant<0x00c, "register: interrupts that wait", 12>;
def RegBase : Constant<0x010, "register: base address of the first memory port; 12 bytes to the next one's", 12>;
def RegMode : Constant<0x200, "register: what is done with packets and frames", 12>;
def RegPort : Constant<0x208, "register: UDP port of the handler", 12>;
def RegPackets : Constant<0x210, "register: packets of a run", 12>;
def RegMemory : Constant<0x218, "register: bytes of the handler's memory", 12>;
def RegBankShift : Constant<0x220, "register: log2 of the distance of banks", 12>;
def RegDeadline : Constant<0x228, "register: most instructions of an invocation, lower half", 12>;
def RegDeadlineHigh : Constant<0x22c, "register: upper half", 12>;
def RegStop : Constant<0x230, "register: stop, abort", 12>;
def RegStatus : Constant<0x300, "register: how the last run ended", 12>;
def RegDetail : Constant<0x304, "register: and where", 12>;
def RegAdmitted : Constant<0x310, "register: packets taken in the run", 12>;
def RegAnswered : Constant<0x314, "register: answers sent in the run", 12>;
def RegHandled : Constant<0x318, "register: frames handled since reset", 12>;
def RegForwarded : Constant<0x31c, "register: frames passed through since reset", 12>;
def RegDropped : Constant<0x320, "register: frames dropped since reset", 12>;
def RegTooLong : Constant<0x324, "register: answers that were too long in the run", 12>;
def RegTiles : Constant<0x328, "register: idle tiles skipped in the run", 12>;
def RegCycles : Constant<0x330, "register: cycles of the run, lower half", 12>;
def RegCyclesHigh : Constant<0x334, "register: upper half", 12>;
def RegHardware : Constant<0x338, "register: hash of the hardware's sizes, lower half", 12>;
def RegHardwareHigh : Constant<0x33c, "register: upper half", 12>;

def CodeEnum : Enumeration<"KernelCode", "code_e", 8, "How a run of the kernel ended.">;
} // Header

def CodeFine : Code<CodeEnum, "Fine", 0, "as it should">;
def CodeBase : Code<CodeEnum, "Base", 1, "the program's address is no multiple of 4096">;
def CodeBus : Code<CodeEnum, "Bus", 2, "an error on the bus while the program was read">;
def CodeMagic : Code<CodeEnum, "Magic", 3, "what stands there is no program">;
def CodeVersion : Code<CodeEnum, "Version", 4, "a program of another layout">;
def CodeHardware : Code<CodeEnum, "Hardware", 5, "a program for an overlay of other sizes">;
def CodeSize : Code<CodeEnum, "Size", 6, "sections end elsewhere than the program, or reserved words are not 0">;
def CodeSum : Code<CodeEnum, "Sum", 7, "the program's checksum is wrong">;
def CodeCode : Code<CodeEnum, "Code", 8, "too much code, or an entry outside of it">;
def CodeContexts : Code<CodeEnum, "Contexts", 9, "too many contexts">;
def CodeSection : Code<CodeEnum, "Section", 10, "a section of no table, of no PE, or past a table's end">;
def CodeMemory : Code<CodeEnum, "Memory", 11, "the program needs more memory than the job has">;
def CodeGridTrap : Code<CodeEnum, "GridTrap", 16, "a trap of the grid">;
def CodeScalarTrap : Code<CodeEnum, "ScalarTrap", 17, "a trap of the scalar unit">;
def CodeAbort : Code<CodeEnum, "Abort", 18, "the host ended it">;
def CodeDataBus : Code<CodeEnum, "DataBus", 19, "an error on a memory port">;

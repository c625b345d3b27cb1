// Numbers of the machine that compiler, engines, RTL and manual share. What is a size of one
// overlay is not here but in its description (backend/overlay).

//===- Addresses ----------------------------------------------------------===//

def ScratchBase : Constant<0x10000000, "first address of the scalar unit's scratch memory", 32>;
def MemoryBase : Constant<0x80000000, "first address of the job's off-chip memory", 32>;

//===- Loops --------------------------------------------------------------===//

def MaxArgs : Constant<32, "launch arguments, 32 bits each">;
def MaxResults : Constant<8, "results of a loop, 64 bits each">;
def MaxStages : Constant<256, "stages of a loop">;
def MaxAddresses : Constant<256, "address records of a PE in a loop">;
def AccPartials : Constant<8, "interleaved partial results of an accumulation">;
def MaxFirst : Constant<14, "iterations in which an operand takes its initial value">;
def FirstOfRow : Constant<15, "in place of their number: the iterations with i0 = 0", 4>;

//===- Queues and jobs ----------------------------------------------------===//

def QueueDepth : Constant<4, "launches that wait for the grid">;
def MaxRuns : Constant<8, "launches of one context that run one behind the other">;
def MaxVectorOps : Constant<4, "vector loads and stores that run beside the grid">;
def ArgSets : Constant<16, "sets of launch arguments, of launches that wait or run">;
def StreamCommands : Constant<8, "commands that wait in the queue of a stream">;
def PacketLengths : Constant<32, "packets that were seen and that no invocation owns">;
def MemJobs : Constant<16, "jobs of a memory port">;
def DivideCycles : Constant<32, "cycles of a division of the scalar unit">;
def MaxPacketBytes : Constant<0x40000000, "bytes of an output packet", 48>;

//===- Loading ------------------------------------------------------------===//

def DeviceImageMagic : Constant<0x4c694341, "\"ACiL\": how a handler for the hardware begins", 32>;
def DeviceImageVersion : Constant<3, "of its layout">;
def DeviceImageHead : Constant<16, "words before its sections">;

def TableEnum : Enumeration<"Table", "table_e", 4,
    "Tables of the hardware, bits 31 to 28 of an address of its configuration port.">;
def TableCode : Code<TableEnum, "Code", 0, "instructions">;
def TableLoop : Code<TableEnum, "Loop", 1, "record Loop of a context">;
def TableLoopExtra : Code<TableEnum, "LoopExtra", 2, "what is derived from a context">;
def TablePop : Code<TableEnum, "Pop", 3, "record Pop of a slot">;
def TableSlotWord : Code<TableEnum, "SlotWord", 4, "record Slot of a PE">;
def TableSlotExtra : Code<TableEnum, "SlotExtra", 5, "what is derived from a slot">;
def TableAddress : Code<TableEnum, "Address", 6, "address records of a slot's three ports">;
def TablePe : Code<TableEnum, "Pe", 7, "record Pe of a context">;
def TableClear : Code<TableEnum, "Clear", 8, "0 into a beat of every register file and a word of the scratch memory">;
def TableRegisters : Code<TableEnum, "Registers", 9, "a beat of a register file">;

//===- Stalls -------------------------------------------------------------===//

def StallEnum : Enumeration<"Stall", "stall_e", 4,
    "Why a cycle passed without progress of the grid; docs/timing.md says when it is which.">;
def StallStreamIn : Code<StallEnum, "StreamIn", 0, "the input stream">;
def StallStreamOut : Code<StallEnum, "StreamOut", 1, "the output stream">;
def StallMemRead : Code<StallEnum, "MemRead", 2, "reads of off-chip memory">;
def StallMemWrite : Code<StallEnum, "MemWrite", 3, "writes of off-chip memory">;
def StallInterlock : Code<StallEnum, "Interlock", 4, "a write on its way to what is read">;
def StallVreg : Code<StallEnum, "Vreg", 5, "vector loads and stores">;
def StallDrain : Code<StallEnum, "Drain", 6, "the pipeline empties, or results are folded">;
def StallLaunch : Code<StallEnum, "Launch", 7, "nothing is launched">;

//===- CSRs ---------------------------------------------------------------===//

def CsrCycle : CsrRegister<"cycle", 0xc00, "read", "cycles since the start, lower half">;
def CsrCycleH : CsrRegister<"cycleh", 0xc80, "read", "upper half">;
def CsrPktLen : CsrRegister<"pktlen", 0x800, "read, write",
    "read: payload length of the packet that started the invocation, less than 2^31; written: payload length to send">;
def CsrVpeMask : CsrRegister<"vpemask", 0x801, "read, write",
    "PEs that vector instructions work on, bit p for PE p">;
def CsrVpeStride : CsrRegister<"vpestride", 0x802, "read, write",
    "bytes added per PE to the address of `vle` and `vse`">;
def CsrVpeNum : CsrRegister<"vpenum", 0xcc0, "read", "number of PEs">;

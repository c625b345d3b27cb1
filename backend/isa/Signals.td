// Signals of the core's and the shell's ports that C++ reads, too: each record is a packed struct in
// acis_isa_pkg, which starts at its last field, and the places of its fields for C++ (Signals.h). What has the
// width of a beat is not here but stands below these signals in the structs of acis_bus_pkg.

//===- The core -----------------------------------------------------------===//

def CycleSignals : Signals<"Cycle", "cycle_t", "What a cycle did, for counters and traces.", [
  Field<"cause", 4, "Uint", "stall_e: why there was no progress; NumStalls: there was">,
  Field<"iterations", 32, "Uint", "iterations counted in this cycle">,
  Field<"retires", 1, "Bool", "an instruction of the scalar unit is done">,
  Field<"word", 32, "Uint", "the instruction of the scalar unit">,
  Field<"pc", 32, "Uint", "its address">,
  Field<"nextPc", 32, "Uint", "address of the instruction behind it">,
  Field<"tiles", 32, "Uint", "tiles skipped by the one that retires">,
  Field<"tilesTotal", 32, "Uint", "tiles skipped since reset">,
  Field<"running", 1, "Bool", "an invocation runs, or starts in this cycle">,
  Field<"begins", 1, "Bool", "an invocation starts">,
  Field<"ends", 1, "Bool", "an invocation ends">,
  Field<"waiting", 2, "Uint", "the scalar unit: 0 does not, for 1 a packet, 2 the input stream, 3 something else">,
  Field<"launches", 1, "Bool", "a launch is put into the queue">,
  Field<"launchContext", 7, "Uint", "context of that launch">,
  Field<"launchVector", 1, "Bool", "that launch is of a vector instruction">,
  Field<"sequencerIdle", 1, "Bool", "nothing waits or runs at the end of the cycle">,
  Field<"packet", 1, "Bool", "a packet's first beat was taken">,
  Field<"owns", 1, "Bool", "an invocation takes a packet">,
  Field<"taken", 16, "Uint", "bytes put into the input FIFO">,
  Field<"exhausted", 1, "Bool", "nothing is on the way to the aligner">,
  Field<"inPc", 32, "Uint", "pc of the launch whose input is waited for">,
  Field<"pushed", 16, "Uint", "bytes pushed to the output stream">,
  Field<"outBeat", 1, "Bool", "a full beat goes into the output FIFO">,
  Field<"outFlush", 1, "Bool", "a partial beat goes into the output FIFO">,
  Field<"outBusy", 1, "Bool", "there is output that has not left">,
  Field<"context", 7, "Uint", "context of the loop that runs">,
  Field<"slot", 16, "Uint", "slot of the loop that runs">,
  Field<"advance", 1, "Bool", "array time goes on">,
]>;

def TrapSignals : Signals<"Trap", "trap_t", "Why a run ends, and what its text says.", [
  Field<"grid", 1, "Bool", "a PE traps">,
  Field<"pe", 8, "Uint", "the first PE that traps">,
  Field<"memory", 1, "Bool", "by an access to memory, else to the register file">,
  Field<"isVector", 1, "Bool", "by a vector load or store">,
  Field<"value", 64, "Uint", "address in memory, or offset in the register file">,
  Field<"base", 16, "Uint", "first beat of the range that is allowed">,
  Field<"limit", 16, "Uint", "beats of that range, or bytes of the access to memory">,
  Field<"pc", 32, "Uint", "pc of the launch">,
  Field<"scalar", 1, "Bool", "the scalar unit traps">,
  Field<"code", 5, "Uint", "trap_e, of the scalar unit">,
  Field<"scalarValue", 64, "Uint", "what the scalar unit found">,
  Field<"other", 64, "Uint", "what it expected">,
  Field<"a", 32, "Uint", "first operand of its instruction">,
  Field<"vl", 32, "Uint", "vector state: length">,
  Field<"vtype", 6, "Uint", "vector state: type">,
  Field<"vpemask", 32, "Uint", "vector state: PEs">,
  Field<"vpestride", 32, "Uint", "vector state: bytes from one PE to the next">,
]>;

//===- Memory -------------------------------------------------------------===//

// AXI4 with one id, bursts of whole beats, and addresses as the core has them. The core takes what it has
// asked for at once.
def MemoryRequestSignals : Signals<"MemoryRequest", "memory_request_axi_t", "What the core asks of memory.", [
  Field<"arvalid", 1, "Bool", "a burst is to be read">,
  Field<"araddr", 32, "Uint", "address of the burst that is read">,
  Field<"arlen", 8, "Uint", "beats of the burst that is read, less one">,
  Field<"awvalid", 1, "Bool", "a burst is to be written">,
  Field<"awaddr", 32, "Uint", "address of the burst that is written">,
  Field<"awlen", 8, "Uint", "beats of the burst that is written, less one">,
  Field<"wvalid", 1, "Bool", "a beat is offered">,
  Field<"wlast", 1, "Bool", "it is the last one of its burst">,
]>;
def MemoryResponseSignals : Signals<"MemoryResponse", "memory_response_axi_t", "What memory answers to the core.", [
  Field<"arready", 1, "Bool", "a read is taken">,
  Field<"rvalid", 1, "Bool", "a beat of a burst that is read comes">,
  Field<"rlast", 1, "Bool", "it is the last one of its burst">,
  Field<"awready", 1, "Bool", "a write is taken">,
  Field<"wready", 1, "Bool", "a beat of a burst that is written is taken">,
  Field<"bvalid", 1, "Bool", "a burst has been written">,
]>;

// The same at the shell's ports, with addresses of the card.
def CardRequestSignals : Signals<"CardRequest", "card_request_axi_t", "What the shell asks of memory.", [
  Field<"arvalid", 1, "Bool", "a burst is to be read">,
  Field<"araddr", 64, "Uint", "address of the burst that is read">,
  Field<"arlen", 8, "Uint", "beats of the burst that is read, less one">,
  Field<"rready", 1, "Bool", "a beat can be taken">,
  Field<"awvalid", 1, "Bool", "a burst is to be written">,
  Field<"awaddr", 64, "Uint", "address of the burst that is written">,
  Field<"awlen", 8, "Uint", "beats of the burst that is written, less one">,
  Field<"wvalid", 1, "Bool", "a beat is offered">,
  Field<"wlast", 1, "Bool", "it is the last one of its burst">,
  Field<"bready", 1, "Bool", "an answer can be taken">,
]>;
def CardResponseSignals : Signals<"CardResponse", "card_response_axi_t", "What memory answers to the shell.", [
  Field<"arready", 1, "Bool", "a read is taken">,
  Field<"rvalid", 1, "Bool", "a beat of a burst that is read comes">,
  Field<"rresp", 2, "Uint", "bit 1: with an error">,
  Field<"rlast", 1, "Bool", "it is the last one of its burst">,
  Field<"awready", 1, "Bool", "a write is taken">,
  Field<"wready", 1, "Bool", "a beat of a burst that is written is taken">,
  Field<"bvalid", 1, "Bool", "a burst has been written">,
  Field<"bresp", 2, "Uint", "bit 1: with an error">,
]>;

//===- Registers of the shell ---------------------------------------------===//

def ModeSignals : Signals<"Mode", "mode_t", "Register of the mode.", [
  Field<"handle", 1, "Bool", "packets go to the handler; else all frames are others'">,
  Field<"forward", 1, "Bool", "frames of others pass through">,
  Field<"swap", 1, "Bool", "attached: answers go back to where their packet came from">,
  Field<"keep", 1, "Bool", "the program that is loaded goes on, with its state">,
]>;

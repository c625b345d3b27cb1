// The layout of the context words. Meaning of the fields: backend/isa/Context.h.

def TypeEnum : Enumeration<"Type", "type_e", 3, "Type of an element.">;
def TypeI8 : Code<TypeEnum, "I8", 0, "8-bit integer">;
def TypeI16 : Code<TypeEnum, "I16", 1, "16-bit integer">;
def TypeI32 : Code<TypeEnum, "I32", 2, "32-bit integer">;
def TypeI64 : Code<TypeEnum, "I64", 3, "64-bit integer">;
def TypeF32 : Code<TypeEnum, "F32", 4, "IEEE-754 binary32">;
def TypeF64 : Code<TypeEnum, "F64", 5, "IEEE-754 binary64">;

def SourceEnum : Enumeration<"Source", "source_e", 5, "Where a PE takes a value from.">;
def SourceNone : Code<SourceEnum, "None", 0, "nothing">;
def SourceRes : Code<SourceEnum, "Res", 1,
    "the result that the functional unit finishes in the cycle">;
def SourceStreamIn : Code<SourceEnum, "StreamIn", 2,
    "the beat popped from the input stream, seen by every PE">;
def SourceVrf0 : Code<SourceEnum, "Vrf0", 3, "read port 0">;
def SourceVrf1 : Code<SourceEnum, "Vrf1", 4, "read port 1">;
def SourceMemIn : Code<SourceEnum, "MemIn", 5, "the beat popped from the memory read port">;
def SourceImm0 : Code<SourceEnum, "Imm0", 6, "constant 0 of the slot, in every lane">;
def SourceImm1 : Code<SourceEnum, "Imm1", 7, "constant 1">;
def SourceLink0 : Code<SourceEnum, "Link0", 8, "what the in-link of that number delivered", 8>;
def SourceReg0 : Code<SourceEnum, "Reg0", 16, "routing register", 16>;

def InputEnum : Enumeration<"Input", "input_e", 4,
    "Inputs of a PE that have a delay line, in the order of the hardware.">;
def InA : Code<InputEnum, "A", 0, "operand a">;
def InB : Code<InputEnum, "B", 1, "operand b">;
def InC : Code<InputEnum, "C", 2, "operand c">;
def InRead0 : Code<InputEnum, "ReadIndex0", 3, "index of read port 0">;
def InRead1 : Code<InputEnum, "ReadIndex1", 4, "index of read port 1">;
def InIndex : Code<InputEnum, "WriteIndex", 5, "index of the write port">;
def InData : Code<InputEnum, "WriteData", 6, "data of the write port">;
def InPred : Code<InputEnum, "WritePredicate", 7, "predicate of the write port">;
def InMemData : Code<InputEnum, "MemData", 8, "data of the memory output">;
def InMemPred : Code<InputEnum, "MemPredicate", 9, "predicate of the memory output">;
def InStream : Code<InputEnum, "StreamData", 10, "data of the stream output">;
def InSend : Code<InputEnum, "StreamPredicate", 11,
    "whether the stream output's element is sent">;

def LoopRecord : ContextRecord<"Loop", "The loop, once.", [
  Field<"ii", 16, "Uint", "cycles between two iterations; slots of every PE">,
  Field<"stages", 16, "Uint", "1 + the largest stage">,
  Field<"innerCount", 16, "Uint", "iterations of the inner loop, for i0 and i1">,
  Field<"laneBits", 8, "Uint", "32 or 64; vf = lanes * 32 / laneBits">,
  Field<"scalar", 1, "Bool", "an iteration is one element, in lane 0">,
  Field<"numArgs", 6, "Uint", "launch arguments, at most @MaxArgs@">,
  Field<"numResults", 4, "Uint", "results, at most @MaxResults@">,
  Field<"streamIn.on", 1, "Bool", "stream input: in use">,
  Field<"streamIn.format.bytes", 4, "Uint", "stream input: bytes of an element">,
  Field<"streamIn.format.isSigned", 1, "Bool", "stream input: sign-extend">,
  Field<"streamIn.format.splat", 1, "Bool", "stream input: one element for all lanes">,
  Field<"streamIn.arg", 5, "Uint", "stream input: launch argument with the byte position">,
  Field<"streamOut.on", 1, "Bool", "stream output: in use">,
  Field<"streamOut.format.bytes", 4, "Uint", "stream output: bytes of an element">,
  Field<"streamOut.format.isSigned", 1, "Bool", "stream output: sign-extend">,
  Field<"streamOut.format.splat", 1, "Bool", "stream output: one element for all lanes">,
  Field<"streamOut.arg", 5, "Uint", "stream output: launch argument with the byte position">,
  Field<"vregsRead", 32, "Uint", "mask of the vector registers read">,
  Field<"vregsWritten", 32, "Uint", "mask of the vector registers written">
]>;

def PopRecord : ContextRecord<"Pop", "Pops of the stream input, one record per slot.", [
  Field<"on", 1, "Bool", "a beat is popped in this slot">,
  Field<"stage", 8, "Uint", "stage of the pop">
]>;

def PeRecord : ContextRecord<"Pe", "A PE, one record per PE; its address records and its slots follow.", [
  Field<"numAddresses", 16, "Uint", "address records that follow, at most @MaxAddresses@">,
  Field<"memIn.on", 1, "Bool", "memory input: in use">,
  Field<"memIn.format.bytes", 4, "Uint", "memory input: bytes of an element">,
  Field<"memIn.format.isSigned", 1, "Bool", "memory input: sign-extend">,
  Field<"memIn.format.splat", 1, "Bool", "memory input: one element for all lanes">,
  Field<"memIn.arg", 5, "Uint", "memory input: launch argument with the byte address">,
  Field<"memIn.offset", 32, "Sint", "memory input: bytes added">,
  Field<"memIn.stride0", 32, "Sint", "memory input: bytes added per i0">,
  Field<"memIn.stride1", 32, "Sint", "memory input: bytes added per i1">,
  Field<"memOut.on", 1, "Bool", "memory output: in use">,
  Field<"memOut.format.bytes", 4, "Uint", "memory output: bytes of an element">,
  Field<"memOut.format.isSigned", 1, "Bool", "memory output: sign-extend">,
  Field<"memOut.format.splat", 1, "Bool", "memory output: one element for all lanes">,
  Field<"memOut.arg", 5, "Uint", "memory output: launch argument with the byte address">,
  Field<"memOut.offset", 32, "Sint", "memory output: bytes added">,
  Field<"memOut.stride0", 32, "Sint", "memory output: bytes added per i0">,
  Field<"memOut.stride1", 32, "Sint", "memory output: bytes added per i1">
]>;

def AddressRecord : ContextRecord<"Address", "An address generator of the register-file ports.", [
  Field<"base", 16, "Uint", "first beat of the array">,
  Field<"limit", 16, "Uint", "beats of the array (elements in a scalar loop)">,
  Field<"stride0", 16, "Sint", "beats (elements) added per i0">,
  Field<"stride1", 16, "Sint", "beats (elements) added per i1">,
  Field<"arg", 6, "Arg", "launch argument added, in beats (elements)">,
  Field<"indexed", 1, "Bool", "the offset has an index operand">,
  Field<"uniform", 1, "Bool", "lane `lane` gives the index of all lanes">,
  Field<"zeroOutside", 1, "Bool",
        "an offset out of the array reads 0 and writes nothing, else it traps">,
  Field<"lane", 8, "Uint", "lane of a uniform index; first element in a scalar loop">,
  Field<"shift", 7, "Uint", "bits cut off below the index">,
  Field<"bits", 7, "Uint", "bits of the index, 0: all">
]>;

def SlotRecord : ContextRecord<"Slot", "The context word: what a PE does in one slot.", [
  Field<"op", 7, "Uint", "operation, see Operations">,
  Field<"type", 3, "Uint", "type of the result">,
  Field<"from", 3, "Uint", "type of the operand of a conversion">,
  Field<"stage", 8, "Uint", "stage of the operation">,
  Field<"a.source", 5, "Uint", "operand a: source">,
  Field<"a.delay", 8, "Uint", "operand a: delay in cycles">,
  Field<"a.first", 4, "Uint", "operand a: first iterations that take the initial value">,
  Field<"a.init", 1, "Uint", "operand a: constant that is the initial value">,
  Field<"b.source", 5, "Uint", "operand b: source">,
  Field<"b.delay", 8, "Uint", "operand b: delay in cycles">,
  Field<"b.first", 4, "Uint", "operand b: first iterations that take the initial value">,
  Field<"b.init", 1, "Uint", "operand b: constant that is the initial value">,
  Field<"c.source", 5, "Uint", "operand c: source">,
  Field<"c.delay", 8, "Uint", "operand c: delay in cycles">,
  Field<"c.first", 4, "Uint", "operand c: first iterations that take the initial value">,
  Field<"c.init", 1, "Uint", "operand c: constant that is the initial value">,
  Field<"imm[0]", 64, "Uint", "constant 0">,
  Field<"imm[1]", 64, "Uint", "constant 1; identity of an accumulation">,
  Field<"immArg[0]", 6, "Arg", "launch argument that replaces constant 0">,
  Field<"immArg[1]", 6, "Arg", "launch argument that replaces constant 1">,
  Field<"accumulate", 1, "Bool", "accumulation: operand b (c of fmac) is a partial result">,
  Field<"result", 4, "Arg", "number of the result that the slot gives">,
  Field<"read[0].on", 1, "Bool", "read port 0: in use">,
  Field<"read[0].stage", 8, "Uint", "read port 0: stage">,
  Field<"read[0].address", 8, "Uint", "read port 0: number of the address record">,
  Field<"read[0].index.source", 5, "Uint", "read port 0: index, source">,
  Field<"read[0].index.delay", 8, "Uint", "read port 0: index, delay">,
  Field<"read[0].index.first", 4, "Uint", "read port 0: index: first iterations that take the initial value">,
  Field<"read[0].index.init", 1, "Uint", "read port 0: index: constant that is the initial value">,
  Field<"read[1].on", 1, "Bool", "read port 1: in use">,
  Field<"read[1].stage", 8, "Uint", "read port 1: stage">,
  Field<"read[1].address", 8, "Uint", "read port 1: number of the address record">,
  Field<"read[1].index.source", 5, "Uint", "read port 1: index, source">,
  Field<"read[1].index.delay", 8, "Uint", "read port 1: index, delay">,
  Field<"read[1].index.first", 4, "Uint", "read port 1: index: first iterations that take the initial value">,
  Field<"read[1].index.init", 1, "Uint", "read port 1: index: constant that is the initial value">,
  Field<"write.on", 1, "Bool", "write port: in use">,
  Field<"write.stage", 8, "Uint", "write port: stage">,
  Field<"write.address", 8, "Uint", "write port: number of the address record">,
  Field<"write.index.source", 5, "Uint", "write port: index, source">,
  Field<"write.index.delay", 8, "Uint", "write port: index, delay">,
  Field<"write.index.first", 4, "Uint", "write port: index: first iterations that take the initial value">,
  Field<"write.index.init", 1, "Uint", "write port: index: constant that is the initial value">,
  Field<"write.data.source", 5, "Uint", "write port: data, source">,
  Field<"write.data.delay", 8, "Uint", "write port: data, delay">,
  Field<"write.data.first", 4, "Uint", "write port: data: first iterations that take the initial value">,
  Field<"write.data.init", 1, "Uint", "write port: data: constant that is the initial value">,
  Field<"write.predicate.source", 5, "Uint", "write port: predicate, source (none: always)">,
  Field<"write.predicate.delay", 8, "Uint", "write port: predicate, delay">,
  Field<"write.predicate.first", 4, "Uint", "write port: predicate: first iterations that take the initial value">,
  Field<"write.predicate.init", 1, "Uint", "write port: predicate: constant that is the initial value">,
  Field<"write.interlock", 1, "Bool",
        "write port: reads wait for writes on their way to the same beat">,
  Field<"memIn.on", 1, "Bool", "memory input: in use">,
  Field<"memIn.stage", 8, "Uint", "memory input: stage">,
  Field<"memOut.on", 1, "Bool", "memory output: in use">,
  Field<"memOut.stage", 8, "Uint", "memory output: stage">,
  Field<"memOut.data.source", 5, "Uint", "memory output: data, source">,
  Field<"memOut.data.delay", 8, "Uint", "memory output: data, delay">,
  Field<"memOut.data.first", 4, "Uint", "memory output: data: first iterations that take the initial value">,
  Field<"memOut.data.init", 1, "Uint", "memory output: data: constant that is the initial value">,
  Field<"memOut.predicate.source", 5, "Uint", "memory output: predicate, source (none: always)">,
  Field<"memOut.predicate.delay", 8, "Uint", "memory output: predicate, delay">,
  Field<"memOut.predicate.first", 4, "Uint", "memory output: predicate: first iterations that take the initial value">,
  Field<"memOut.predicate.init", 1, "Uint", "memory output: predicate: constant that is the initial value">,
  Field<"streamOut.on", 1, "Bool", "stream output: in use">,
  Field<"streamOut.stage", 8, "Uint", "stream output: stage">,
  Field<"streamOut.data.source", 5, "Uint", "stream output: data, source">,
  Field<"streamOut.data.delay", 8, "Uint", "stream output: data, delay">,
  Field<"streamOut.data.first", 4, "Uint", "stream output: data: first iterations that take the initial value">,
  Field<"streamOut.data.init", 1, "Uint", "stream output: data: constant that is the initial value">,
  Field<"streamOut.predicate.source", 5, "Uint", "stream output: predicate, source (none: always)">,
  Field<"streamOut.predicate.delay", 8, "Uint", "stream output: predicate, delay">,
  Field<"streamOut.predicate.first", 4, "Uint", "stream output: predicate: first iterations that take the initial value">,
  Field<"streamOut.predicate.init", 1, "Uint", "stream output: predicate: constant that is the initial value">,
  Field<"regWrite", 1, "Bool", "a routing register is written">,
  Field<"reg", 4, "Uint", "which one">,
  Field<"regData", 5, "Uint", "source of the register">,
  Field<"link[0]", 5, "Uint", "source of out-link 0">,
  Field<"link[1]", 5, "Uint", "source of out-link 1">,
  Field<"link[2]", 5, "Uint", "source of out-link 2">,
  Field<"link[3]", 5, "Uint", "source of out-link 3">,
  Field<"link[4]", 5, "Uint", "source of out-link 4">,
  Field<"link[5]", 5, "Uint", "source of out-link 5">,
  Field<"link[6]", 5, "Uint", "source of out-link 6">,
  Field<"link[7]", 5, "Uint", "source of out-link 7">
]>;

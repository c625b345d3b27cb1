// Types that several parts of the overlay share. Sizes come from acis_overlay_pkg, the
// layout of context words, and numbers that the engines share, from acis_isa_pkg.
package acis_pkg;

  import acis_overlay_pkg::*;
  import acis_isa_pkg::*;

  parameter int unsigned BeatBits  = Lanes * 32;
  parameter int unsigned BeatBytes = Lanes * 4;
  parameter int unsigned ByteBits  = $clog2(BeatBytes);  // of a byte's place in a beat
  parameter int unsigned CountBits = ByteBits + 1;       // of a number of bytes, 0..BeatBytes
  parameter int unsigned LaneBits  = $clog2(Lanes) + 1;  // of a number of lanes, 0..Lanes
  parameter int unsigned SlotBits  = $clog2(ContextSlots);
  parameter int unsigned CtxBits   = $clog2(MaxContexts);
  parameter int unsigned VrfBits   = $clog2(VrfBeats);
  parameter int unsigned PeBits    = (NumPes > 1) ? $clog2(NumPes) : 1;
  parameter int unsigned ArgBits   = $clog2(Arguments);
  parameter int unsigned StageBits = $clog2(Stages);     // of a loop's stage
  parameter bit          HasWide   = PeWide != '0;       // there are elements of 64 bits
  parameter bit          HasVector = ScalarVector != 0;  // there are vector instructions
  // A second read of a register file in a slot: a vector instruction of two registers has one, whatever loops have
  parameter bit          TwoReads  = VrfReadPorts > 1 || HasVector;

  typedef logic [BeatBits-1:0] beat_t;
  typedef logic [Arguments-1:0][31:0] args_t;

  // An operand of a slot; the fields stand in the context word in this order, source lowest.
  typedef struct packed {
    logic       init;     // constant that is its initial value
    logic [3:0] first;    // iterations that take it; FirstOfRow: those with i0 = 0
    logic [7:0] delay;
    logic [4:0] source;
  } operand_t;

  // Inputs of which every word of 32 bits is 1 or 0: not 0, or 0.
  function automatic bit isPredicate(int i);
    return i == int'(InPred) || i == int'(InMemPred) || i == int'(InSend);
  endfunction

  // Inputs that are an index of a read or of the write.
  function automatic bit isIndex(int i);
    return i == int'(InRead0) || i == int'(InRead1) || i == int'(InIndex);
  endfunction

  // The same for the iteration at hand, of a pair of lanes.
  typedef struct packed {
    logic        fixed;   // the constant
    logic        past;    // what the source carried before
    logic [63:0] value;   // constant, in each lane of 32 bits unless lanes are of 64
  } choice_t;

  // What the host derives from the words of a slot when it loads them.
  typedef struct packed {
    logic [2:0] accumulation;             // number of the slot's, of those of the PE in the loop
    logic [1:0][15:0] distance;           // array time from the read to its interlocked write
    logic [1:0] interlocked;              // read port: has such a write
    logic [NumInputs-1:0][4:0] sample;    // source that each delay line takes in this slot
  } slot_extra_t;

  // All that the tables say of a slot.
  typedef struct packed {
    slot_record_t word;
    slot_extra_t  extra;
    logic [2:0][$bits(address_record_t)-1:0] address;  // of both reads and of the write
  } slot_row_t;

  // What the host derives from a context.
  typedef struct packed {
    logic sendsConditionally;      // leaves elements out of its output
    logic [15:0] slotBase;         // of its words in the slot tables
    logic [15:0] pushesPerIteration;
    logic [15:0] popsPerIteration;
    logic [7:0]  foldDrain;        // cycles until the last accumulated result has come out
    logic [15:0] foldCycles;
    logic [15:0] interval;         // iterations start every interval * ii cycles
    logic writesMemory;
    logic readsMemory;
    logic overlaps;                // may follow itself without draining
  } loop_extra_t;

  // The iteration that is in a stage. What most elements ask of its numbers is a flag.
  typedef struct packed {
    logic valid;
    logic first;                   // iteration is 0
    logic row;                     // i0 is 0
    logic [3:0]  early;            // iteration, or 15 if that is less
    logic [3:0]  argSet;              // of arguments
    logic [31:0] iteration;
    logic last;
    logic [LaneBits-1:0] active;   // elements
  } stage_t;

  // What the sequencer says of the slot behind the one at hand, with a launch latency: the loop's next
  // one, or the first one of the launch that may begin.
  typedef struct packed {
    logic turns;                   // it is slot 0: iterations move before it
    logic walks;                   // a wait goes on: the next cycle is of a row of its own
    logic [SlotBits-1:0] after;    // row of the slot behind it,
    logic afterTurns;              // which is slot 0
    logic [SlotBits-1:0] slot;
    logic wide;
    logic scalar;
    logic [3:0] routingSet;        // of arguments, for links and routing registers
    stage_t stage0;                // the iteration that then starts, if one does
  } next_slot_t;

  // A vector instruction in the form in which PEs turn it into a slot. Two of them that
  // are equal are the same context.
  typedef enum logic [2:0] {
    VecLoad, VecStore, VecMove, VecBinary, VecStreamOut, VecSpvaccXv, VecSpvaccVx
  } vec_kind_e;
  typedef struct packed {
    vec_kind_e kind;
    logic [6:0]  op;               // binary
    logic        scalarOperand;
    logic [3:0]  eew;              // bytes of an element in memory
    logic        splat;            // load: one element for all lanes of a beat
    logic [15:0] beats;            // that vl reaches
    logic [1:0]  sew;              // log2 of the bytes of an element
    logic [2:0]  lmul;             // log2 of the registers in a group
    logic [4:0]  vd, vs1, vs2;
    logic [31:0] scalar;           // operand in the context; 0 where it is an argument
    logic [31:0] stride;           // bytes from one PE to the next
    logic [31:0] mask;             // PEs
  } vec_t;

  // An access of a register file without the predicates of its lanes (acis_addr).
  typedef struct packed {
    logic wide, scalar, uniform;
    logic [63:0] start;
    logic [Lanes-1:0] index_on;                 // by element
    logic [Lanes-1:0][63:0] index;              // by element; lanes of the upper half have 32 bits
    logic [Lanes-1:0] hits, outside;            // an access of the array, and one that traps
    logic [Lanes-1:0][VrfBits-1:0] beat;
    logic [LaneBits-1:0] place;                 // scalar loop: element in the beat
  } vrf_address_t;

  // A read of a register file, by bank: its beats, which words are found (else they are 0), and where the
  // first two words are, which in a scalar loop are its element.
  typedef struct packed {
    logic [Lanes-1:0][VrfBits-1:0] beat;
    logic [Lanes-1:0] on;
    logic [1:0][$clog2(Lanes)-1:0] from;
  } vrf_read_t;

  // A launch.
  typedef enum logic [1:0] {LaunchLoop, LaunchLoad, LaunchStore} launch_kind_e;
  typedef struct packed {
    launch_kind_e kind;
    logic         isVector;        // the context is `vec`, else number `context_`
    logic [6:0]   context_;
    vec_t         vec;
    logic [31:0]  iterations;
    logic [LaneBits-1:0] tail;     // elements of the last iteration, 0: all
    logic [3:0]   argSet;             // of arguments
    logic [31:0]  base;            // argument 0, for loads and stores
    logic [31:0]  pc;
  } launch_t;

  // An instruction of the scalar unit, decoded.
  typedef struct packed {           // what it computes: one or none
    logic sum, less, left, right, either, any, both;
    logic imm, target, link;
  } scalar_result_t;
  typedef struct packed {
    logic        undefined;
    logic        asks;             // the rest of the overlay: acis_control answers
    logic        writes;           // rd, when it retires
    logic        multiplies, divides;
    logic        jumps, branches;
    logic        indirect;         // jalr
    logic        immediate;        // the second operand is `imm`
    logic        alternate;        // sub, sra, srai
    logic        below;            // compares without sign
    scalar_result_t result;
    logic [2:0]  funct3;
    logic [4:0]  rd, rs1, rs2;
    logic [31:0] imm;
  } scalar_op_t;

  // What an instruction asks of the rest of the overlay, as far as it is known from its operands and
  // what was before it in the program.
  typedef enum logic [3:0] {
    AskValue,                      // nothing that it had to wait for: `value`
    AskTrap, AskMemory, AskEnd, AskResult, AskSync, AskRead, AskWrite, AskLaunch
  } ask_e;
  typedef struct packed {
    ask_e         kind;
    logic         launches;        // or would; looked at for longer
    logic [31:0]  value;
    logic [4:0]   trap_code;
    logic [63:0]  trap_value, trap_other;
    logic [2:0]   csr_writes;      // vpestride, vpemask, pktlen
    logic [31:0]  csr_value;
    logic         sets_vl;         // to `value`
    logic         load, store;
    logic [31:0]  address;
    logic         tile;            // AskRead
    logic [31:0]  at;              // position in the input stream
    logic [2:0]   bytes;
    logic         passed;          // the input stream is behind it
    launch_t      launch;
    logic         too_late;        // more steps than are allowed
    logic         reads, sends, conditional;
    logic [31:0]  in_at, out_at;   // stream positions
    // Bytes of its stream accesses: so many, times those of one access in each iteration
    logic [15:0]  in_times, out_times;
    logic [31+CountBits:0] in_bytes, out_bytes;
    logic [31:0]  vector_at, vector_rest;
    logic         vector_last;     // a vector instruction has no further launch
  } asked_t;

  // The grid made progress, else it is why not.
  parameter stall_e StallNone = stall_e'(NumStalls);

  // An element format of a port.
  typedef struct packed {
    logic [3:0] bytes;
    logic isSigned;
    logic splat;
  } format_t;

  // The accesses of a memory port: base + stride0 * i0 + stride1 * i1.
  typedef struct packed {
    logic [31:0] base;
    logic [31:0] stride0, stride1;
    logic [15:0] inner;
    logic [31:0] iterations;
    logic [CountBits-1:0] full, last;  // bytes of an access, and of the last one
    logic user;                        // 0: grid, 1: vector load
  } job_t;

  // Bytes of n elements. An element has 1, 2, 4 or 8, so its product is one of four shifts.
  function automatic logic [CountBits-1:0] accessBytes(format_t format, logic [LaneBits-1:0] n);
    logic [CountBits-1:0] bytes;
    bytes = format.splat ? CountBits'(format.bytes) : '0;
    for (int k = 0; k < 4; ++k)
      if (format.bytes[k] && !format.splat)
        bytes |= CountBits'(n) << k;
    return bytes;
  endfunction

  // Where the accesses of PE `pe` begin. Its number is a constant, of which each bit is an addend, two
  // and two.
  function automatic logic [31:0] startOf(logic [31:0] base, logic [31:0] stride, logic [7:0] pe);
    logic [31:0] pairs[4];
    for (int k = 0; k < 4; ++k)
      pairs[k] = (pe[2*k] ? stride << (2*k) : '0) + (pe[2*k + 1] ? stride << (2*k + 1) : '0);
    return base + ((pairs[0] + pairs[1]) + (pairs[2] + pairs[3]));
  endfunction

  // Elements of a beat in containers of 32 or 64 bits, and of an iteration.
  function automatic logic [LaneBits-1:0] vfOf(logic wide);
    return wide ? LaneBits'(Lanes / 2) : LaneBits'(Lanes);
  endfunction

  function automatic logic [LaneBits-1:0] elementsOf(logic scalar, logic wide);
    return scalar ? LaneBits'(1) : vfOf(wide);
  endfunction

  // One value in every lane.
  function automatic beat_t broadcast(logic wide, logic [63:0] value);
    beat_t beat;
    for (int l = 0; l < int'(Lanes); l += 2)
      beat[l*32 +: 64] = wide ? value : {value[31:0], value[31:0]};
    return beat;
  endfunction

  // Bytes of a port to elements; lanes past `active` are 0.
  function automatic beat_t expand(format_t format, logic wide, logic [LaneBits-1:0] active,
                                   beat_t bytes);
    beat_t beat;
    for (int l = 0; l < int'(Lanes); ++l) begin
      logic [31:0] narrow;
      case (format.bytes)
        4'd1: narrow = {{24{format.isSigned & bytes[(format.splat ? 0 : l)*8 + 7]}},
                        bytes[(format.splat ? 0 : l)*8 +: 8]};
        4'd2: narrow = {{16{format.isSigned & bytes[(format.splat ? 0 : l)*16 + 15]}},
                        bytes[(format.splat ? 0 : l)*16 +: 16]};
        default: narrow = bytes[(format.splat ? 0 : l)*32 +: 32];
      endcase
      if (!wide)
        beat[l*32 +: 32] = (format.splat || LaneBits'(l) < active) ? narrow : 32'd0;
      else if (l < int'(Lanes) / 2)
        beat[l*64 +: 64] = !(format.splat || LaneBits'(l) < active) ? 64'd0
                         : format.bytes == 4'd8 ? bytes[(format.splat ? 0 : l)*64 +: 64]
                         : {{32{format.isSigned & narrow[31]}}, narrow};
    end
    return beat;
  endfunction

  // Elements to the bytes of a port, without gaps.
  function automatic beat_t pack(format_t format, logic wide, beat_t beat);
    beat_t bytes;
    bytes = '0;
    for (int l = 0; l < int'(Lanes); ++l) begin
      if (!wide) begin
        case (format.bytes)
          4'd1: bytes[l*8 +: 8] = beat[l*32 +: 8];
          4'd2: bytes[l*16 +: 16] = beat[l*32 +: 16];
          default: bytes[l*32 +: 32] = beat[l*32 +: 32];
        endcase
      end else if (l < int'(Lanes) / 2) begin
        case (format.bytes)
          4'd1: bytes[l*8 +: 8] = beat[l*64 +: 8];
          4'd2: bytes[l*16 +: 16] = beat[l*64 +: 16];
          4'd4: bytes[l*32 +: 32] = beat[l*64 +: 32];
          default: bytes[l*64 +: 64] = beat[l*64 +: 64];
        endcase
      end
    end
    return bytes;
  endfunction

  // One strobe per byte of pack()'s result: elements below `active` whose predicate is not 0.
  function automatic logic [BeatBytes-1:0] strobes(format_t format, logic wide,
                                                   logic [LaneBits-1:0] active,
                                                   logic predicated, beat_t predicate);
    logic [BeatBytes-1:0] keep;
    keep = '0;
    for (int l = 0; l < int'(Lanes); ++l) begin
      logic on;
      on = wide ? (l < int'(Lanes) / 2 && predicate[(l % (int'(Lanes) / 2))*64 +: 64] != 64'd0)
                : predicate[l*32 +: 32] != 32'd0;
      on = (on || !predicated) && (format.splat ? l == 0 : LaneBits'(l) < active);
      case (format.bytes)
        4'd1: keep[l] = on;
        4'd2: if (l < int'(BeatBytes) / 2) keep[l*2 +: 2] = {2{on}};
        4'd4: if (l < int'(BeatBytes) / 4) keep[l*4 +: 4] = {4{on}};
        default: if (l < int'(BeatBytes) / 8) keep[l*8 +: 8] = {8{on}};
      endcase
    end
    return keep;
  endfunction

endpackage

// The buses between the blocks of the overlay, as packed structs: array time, launches, traps, results. A
// field's meaning stands here and nowhere else. docs/rtl.md says what is a struct of its own.
//
// What is known early in a cycle and what follows from the answers to it are different structs: a simulation
// orders whole signals, so that a struct with both would be a loop where there is none.
package acis_bus_pkg;

  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::*;

  // A word of the tables that the loader writes; who a table belongs to takes it.
  typedef struct packed {
    logic we;
    table_e table_;
    logic [7:0] pe;
    logic [19:0] index;
    logic [511:0] data;
  } config_t;
  function automatic logic ofContexts(config_t write);   // of the sequencer and the scalar unit
    return write.we && write.table_ >= TableLoop && write.table_ <= TablePop;
  endfunction
  function automatic logic ofSlots(config_t write);      // of a PE
    return write.we && write.table_ >= TableSlotWord && write.table_ <= TablePe;
  endfunction

  // Array time: the cycle at hand, from the sequencer to all PEs. A cycle of array time may take several
  // clock cycles.
  typedef struct packed {
    logic begin_;                  // clear: a loop begins, or may in the next cycle
    logic on;                      // an element may be due in this cycle
    logic [15:0] step;             // cycles that array time has stood still
    logic [9:0] time_;
    logic [SlotBits-1:0] slot;     // of the loop
    logic [SlotBits-1:0] slot_base;   // row of its first slot
    logic wide;                    // elements have 64 bits
    logic scalar;                  // one element per iteration
    logic [3:0] routing_set;       // of arguments, for links and routing registers
    logic shift;                   // iterations move to their next stage (acis_stages):
    logic [7:0] head;              // the place of stage 0 in the ring,
    logic [8:0] age;               // shifts since the loop started,
    stage_t stage0;                // and what enters
  } array_t;

  // Whether array time goes on, which waits for the answers of all PEs and streams.
  typedef struct packed {
    logic detect;                  // the first cycle of an array time: ports and interlocks are looked at
    logic advance;                 // the last one: everything changes
    logic next;                    // the PEs' next cycle is of row next_row, else of the same
    logic [SlotBits-1:0] next_row;
  } move_t;

  // The launch that begins if one does: a context's first slot, or a vector instruction as a slot.
  typedef struct packed {
    logic [SlotBits-1:0] row;
    logic [CtxBits-1:0] context_;
    logic isVector;                // a vector instruction,
    logic [31:0] mask;             // of these PEs
    slot_record_t slot;
    address_record_t [2:0] address;
  } head_t;

  // A launch from the scalar unit,
  typedef struct packed {
    logic on;                      // is put into the queue
    launch_t launch;
  } enqueue_t;

  // and its arguments, which all PEs keep.
  typedef struct packed {
    logic we;
    logic [3:0] argSet;
    args_t args;
  } args_write_t;

  // What the launch queue tells the scalar unit: at the start of the cycle, or with what it does.
  typedef struct packed {
    logic space;                   // for a launch
    logic loops_idle;              // no loop waits or runs,
    logic idle;                    // nor a vector load or store
  } queue_t;

  // Memory reads of a loop or of a vector load begin.
  typedef struct packed {
    logic on;
    launch_t launch;
    logic [LaneBits-1:0] vf;       // elements of an iteration
    logic [15:0] inner;            // iterations of the inner loop
  } fetch_t;

  // The oldest vector load or store that a PE works on.
  typedef struct packed {
    logic load;
    logic store;
    launch_t op;                   // its base is where the PE's own accesses begin
  } vector_access_t;

  // A packet whose header is seen in this cycle.
  typedef struct packed {
    logic on;
    logic [31:0] bytes;
  } packet_t;

  // Tiles that were skipped: by the tile that retires, and by all since reset.
  typedef struct packed {
    logic [31:0] now;
    logic [31:0] total;
  } tiles_t;

  // What a handler may use.
  typedef struct packed {
    logic [6:0] first_context;     // rows of the tables count from it
    logic [7:0] context_count;
    logic [31:0] memory_bytes;
    logic [63:0] deadline;         // steps of an invocation
  } handler_t;

  // An instruction of the scalar unit that the rest of the overlay answers,
  typedef struct packed {
    logic on;
    logic [31:0] word;
    logic [31:0] pc;
    logic [31:0] a;                // its operands
    logic [31:0] b;
    logic [4:0] rd;
    logic [4:0] rs1;
  } instruction_t;

  // and the answer: neither this nor a trap lets it wait.
  typedef struct packed {
    logic done;
    logic end_;                    // of the invocation
    logic [31:0] value;
    logic [1:0] waiting;           // 0 none, for 1 a packet, 2 the input stream, 3 something else
  } answer_t;
  typedef struct packed {
    logic on;
    logic [4:0] code;
    logic [63:0] value;            // what was found
    logic [63:0] other;            // what was expected
  } scalar_trap_t;

  // Vector state, for the text of a trap.
  typedef struct packed {
    logic [31:0] vl;
    logic [5:0] vtype;
    logic [31:0] vpemask;
    logic [31:0] vpestride;
  } vector_state_t;

  // Its commands to the streams: bytes that a loop reads or sends, or an end.
  typedef struct packed {
    logic read;
    logic end_;
    logic [47:0] position;         // of a read; bytes of the packets of an end
    logic [47:0] bytes;
  } in_command_t;
  typedef struct packed {
    logic write;
    logic end_;
    logic [47:0] bytes;
  } out_command_t;

  // The scalar unit's own accesses to streams.
  typedef struct packed {
    logic on;
    logic first;                   // asked for the first time
    logic [2:0] bytes;
    logic [31:0] at;               // position in the stream
  } scalar_read_t;
  typedef struct packed {
    logic [CountBits-1:0] bytes;
    logic [31:0] data;
  } scalar_write_t;

  // A fold of partial results.
  typedef struct packed {
    logic on;
    logic begun;                   // since a cycle or more
    logic [7:0] drain;             // cycles until the last accumulated result has come out
  } fold_t;

  // What is due in the slot, from a PE or from the grid.
  typedef struct packed {
    logic mem_read;                // and not ready
    logic mem_write;               // and not ready
    logic waits;                   // array time stands still for an interlock,
    logic longer;                  // for more than one cycle,
    logic longest;                 // and than two
    logic [15:0] wait_;            // in the next cycle: for how many
    logic push;                    // to the output stream,
    logic [LaneBits-1:0] push_active;   // so many elements
  } due_t;

  // What a push sends, which is later than that it is due.
  typedef struct packed {
    logic on;                      // from this PE
    logic sends;                   // else the element is left out
    beat_t data;
  } push_t;

  // A pop of the input stream that is due in the slot.
  typedef struct packed {
    logic live;
    format_t format;
    logic [LaneBits-1:0] active;
    logic [CountBits-1:0] bytes;
  } pop_t;

  // Why a PE traps.
  typedef struct packed {
    logic on;
    logic memory;                  // an access to memory, else to the register file
    logic isVector;                // of the vector load or store
    logic [63:0] value;            // address, or offset
    logic [15:0] base;
    logic [15:0] limit;            // beats, or bytes of the access
    logic [3:0] argSet;            // whose arguments: names the launch
  } pe_trap_t;

  // Accesses of a PE in this cycle that lie outside of the memory: of the loop, or of the vector load or
  // store.
  typedef struct packed {
    logic read;
    logic write;
    logic [31:0] address;          // of the first of them
    logic [CountBits-1:0] bytes;
  } outside_t;

  // What a slot does with a PE's memory port, and what is looked up for the next one (acis_affine).
  typedef struct packed {
    pe_record_t port;
    logic read;                    // is due,
    logic [LaneBits-1:0] read_active;
    logic write;                   // and this,
    stage_t info;                  // of this iteration
    logic predicated;
  } memory_slot_t;
  typedef struct packed {
    stage_t info;
    pe_record_t port;
    logic [31:0] arg;
  } memory_look_t;

  // What a loop writes to memory: later than that it does.
  typedef struct packed {
    beat_t data;
    beat_t predicate;
  } memory_data_t;

  // Memory reads of a PE that begin: its port, and the launch argument in its address.
  typedef struct packed {
    pe_record_t port;
    logic [31:0] arg;
  } memory_fetch_t;

  // A slot on its way from the front of a PE, which has its tables, to the back, which does it.
  typedef struct packed {
    slot_record_t word;
    slot_extra_t extra;
    logic unit;                    // elements that are due
    logic [1:0] read;
    logic write;
    logic push;
    logic swapped;                 // read 1 is made first
    stage_t unit_info;
    logic [LaneBits-1:0] write_active;
    choice_t [NumInputs-1:0] choice;
    logic [63:0] identity;
    logic [1:0][63:0] routing;
    logic [15:0] write_base;       // for the text of a trap
    logic [15:0] write_limit;
    logic [3:0] write_set;
  } slot_work_t;

  // The indices that addresses are made of in this cycle, of both reads and of the write: the choice of
  // each, and where in its delay line it is.
  typedef struct packed {
    choice_t [2:0] choice;
    logic [2:0][8:0] delay;
  } index_ask_t;

  // An interlocked write that is made early, and the one of the slot, if it was.
  typedef struct packed {
    logic on;
    logic uniform;
    logic [Lanes-1:0] lanes;
    logic [Lanes-1:0][VrfBits-1:0] beat;
    logic [LaneBits-1:0] active;
    logic done;
  } early_t;

  // For how long reads of a PE wait (due_t).
  typedef struct packed {
    logic waits;
    logic longer;
    logic longest;
    logic [15:0] wait_;
  } hold_t;

  // A memory port: AXI4, whose signals backend/isa/Signals.td has, with what has the width of a beat in the
  // lowest bits.
  typedef struct packed {
    memory_request_axi_t axi;
    logic [BeatBytes-1:0] strobe;
    beat_t data;
  } memory_request_t;
  typedef struct packed {
    memory_response_axi_t axi;
    beat_t data;
  } memory_response_t;

  // The same at a port of the shell, with the card's addresses.
  typedef struct packed {
    card_request_axi_t axi;
    logic [BeatBytes-1:0] strobe;
    beat_t data;
  } card_request_t;
  typedef struct packed {
    card_response_axi_t axi;
    beat_t data;
  } card_response_t;

  // A result of a loop, from a PE.
  typedef struct packed {
    logic on;
    logic [2:0] number;
    logic [63:0] value;
  } result_t;

endpackage

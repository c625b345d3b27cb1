// The memory port of a PE: what its loops read and write, the vector loads and stores that work
// on its register file beside the grid, and the AXI masters for both.
//
// What loops do is decided in one cycle (slot_i, move_i) and done StallLatency cycles later, when read_o
// and data_i are of that slot. Vector loads and stores have nothing to be decided.
`include "acis_assert.svh"

module acis_pe_memory
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_bus_pkg::*;
  import acis_isa_pkg::*;
#(
  parameter bit Memory = 1'b1   // there is a port
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [7:0]           pe_i,           // number of the PE, constant
  input  logic [31:0]          memory_bytes_i,

  // Reads of a loop or of a vector load begin
  input  fetch_t               fetch_i,
  input  memory_fetch_t        fetch_port_i,

  // The loop that runs: what is decided,
  input  array_t               array_i,
  input  move_t                move_i,
  input  next_slot_t           next_slot_i,    // the slot that is looked up (acis_affine)
  input  memory_slot_t         slot_i,
  input  memory_look_t         look_i,
  output logic                 read_due_o,     // and not ready
  output logic                 write_due_o,    // and not ready
  // and what is done
  output beat_t                read_o,
  input  memory_data_t         data_i,

  // The vector load or store at hand
  input  vector_access_t       vector_i,
  output logic                 vector_done_o,
  input  logic                 write_free_i,   // ports of the register file that the loop leaves
  input  logic                 read_free_i,
  output logic [VrfBits-1:0]   vector_beat_o,  // of the register file
  output logic                 store_en_o,     // a read for a vector store
  output logic [VrfBits-1:0]   store_beat_o,
  output logic [Lanes-1:0]     load_en_o,
  output beat_t                load_data_o,
  input  beat_t                store_data_i,   // with VrfCopies of the cycle before

  output outside_t             outside_o,      // of the loop, of what is decided
  output outside_t             vector_outside_o,

  output logic                 reads_idle_o,   // with what this cycle does
  output logic                 reads_quiet_o,  // at the start of the cycle
  output logic                 writes_idle_o,
  output logic                 writes_o,       // in this cycle

  output memory_request_t      memory_o,
  input  memory_response_t     memory_i
);
  // The reads that begin
  job_t job;
  format_t fetch_format;
  logic job_start;
  always_comb begin
    fetch_format = fetch_i.launch.isVector
        ? format_t'{bytes: fetch_i.launch.vec.eew, isSigned: 1'b0,
                    splat: fetch_i.launch.vec.splat}
        : format_t'{bytes: fetch_port_i.port.memIn_format_bytes, isSigned: 1'b0,
                    splat: fetch_port_i.port.memIn_format_splat};
    job.iterations = fetch_i.launch.iterations;
    job.full = accessBytes(fetch_format, fetch_i.vf);
    job.last = fetch_i.launch.tail == '0 ? job.full : accessBytes(fetch_format, fetch_i.launch.tail);
    job.user = fetch_i.launch.isVector;
    if (fetch_i.launch.isVector) begin
      job.base = startOf(fetch_i.launch.base, fetch_i.launch.vec.stride, pe_i);
      job.stride0 = '0;
      job.stride1 = 32'(job.full);
      job.inner = 16'd1;
    end else begin
      job.base = fetch_port_i.arg + fetch_port_i.port.memIn_offset;
      job.stride0 = fetch_port_i.port.memIn_stride0;
      job.stride1 = fetch_port_i.port.memIn_stride1;
      job.inner = fetch_i.inner;
    end
  end
  assign job_start = fetch_i.on && (fetch_i.launch.isVector
                                 ? fetch_i.launch.vec.mask[pe_i[4:0]] && pe_i < 8'd32
                                 : fetch_port_i.port.memIn_on);

  // Vector loads and stores, a beat of the register file at a time
  logic [31:0] count_q, offset_q;   // beats up to it, bytes before it
  logic vector_last, vector_step, vector_wide, store_read;
  logic [LaneBits-1:0] vector_active;
  format_t vector_format;
  logic [CountBits-1:0] whole_bytes, tail_bytes, vector_bytes;
  logic [31:0] vector_address;
  assign vector_wide = vector_i.op.vec.sew == 2'd3;
  assign vector_format = '{bytes: vector_i.op.vec.eew, isSigned: 1'b0, splat: vector_i.op.vec.splat};
  assign vector_last = count_q == vector_i.op.iterations;
  assign vector_active = vector_last && vector_i.op.tail != '0 ? vector_i.op.tail
                       : vfOf(vector_wide);
  // Whether it is the last beat is late: what follows of it is found for both.
  assign whole_bytes = accessBytes(vector_format, vfOf(vector_wide));
  assign tail_bytes = vector_i.op.tail == '0 ? whole_bytes
                    : accessBytes(vector_format, vector_i.op.tail);
  assign vector_bytes = vector_last ? tail_bytes : whole_bytes;
  assign vector_beat_o = VrfBits'(32'(vector_i.op.vec.vd) * (VrfBeats / NumVregs) - 32'd1 + count_q);
  assign vector_address = vector_i.op.base + offset_q;
  assign vector_done_o = vector_step && vector_last;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      count_q <= 32'd1;
      offset_q <= '0;
    end else if (vector_step) begin
      count_q <= vector_last ? 32'd1 : count_q + 32'd1;
      offset_q <= vector_last ? '0 : offset_q + 32'(whole_bytes);
    end
  always_comb
    for (int b = 0; b < int'(Lanes); ++b)
      load_en_o[b] = vector_i.load && vector_step
                  && LaneBits'(vector_wide ? b / 2 : b) < vector_active;

  // Reads
  typedef struct packed {
    logic on;
    format_t format;
    logic wide;
    logic [LaneBits-1:0] active;
  } read_t;
  read_t read, done_read;
  logic mem_ready, mem_user, vector_ready, read_on, vector_read;
  logic [31:0] mem_address;
  logic [CountBits-1:0] mem_bytes;
  beat_t mem_data;
  assign read = '{
    on: slot_i.read,
    format: '{bytes: slot_i.port.memIn_format_bytes, isSigned: slot_i.port.memIn_format_isSigned,
              splat: slot_i.port.memIn_format_splat},
    wide: array_i.wide, active: slot_i.read_active
  };
  acis_pipe #(.Width($bits(read_t)), .Depth(StallLatency)) i_read
    (.clk_i, .en_i(1'b1), .d_i(read), .q_o(done_read));
  assign read_o = done_read.on ? expand(done_read.format, done_read.wide, done_read.active, mem_data) : '0;
  assign read_due_o = slot_i.read && !(mem_ready && !mem_user);
  assign load_data_o = expand(vector_format, vector_wide, vector_active, mem_data);
  assign read_on = move_i.advance && slot_i.read;
  assign vector_read = vector_i.load && vector_step;

  // Writes
  typedef struct packed {
    format_t format;
    logic wide;
    logic [LaneBits-1:0] active;
    logic predicated;
    logic last;
    logic [31:0] address;
    logic [CountBits-1:0] bytes;
  } write_t;
  write_t write, done_write;
  logic done_write_on;
  beat_t write_data;
  logic [BeatBytes-1:0] write_strobe;
  logic write_ready, loop_write, write_on;
  logic [31:0] out_address, write_address, look_address_unused;
  logic [CountBits-1:0] write_bytes;
  acis_affine #(.Bits(32)) i_out_address (
    .clk_i, .begin_i(array_i.begin_), .moves_i(move_i.advance), .live_i(slot_i.write),
    .slot_i(array_i.slot), .row_i(slot_i.info.row),
    .stride0_i(slot_i.port.memOut_stride0), .stride1_i(slot_i.port.memOut_stride1),
    .look_slot_i(next_slot_i.slot), .look_first_i(look_i.info.first), .look_row_i(look_i.info.row),
    .look_arg_i(look_i.arg + look_i.port.memOut_offset), .look_o(look_address_unused),
    .start_o(out_address)
  );
  format_t out_format;
  assign out_format = '{bytes: slot_i.port.memOut_format_bytes, isSigned: 1'b0,
                        splat: slot_i.port.memOut_format_splat};
  assign write = '{
    format: out_format, wide: array_i.wide, active: slot_i.info.active, predicated: slot_i.predicated,
    last: slot_i.info.last, address: out_address, bytes: accessBytes(out_format, slot_i.info.active)
  };
  assign loop_write = move_i.advance && slot_i.write;
  acis_pipe #(.Width($bits(write_t)), .Depth(StallLatency)) i_write
    (.clk_i, .en_i(1'b1), .d_i(write), .q_o(done_write));
  acis_follow #(.Width(1)) i_write_on (.clk_i, .rst_ni, .d_i(loop_write), .q_o(done_write_on));
  assign write_due_o = slot_i.write && !write_ready;
  always_comb begin
    if (vector_i.store) begin
      write_on = vector_step;
      write_address = vector_address;
      write_bytes = vector_bytes;
      write_data = pack(vector_format, vector_wide, store_data_i);
      write_strobe = strobes(vector_format, vector_wide, vector_active, 1'b0, '0);
    end else begin
      write_on = done_write_on;
      write_address = done_write.address;
      write_bytes = done_write.bytes;
      write_data = pack(done_write.format, done_write.wide, data_i.data);
      write_strobe = strobes(done_write.format, done_write.wide, done_write.active, done_write.predicated,
                             data_i.predicate);
    end
  end
  assign writes_o = vector_i.store ? vector_step : loop_write;
  assign vector_step = (vector_i.load && vector_ready && write_free_i)
                    || (vector_i.store && write_ready && store_read);

  // The beat that a vector store sends: found in this cycle or, in copies, read in the one before. That
  // one reads the beat behind if its own is being sent.
  assign store_en_o = vector_i.store && read_free_i;
  if (VrfCopies != 0) begin : g_store_ahead
    logic store_read_q;
    always_ff @(posedge clk_i or negedge rst_ni)
      if (!rst_ni)
        store_read_q <= 1'b0;
      else
        store_read_q <= store_en_o && !vector_done_o;
    assign store_read = store_read_q;
    assign store_beat_o = vector_beat_o + VrfBits'(vector_step);
  end else begin : g_store_now
    assign store_read = 1'b1;
    assign store_beat_o = vector_beat_o;
  end

  // Accesses outside of the memory
  function automatic logic outside(logic [31:0] address, logic [CountBits-1:0] bytes);
    // memory_bytes_i - bytes is negative where not even an access at the base has room.
    logic [32:0] most;
    most = {1'b0, memory_bytes_i} - 33'(bytes);
    return address < MemoryBase || most[32] || address - MemoryBase > most[31:0];
  endfunction
  logic reads_outside;
  assign reads_outside = outside(mem_address, mem_bytes);
  logic read_outside;
  assign read_outside = move_i.detect && slot_i.read && reads_outside;
  assign outside_o = '{
    read: read_outside, write: loop_write && outside(write.address, write.bytes),
    address: read_outside ? mem_address : write.address, bytes: read_outside ? mem_bytes : write.bytes
  };
  assign vector_outside_o = '{
    read: vector_read && reads_outside,
    write: vector_i.store && vector_step
           && (vector_last ? outside(vector_address, tail_bytes) : outside(vector_address, whole_bytes)),
    address: vector_i.load ? mem_address : vector_address,
    bytes: vector_i.load ? mem_bytes : vector_bytes
  };

  if (Memory) begin : g_memory
    acis_read_master i_reader (
      .clk_i, .rst_ni, .start_i(job_start), .job_i(job), .ready_o(mem_ready), .user_o(mem_user),
      .free_o(vector_ready), .address_o(mem_address), .bytes_o(mem_bytes), .data_o(mem_data),
      .read_i(read_on), .pop_i(vector_read),
      .idle_o(reads_idle_o), .quiet_o(reads_quiet_o), .arvalid_o(memory_o.axi.arvalid),
      .arready_i(memory_i.axi.arready), .araddr_o(memory_o.axi.araddr), .arlen_o(memory_o.axi.arlen),
      .rvalid_i(memory_i.axi.rvalid), .rlast_i(memory_i.axi.rlast), .rdata_i(memory_i.data)
    );
    acis_write_master i_writer (
      .clk_i, .rst_ni, .ready_o(write_ready), .coming_i(loop_write), .write_i(write_on), .address_i(write_address),
      .bytes_i(write_bytes), .data_i(write_data), .strobe_i(write_strobe),
      .flush_i(vector_i.store ? vector_last : done_write.last), .idle_o(writes_idle_o),
      .awvalid_o(memory_o.axi.awvalid), .awready_i(memory_i.axi.awready),
      .awaddr_o(memory_o.axi.awaddr), .awlen_o(memory_o.axi.awlen), .wvalid_o(memory_o.axi.wvalid),
      .wready_i(memory_i.axi.wready), .wdata_o(memory_o.data), .wstrb_o(memory_o.strobe),
      .wlast_o(memory_o.axi.wlast), .bvalid_i(memory_i.axi.bvalid)
    );
  end else begin : g_no_memory
    assign {mem_ready, mem_user, vector_ready, mem_address, mem_bytes, mem_data, write_ready} = '0;
    assign memory_o = '0;
    assign reads_idle_o = 1'b1;
    assign reads_quiet_o = 1'b1;
    assign writes_idle_o = 1'b1;
    logic unused;
    assign unused = ^{memory_i, read_on, vector_read, job_start, write_on, write_data, write_strobe,
                      done_write, write_address, write_bytes};
  end

  `ACIS_ASSERT(StoresAlone_A, !(vector_i.store && done_write_on))
  `ACIS_ASSERT(OneVectorAccess_A, !(vector_i.load && vector_i.store))
endmodule

// The PEs, the links between them and the formats of the streams.
//
// What the PEs' fronts decide in a cycle, their backs do StallLatency cycles later, and so do the formats:
// pop_i and push_format_i are those of what is decided, pop_data_i and push_o of what is done.
module acis_grid
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_bus_pkg::*;
#(
  parameter bit PumpedVrf = 1'b0
) (
  input  logic                  clk_i,
  input  logic                  clk_ram_i,
  input  logic                  rst_ni,

  input  config_t               cfg_i,

  input  array_t                array_i,
  input  move_t                 move_i,
  input  next_slot_t            next_slot_i,
  input  head_t                 head_i,
  input  fold_t                 fold_i,
  input  args_write_t           args_i,
  input  fetch_t                fetch_i,
  input  vector_access_t        vector_i[NumPes],
  output logic [NumPes-1:0]     vector_done_o,
  input  logic [31:0]           memory_bytes_i,

  output due_t                  due_o,
  output push_t                 push_o,
  output result_t               result_o[NumPes],
  output logic                  reads_idle_o,
  output logic                  reads_quiet_o,
  output logic                  writes_idle_o,
  output logic                  writes_o,

  // Streams
  input  pop_t                  pop_i,
  input  beat_t                 pop_data_i,
  input  format_t               push_format_i,

  // The first PE that traps
  output pe_trap_t              trap_o,
  output logic [7:0]            trap_pe_o,
  output logic [31:0]           trap_pc_o,      // of a vector load or store

  // One port per PE
  output memory_request_t       memory_o[NumPes],
  input  memory_response_t      memory_i[NumPes]
);
  // Array time of what is done
  array_t done_array;
  move_t done_move;
  fold_t done_fold;
  pop_t done_pop;
  format_t done_push_format;
  acis_pipe #(.Width($bits(array_t)), .Depth(StallLatency)) i_array
    (.clk_i, .en_i(1'b1), .d_i(array_i), .q_o(done_array));
  acis_follow #(.Width($bits(move_t))) i_move (.clk_i, .rst_ni, .d_i(move_i), .q_o(done_move));
  acis_follow #(.Width($bits(fold_t))) i_fold (.clk_i, .rst_ni, .d_i(fold_i), .q_o(done_fold));
  acis_pipe #(.Width($bits(pop_t)), .Depth(StallLatency)) i_pop
    (.clk_i, .en_i(1'b1), .d_i(pop_i), .q_o(done_pop));
  acis_pipe #(.Width($bits(format_t)), .Depth(StallLatency)) i_push_format
    (.clk_i, .en_i(1'b1), .d_i(push_format_i), .q_o(done_push_format));

  logic unused_bytes;              // the stream knows them
  assign unused_bytes = ^done_pop.bytes;

  // What is popped, and the source that it is: with an input latency in the next cycle of array time.
  beat_t popped, stream;
  assign popped = done_pop.live ? expand(done_pop.format, done_array.wide, done_pop.active, pop_data_i) : '0;
  if (InputLatency != 0) begin : g_held
    beat_t held_q;                 // no operand is taken in a cycle in which a loop may begin
    assign stream = held_q;
    always_ff @(posedge clk_i)
      if (done_move.advance)
        held_q <= popped;
      else if (done_array.begin_)
        held_q <= '0;
  end else begin : g_direct
    assign stream = popped;
  end

  logic [NumPes-1:0] reads_idle, reads_quiet, writes_idle, writes;
  pe_trap_t trap[NumPes];
  due_t due[NumPes];
  push_t push[NumPes];
  // Link registers stand at the receiver; out-link k of PE p is link_out[p * MaxLinks + k].
  beat_t link_out[NumPes * MaxLinks];

  for (genvar p = 0; p < int'(NumPes); ++p) begin : g_pe
    beat_t from[MaxLinks], to[MaxLinks];
    for (genvar k = 0; k < int'(MaxLinks); ++k) begin : g_link
      assign link_out[p * MaxLinks + k] = to[k];
      assign from[k] = LinkOn[p * MaxLinks + k]
                     ? link_out[LinkFrom[p * MaxLinks + k] * MaxLinks + LinkPort[p * MaxLinks + k]]
                     : '0;
    end
    acis_pe #(
      .Units({PeDivide[p], PeFloat[p], PeConvert[p], PeInteger[p]}), .Memory(PeMemory[p]),
      .EveryConvert(PeEveryConvert[p]), .EveryDivide(PeEveryDivide[p]),
      .Wide(PeWide[p]), .Fused(PeFused[p]), .Gather(PeGather[p]), .Moves(PeMoves[p]),
      .PumpedVrf(PumpedVrf)
    ) i_pe (
      .clk_i, .clk_ram_i, .rst_ni, .pe_i(8'(p)), .cfg_i, .array_i, .move_i,
      .next_slot_i, .head_i, .args_i, .done_array_i(done_array), .done_move_i(done_move),
      .done_fold_i(done_fold), .due_o(due[p]), .push_o(push[p]),
      .stream_i(stream), .link_i(from), .link_o(to), .result_o(result_o[p]),
      .fetch_i, .vector_i(vector_i[p]), .vector_done_o(vector_done_o[p]), .memory_bytes_i,
      .trap_o(trap[p]), .reads_idle_o(reads_idle[p]), .reads_quiet_o(reads_quiet[p]),
      .writes_idle_o(writes_idle[p]), .writes_o(writes[p]), .memory_o(memory_o[p]),
      .memory_i(memory_i[p])
    );
  end

  assign reads_idle_o = &reads_idle;
  assign reads_quiet_o = &reads_quiet;
  assign writes_idle_o = &writes_idle;
  assign writes_o = |writes;
  // The longest wait of four, and of four such: each is compared with all others beside one another.
  logic [15:0] longest_wait;
  localparam int unsigned Fours = (NumPes + 3) / 4, Sixteens = (Fours + 3) / 4;
  function automatic logic [15:0] most(logic [3:0][15:0] of);
    logic [15:0] found;
    found = '0;
    for (int a = 0; a < 4; ++a) begin
      logic least;               // some other one is longer, or as long and before it
      least = 1'b0;
      for (int b = 0; b < 4; ++b)
        if (b < a ? of[b] >= of[a] : of[b] > of[a])
          least = 1'b1;
      if (!least)
        found |= of[a];
    end
    return found;
  endfunction
  always_comb begin
    logic [4*Fours-1:0][15:0] ones;
    logic [4*Sixteens-1:0][15:0] fours;
    ones = '0;
    fours = '0;
    for (int p = 0; p < int'(NumPes); ++p)
      ones[p] = due[p].wait_;
    for (int q = 0; q < int'(Fours); ++q)
      fours[q] = most(ones[4*q +: 4]);
    longest_wait = most(fours[3:0]);
    for (int s = 1; s < int'(Sixteens); ++s)
      if (most(fours[4*s +: 4]) > longest_wait)
        longest_wait = most(fours[4*s +: 4]);
  end
  always_comb begin
    due_o = '0;
    for (int p = 0; p < int'(NumPes); ++p) begin
      due_o.mem_read |= due[p].mem_read;
      due_o.mem_write |= due[p].mem_write;
      due_o.waits |= due[p].waits;
      due_o.longer |= due[p].longer;
      due_o.longest |= due[p].longest;
      due_o.push |= due[p].push;
      if (due[p].push)
        due_o.push_active |= due[p].push_active;
    end
    due_o.wait_ = longest_wait;
  end
  always_comb begin
    beat_t all;
    all = '0;
    {push_o.on, push_o.sends} = 2'b01;
    for (int p = 0; p < int'(NumPes); ++p)
      if (push[p].on) begin
        push_o.on = 1'b1;
        push_o.sends &= push[p].sends;
        all |= push[p].data;
      end
    push_o.data = pack(done_push_format, done_array.wide, all);
  end
  always_comb begin
    {trap_o, trap_pe_o, trap_pc_o} = '0;
    for (int p = int'(NumPes) - 1; p >= 0; --p)
      if (trap[p].on) begin
        trap_o = trap[p];
        trap_pe_o = 8'(p);
        trap_pc_o = vector_i[p].op.pc;
      end
  end
endmodule

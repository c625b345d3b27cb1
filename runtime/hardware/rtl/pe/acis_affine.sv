// The affine part of an address, argument + stride0 * i0 + stride1 * i1, without products: an
// element of a slot sees the iterations one after the other, so the next address is the last one
// and a stride, and is made when the last one has been used.
//
// start_o is the address of the iteration that is there now; live_i says that there is one, and
// moves_i that the element is done with it (array time goes on). The first iteration of a launch takes
// the argument, the first of a row (i0 = 0) what the row before began with and stride1.
//
// With a launch latency look_* are of the slot that comes next (if moves_i): look_o is its address,
// and start_o the one of a cycle before.
module acis_affine
  import acis_overlay_pkg::*;
  import acis_pkg::*;
#(
  parameter int unsigned Bits = 64
) (
  input  logic                clk_i,
  input  logic                begin_i,     // what comes next is of a loop that begins
  input  logic                moves_i,
  input  logic                live_i,
  input  logic [SlotBits-1:0] slot_i,
  input  logic                row_i,       // i0 is 0
  input  logic [Bits-1:0]     stride0_i,
  input  logic [Bits-1:0]     stride1_i,
  input  logic [SlotBits-1:0] look_slot_i,
  input  logic                look_first_i,   // iteration of a launch
  input  logic                look_row_i,
  input  logic [Bits-1:0]     look_arg_i,
  output logic [Bits-1:0]     look_o,
  output logic [Bits-1:0]     start_o
);
  logic [Bits-1:0] next_q[ContextSlots];
  logic [Bits-1:0] rows_q[ContextSlots];
  logic [Bits-1:0] after, row_after;       // this iteration, and this row
  assign after = start_o + stride0_i;
  assign row_after = start_o + stride1_i;
  always_ff @(posedge clk_i)
    if (moves_i && live_i) begin
      next_q[slot_i] <= after;
      if (row_i)
        rows_q[slot_i] <= row_after;
    end

  if (LaunchLatency != 0) begin : g_ahead
    logic [Bits-1:0] start_q;
    logic again;                           // a loop of one slot: what is used now comes before it
    assign again = live_i && look_slot_i == slot_i;
    always_comb begin
      if (look_first_i)
        look_o = look_arg_i;
      else if (look_row_i)
        look_o = again && row_i ? row_after : rows_q[look_slot_i];
      else
        look_o = again ? after : next_q[look_slot_i];
    end
    assign start_o = start_q;
    always_ff @(posedge clk_i)
      if (moves_i || begin_i)
        start_q <= look_o;
  end else begin : g_direct
    assign look_o = look_first_i ? look_arg_i : look_row_i ? rows_q[slot_i] : next_q[slot_i];
    assign start_o = look_o;
    logic unused;
    assign unused = ^{begin_i, look_slot_i};
  end
endmodule

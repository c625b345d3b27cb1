// The affine part of an address, argument + stride0 * i0 + stride1 * i1, without products: an
// element of a slot sees the iterations one after the other, so the next address is the last one
// and a stride, and is made when the last one has been used.
//
// start_o is the address of the iteration that is there now; steps_i says that the element is done
// with it (array time goes on). The first iteration of a launch takes the argument, the first of a
// row (i0 = 0) what the row before began with and stride1.
module acis_affine
  import acis_overlay_pkg::*;
  import acis_pkg::*;
#(
  parameter int unsigned Bits = 64
) (
  input  logic                clk_i,
  input  logic                steps_i,
  input  logic [SlotBits-1:0] slot_i,
  input  logic                first_i,     // iteration of a launch
  input  logic                row_i,       // i0 is 0
  input  logic [Bits-1:0]     arg_i,
  input  logic [Bits-1:0]     stride0_i,
  input  logic [Bits-1:0]     stride1_i,
  output logic [Bits-1:0]     start_o
);
  logic [Bits-1:0] next_q[ContextSlots];
  logic [Bits-1:0] rows_q[ContextSlots];
  assign start_o = first_i ? arg_i : row_i ? rows_q[slot_i] : next_q[slot_i];
  always_ff @(posedge clk_i)
    if (steps_i) begin
      next_q[slot_i] <= start_o + stride0_i;
      if (row_i)
        rows_q[slot_i] <= start_o + stride1_i;
    end
endmodule

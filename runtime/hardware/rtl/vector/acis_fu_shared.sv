// The functional unit of one class for all lanes of a PE, with units for Lanes / Every of them: the
// lanes of an operation go through them one group after the other, the lowest first. It takes an
// operation every Every cycles; the result of all lanes is on result_o Latency cycles later, for
// that cycle only. One that comes earlier takes the place of the operation before it.
//
// What goes in and what comes out are shift registers of a group a step, so that nothing counts.
module acis_fu_shared #(
  parameter int unsigned Class   = 3,   // as acis_fu
  parameter int unsigned Latency = 4,   // more than Every: what is left is the latency of a lane
  parameter int unsigned Lanes   = 16,  // of 32 bits
  parameter int unsigned Every   = 2,   // a power of two; at most the lanes, with Wide pairs of them
  parameter bit          Wide    = 1'b1,
  parameter bit          Fused   = 1'b1
) (
  input  logic                  clk_i,
  input  logic                  valid_i,  // an operation of the class
  input  logic [6:0]            op_i,
  input  logic [2:0]            type_i,
  input  logic [2:0]            from_i,
  input  logic                  wide_i,
  input  logic [Lanes*32-1:0]   a_i,
  input  logic [Lanes*32-1:0]   b_i,
  input  logic [Lanes*32-1:0]   c_i,
  output logic [Lanes*32-1:0]   result_o
);
  localparam int unsigned Group = Lanes / Every;
  localparam int unsigned Bits = Group * 32;
  typedef struct packed {
    logic [6:0] op;
    logic [2:0] kind, from;
    logic wide;
  } operation_t;
  operation_t held_q;
  logic [Lanes*32-1:0] a_q, b_q, c_q;
  always_ff @(posedge clk_i) begin
    if (valid_i)
      held_q <= '{op: op_i, kind: type_i, from: from_i, wide: wide_i};
    a_q <= valid_i ? a_i : a_q >> Bits;
    b_q <= valid_i ? b_i : b_q >> Bits;
    c_q <= valid_i ? c_i : c_q >> Bits;
  end

  logic [Bits-1:0] group;
  acis_fu #(
    .Class(Class), .Latency(Latency - Every), .Lanes(Group), .Wide(Wide), .Fused(Fused)
  ) i_fu (
    .clk_i, .en_i(1'b1), .valid_i(1'b1), .op_i(held_q.op), .type_i(held_q.kind),
    .from_i(held_q.from), .wide_i(held_q.wide), .a_i(a_q[Bits-1:0]), .b_i(b_q[Bits-1:0]),
    .c_i(c_q[Bits-1:0]), .result_o(group)
  );

  logic [Lanes*32-1:Bits] done_q;   // groups before the last, which goes past it
  assign result_o = {group, done_q};
  always_ff @(posedge clk_i)
    done_q <= result_o[Lanes*32-1:Bits];
endmodule

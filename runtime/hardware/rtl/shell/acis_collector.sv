// Frames of several sources into one stream, whole frames in turn, through a register slice.
`include "acis_assert.svh"

module acis_collector #(
  parameter int unsigned Bytes   = 64,
  parameter int unsigned Sources = 2
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [Sources-1:0]              in_valid_i,
  output logic [Sources-1:0]              in_ready_o,
  input  logic [Sources-1:0][Bytes*8-1:0] in_data_i,
  input  logic [Sources-1:0][Bytes-1:0]   in_keep_i,
  input  logic [Sources-1:0]              in_last_i,
  output logic                            out_valid_o,
  input  logic                            out_ready_i,
  output logic [Bytes*8-1:0]              out_data_o,
  output logic [Bytes-1:0]                out_keep_o,
  output logic                            out_last_o,
  output logic [Sources-1:0]              busy_o       // a frame of the source is on its way out
);
  localparam int unsigned Bits = Sources > 1 ? $clog2(Sources) : 1;
  logic [Bits-1:0] turn_q, chosen;   // the source of the frame before; of this one
  logic inside_q, valid, ready, moves;
  always_comb begin
    chosen = turn_q;
    if (!inside_q)
      for (int unsigned i = Sources; i >= 1; --i)
        if (in_valid_i[Bits'((32'(turn_q) + i) % Sources)])
          chosen = Bits'((32'(turn_q) + i) % Sources);
    valid = in_valid_i[chosen];
    in_ready_o = '0;
    in_ready_o[chosen] = ready;
  end
  assign moves = valid && ready;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      {turn_q, inside_q} <= '0;
    end else if (moves) begin
      turn_q <= chosen;
      inside_q <= !in_last_i[chosen];
    end
  logic [Bits-1:0] out_source;
  logic [Sources-1:0][1:0] held_q;   // beats in the slice
  always_comb
    for (int s = 0; s < int'(Sources); ++s)
      busy_o[s] = held_q[s] != '0 || (inside_q && turn_q == Bits'(s));
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni)
      held_q <= '0;
    else
      for (int s = 0; s < int'(Sources); ++s)
        held_q[s] <= held_q[s] + 2'(moves && chosen == Bits'(s))
                   - 2'(out_valid_o && out_ready_i && out_source == Bits'(s));
  acis_slice #(.Width(Bits + Bytes * 9 + 1)) u_slice (
    .clk_i, .rst_ni, .in_valid_i(valid), .in_ready_o(ready),
    .in_data_i({chosen, in_last_i[chosen], in_keep_i[chosen], in_data_i[chosen]}), .out_valid_o,
    .out_ready_i, .out_data_o({out_source, out_last_o, out_keep_o, out_data_o})
  );

  `ACIS_ASSERT(TurnExists_A, 32'(turn_q) < Sources)
endmodule

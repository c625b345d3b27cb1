// RV32M division: one quotient bit per cycle, the first in the cycle of start_i, the last
// 31 cycles later, in which done_o is high and the result is on result_o.
module acis_divider (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        start_i,
  input  logic        signed_i,
  input  logic        remainder_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  output logic        busy_o,
  output logic        done_o,
  output logic [31:0] result_o
);
  logic [31:0] divisor_q, divisor, quotient, rest, quotient_q, rest_q, next_quotient, next_rest;
  logic [4:0] left_q;
  logic busy_q, negate_quotient_q, negate_rest_q, remainder_q;
  logic [32:0] shifted;
  always_comb begin
    divisor = busy_q ? divisor_q : (signed_i && b_i[31]) ? -b_i : b_i;
    quotient = busy_q ? quotient_q : (signed_i && a_i[31]) ? -a_i : a_i;
    rest = busy_q ? rest_q : '0;
    shifted = {rest, quotient[31]};
    if (shifted >= {1'b0, divisor}) begin
      next_rest = 32'(shifted - {1'b0, divisor});
      next_quotient = {quotient[30:0], 1'b1};
    end else begin
      next_rest = shifted[31:0];
      next_quotient = {quotient[30:0], 1'b0};
    end
  end
  assign busy_o = busy_q;
  assign done_o = busy_q && left_q == 5'd1;
  assign result_o = remainder_q ? (negate_rest_q ? -next_rest : next_rest)
                                : (negate_quotient_q ? -next_quotient : next_quotient);
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      {busy_q, left_q, divisor_q, quotient_q, rest_q} <= '0;
      {negate_quotient_q, negate_rest_q, remainder_q} <= '0;
    end else if (start_i || busy_q) begin
      quotient_q <= next_quotient;
      rest_q <= next_rest;
      divisor_q <= divisor;
      if (start_i) begin
        busy_q <= 1'b1;
        left_q <= 5'(acis_isa_pkg::DivideCycles - 1);
        // A division by 0 gives all ones, whatever the sign.
        negate_quotient_q <= signed_i && (a_i[31] ^ b_i[31]) && b_i != '0;
        negate_rest_q <= signed_i && a_i[31];
        remainder_q <= remainder_i;
      end else begin
        left_q <= left_q - 5'd1;
        if (done_o)
          busy_q <= 1'b0;
      end
    end
endmodule

// One bit of a quotient or of a square root, by subtraction with restoring. Combinational.
//
// Division: the remainder takes the next bit of the dividend; the bit of the quotient follows
// the dividend's. Square root: the remainder takes two bits of the radicand, the divisor is
// the root so far and the bit is appended to it.
module acis_fp_divstep #(
  parameter int unsigned Width = 32
) (
  input  logic             root_i,       // 1: square root
  input  logic [Width+1:0] remainder_i,
  input  logic [Width-1:0] dividend_i,   // and quotient
  input  logic [Width-1:0] divisor_i,    // or root
  output logic [Width+1:0] remainder_o,
  output logic [Width-1:0] dividend_o,
  output logic [Width-1:0] divisor_o
);
  logic [Width+1:0] minuend;
  logic [Width+2:0] difference;
  logic bit_;
  always_comb begin
    minuend = root_i ? {remainder_i[Width-1:0], dividend_i[Width-1 -: 2]}
                     : {remainder_i[Width:0], dividend_i[Width-1]};
    difference = {1'b0, minuend} - {1'b0, root_i ? {divisor_i, 2'b01} : {2'b00, divisor_i}};
    bit_ = !difference[Width+2];
    remainder_o = bit_ ? difference[Width+1:0] : minuend;
    dividend_o = root_i ? dividend_i << 2 : {dividend_i[Width-2:0], bit_};
    divisor_o = root_i ? {divisor_i[Width-2:0], bit_} : divisor_i;
  end
  logic unused;
  assign unused = ^remainder_i[Width+1 -: 2];
endmodule

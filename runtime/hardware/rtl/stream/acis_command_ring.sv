// The commands of a stream behind its first two, which its user holds in registers and changes: in a
// memory, as up to two commands leave in a cycle, but of those that wait only the third and the fourth
// can become one of the first two then. They are next to each other, so even and odd places are a
// memory each.
module acis_command_ring #(
  parameter int unsigned Width  = 1,
  parameter int unsigned Places = 8   // a power of two, at least 4
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             adds_i,    // a command comes
  input  logic [Width-1:0] added_i,
  input  logic [1:0]       leaves_i,  // so many of the first leave
  output logic [3:0]       count_o,   // commands, the first two among them, at the start of the cycle
  output logic [Width-1:0] third_o,   // if there is one, without the one that comes in this cycle
  output logic [Width-1:0] fourth_o
);
  localparam int unsigned Bits = $clog2(Places);
  logic [Width-1:0] even_q[Places / 2], odd_q[Places / 2], even, odd;
  logic [Bits-1:0] oldest_q, newest, third;
  logic [3:0] count_q;
  assign count_o = count_q;
  assign newest = oldest_q + Bits'(count_q);
  assign third = oldest_q + Bits'(2);
  assign even = even_q[third[Bits-1:1] + (Bits - 1)'(third[0])];
  assign odd = odd_q[third[Bits-1:1]];
  assign {third_o, fourth_o} = third[0] ? {odd, even} : {even, odd};
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni)
      {oldest_q, count_q} <= '0;
    else begin
      oldest_q <= oldest_q + Bits'(leaves_i);
      count_q <= count_q + 4'(adds_i) - 4'(leaves_i);
    end
  always_ff @(posedge clk_i) begin
    if (adds_i && !newest[0])
      even_q[newest[Bits-1:1]] <= added_i;
    if (adds_i && newest[0])
      odd_q[newest[Bits-1:1]] <= added_i;
  end
endmodule

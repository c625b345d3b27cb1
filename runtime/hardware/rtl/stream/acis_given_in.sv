// What the sequencer can take of the input stream: bytes that are in the aligner and were not given out, and
// whether the next one is a command's that is reached without dropping any (acis_given).
module acis_given_in
  import acis_overlay_pkg::*;
  import acis_pkg::*;
#(
  parameter int unsigned FillBits = 1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  // The grid
  output logic                 ready_o,      // given_i can be popped StallLatency cycles later,
  input  logic [CountBits-1:0] given_i,
  input  logic                 gives_i,      // and is

  // The stream
  input  logic                 adds_i,       // a command comes (acis_given)
  input  logic                 end_i,
  input  logic                 joins_i,
  input  logic [47:0]          bytes_i,
  input  logic                 leaves_i,
  input  logic                 ends_i,
  input  logic [3:0]           count_i,      // its commands
  input  logic                 at_front_i,   // its first one is a read whose first byte is the aligner's
  input  logic [FillBits-1:0]  aligned_i,    // bytes in the aligner in the next cycle
  input  logic [CountBits-1:0] popped_i      // by the grid, in this cycle
);
  logic [FillBits-1:0] way_q, way, there_q;  // bytes on their way; others in the aligner
  logic [3:0] count;
  logic next, alone;
  logic unused_ended, unused_post;
  acis_given i_given (
    .clk_i, .rst_ni, .adds_i, .end_i, .joins_i, .bytes_i, .gives_i, .given_i, .leaves_i, .ends_i,
    .count_o(count), .next_o(next), .ended_o(unused_ended), .ended_post_o(unused_post)
  );
  // Where no command was given out to its end, the stream knows.
  assign alone = at_front_i && count == count_i;
  assign ready_o = (next || alone) && there_q >= FillBits'(given_i);

  assign way = way_q - FillBits'(popped_i) + (gives_i ? FillBits'(given_i) : '0);
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni)
      {way_q, there_q} <= '0;
    else begin
      way_q <= way;
      there_q <= aligned_i - way;
    end
endmodule

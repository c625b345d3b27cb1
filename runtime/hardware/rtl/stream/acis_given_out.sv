// What the sequencer may give to the output stream: whether there is room if everything on its way is sent,
// elements that a predicate may leave out, too, and ends of invocations send the partial beats before them.
//
// room_q and filled_q say where the output is then: beats in the FIFO, bytes in the packer. They are made
// of what these are in the next cycle and of the pushes that are on their way then, each with the end that
// is before it, if one is that was not completed (acis_given).
module acis_given_out
  import acis_overlay_pkg::*;
  import acis_pkg::*;
#(
  parameter int unsigned FifoBits = 1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  // The grid
  output logic                 ready_o,      // given_i can be pushed StallLatency cycles later,
  input  logic [CountBits-1:0] given_i,
  input  logic                 gives_i,      // and is

  // The stream
  input  logic                 adds_i,       // a command comes (acis_given)
  input  logic                 end_i,
  input  logic [47:0]          bytes_i,
  input  logic                 ends_i,
  input  logic [CountBits-1:0] partial_i,    // bytes in the packer in the next cycle,
  input  logic [FifoBits-1:0]  fifo_i        // and beats in the FIFO
);
  typedef struct packed {
    logic ends;                  // an end is before it
    logic [CountBits-1:0] bytes;
  } push_t;
  localparam int unsigned BeatsBits = FifoBits + 2;
  push_t [StallLatency-1:0] way_q, way;      // the newest is the lowest
  logic [3:0] unused_count;
  logic next, ended, ended_post;
  acis_given i_given (
    .clk_i, .rst_ni, .adds_i, .end_i, .joins_i(1'b1), .bytes_i, .gives_i, .given_i, .leaves_i(1'b0),
    .ends_i, .count_o(unused_count), .next_o(next), .ended_o(ended), .ended_post_o(ended_post)
  );
  // The end that is completed is the oldest one.
  always_comb begin
    logic older;
    older = 1'b0;
    way = ($bits(way))'({way_q, ended && gives_i, gives_i ? given_i : '0});
    for (int k = int'(StallLatency) - 1; k >= 0; --k) begin
      if (ends_i && !older && way[k].ends) begin
        way[k].ends = 1'b0;
        older = 1'b1;
      end
    end
  end

  logic [BeatsBits-1:0] beats_q, beats;
  logic [CountBits-1:0] filled_q, filled;
  always_comb begin
    logic [CountBits:0] sum;
    beats = BeatsBits'(fifo_i);
    filled = partial_i;
    for (int k = int'(StallLatency) - 1; k >= -1; --k) begin
      if (k < 0 ? ended_post : way[k < 0 ? 0 : k].ends) begin
        beats = beats + BeatsBits'(filled != '0);
        filled = '0;
      end
      sum = (CountBits+1)'(filled) + (k < 0 ? '0 : (CountBits+1)'(way[k < 0 ? 0 : k].bytes));
      if (sum >= (CountBits+1)'(BeatBytes)) begin
        beats = beats + BeatsBits'(1);
        sum = sum - (CountBits+1)'(BeatBytes);
      end
      filled = CountBits'(sum);
    end
  end
  logic fills;
  assign fills = (CountBits+1)'(filled_q) + (CountBits+1)'(given_i) >= (CountBits+1)'(BeatBytes);
  assign ready_o = next && (fills ? 32'(beats_q) < FifoBeats : 32'(beats_q) <= FifoBeats);

  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni)
      {way_q, beats_q, filled_q} <= '0;
    else begin
      way_q <= way;
      {beats_q, filled_q} <= {beats, filled};
    end
endmodule

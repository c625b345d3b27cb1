// The delay lines of a PE's operands. Each takes one beat in every cycle of array time and
// gives the one it took `delay` cycles of array time before, 1 <= delay < OperandDelay; anything
// where that was before the loop started (delayed_on_o), which counts as 0. Of predicates they keep a bit
// for each word, of indices the first lane alone where no lane has one of its own. Where the array follows
// the sequencer, an index may be as many cycles further back (acis_index_ask).
module acis_lines
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::*;
#(
  parameter bit Gather = 1'b1   // a lane may have an index of its own
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      begin_i,
  input  logic                      advance_i,
  input  beat_t                     sample_i[NumInputs],
  input  logic [NumInputs-1:0]      sample_on_i,        // the rest of the ring stays as it is
  input  logic [NumInputs-1:0][8:0] delay_i,
  output beat_t                     delayed_o[NumInputs],
  output logic [NumInputs-1:0]      delayed_on_o
);
  localparam int unsigned Bits = OperandDelay > 1 ? $clog2(OperandDelay) : 1;
  localparam int unsigned Furthest = OperandDelay - 1 + StallLatency;   // place 0 is that of a whole ring ago
  localparam int unsigned IndexBits = Furthest > (1 << Bits) ? $clog2(Furthest) : Bits;
  logic [IndexBits-1:0] now_q;
  logic [8:0] age_q, age;
  assign age = begin_i ? '0 : age_q;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      now_q <= '0;
      age_q <= '0;
    end else begin
      age_q <= (advance_i && age != '1) ? age + 9'd1 : age;
      if (advance_i)
        now_q <= now_q + 1'b1;
    end
  for (genvar i = 0; i < int'(NumInputs); ++i) begin : g_line
    // Of a word of a predicate one bit
    localparam int unsigned WordBits = isPredicate(i) ? 1 : 32;
    localparam int unsigned LineBits = isIndex(i) ? IndexBits : Bits;
    localparam int unsigned Words = Gather || !isIndex(i) ? Lanes : HasWide ? 2 : 1;
    logic [Words-1:0][WordBits-1:0] line_q[1 << LineBits], taken, given;
    logic [LineBits-1:0] now;
    assign now = now_q[LineBits-1:0];
    assign given = line_q[now - LineBits'(delay_i[i])];
    assign delayed_on_o[i] = delay_i[i] <= age;
    for (genvar w = 0; w < int'(Lanes); ++w) begin : g_word
      if (w < int'(Words)) begin : g_kept
        assign taken[w] = sample_i[i][w*32 +: WordBits];
        assign delayed_o[i][w*32 +: 32] = 32'(given[w]);
      end else begin : g_none
        assign delayed_o[i][w*32 +: 32] = '0;
      end
    end
    always_ff @(posedge clk_i)
      if (advance_i && sample_on_i[i])
        line_q[now] <= taken;
  end
endmodule

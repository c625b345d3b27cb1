// The indices of the addresses that are made in this cycle, as operands that the back of the PE has: which
// choice each is, and how far back in its delay line.
//
// Without an index latency they are those of the slot at hand, with one those of the slot that comes next
// (acis_addr). Where the array follows k cycles later, an address is made of what its index is k cycles of
// array time before; the back is as many cycles of array time behind as moved in the last k cycles, so that
// the rest is delay. In the first k cycles of a loop there is none: it is 0.
module acis_index_ask
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_bus_pkg::*;
(
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            begin_i,      // a loop begins, or may in the next cycle
  input  logic            advance_i,    // array time goes on
  input  logic [2:0][7:0] delay_i,      // of both reads and of the write
  input  choice_t [2:0]   choice_i,
  output index_ask_t      ask_o
);
  if (StallLatency != 0) begin : g_follows
    logic [StallLatency-1:0] moved_q;   // whether array time went on in the last cycles
    logic [1:0] begun_q, still;         // cycles of array time since the loop began; of those that stood
    logic none;
    always_ff @(posedge clk_i or negedge rst_ni)
      if (!rst_ni)
        {moved_q, begun_q} <= '0;
      else begin
        moved_q <= StallLatency'({moved_q, advance_i});
        if (begin_i)
          begun_q <= '0;
        else if (advance_i && 32'(begun_q) != StallLatency)
          begun_q <= begun_q + 2'd1;
      end
    assign none = begin_i || 32'(begun_q) != StallLatency;
    always_comb begin
      still = 2'(StallLatency);
      for (int k = 0; k < int'(StallLatency); ++k)
        still = still - 2'(moved_q[k]);
      for (int a = 0; a < 3; ++a) begin
        ask_o.delay[a] = 9'(delay_i[a]) + 9'(still);
        ask_o.choice[a] = choice_i[a];
        ask_o.choice[a].past = ask_o.delay[a] != '0;
        if (none && !choice_i[a].fixed)
          ask_o.choice[a] = '{fixed: 1'b1, past: 1'b0, value: '0};
      end
    end
  end else begin : g_together
    always_comb
      for (int a = 0; a < 3; ++a) begin
        ask_o.delay[a] = 9'(delay_i[a]);
        ask_o.choice[a] = choice_i[a];
      end
    logic unused;
    assign unused = ^{clk_i, rst_ni, begin_i, advance_i};
  end
endmodule

// What a read of a register file finds: raw_i answers its beats in the same cycle. With VrfCopies raw_i
// comes in the next cycle of array time, and so does data_o.
module acis_vrf_found
  import acis_overlay_pkg::*;
  import acis_pkg::*;
(
  input  logic      clk_i,
  input  logic      begin_i,
  input  logic      advance_i,
  input  vrf_read_t read_i,
  input  beat_t     raw_i,      // a word of each bank
  output beat_t     found_o,    // the elements, or anything, with data_o
  output beat_t     data_o      // the elements
);
  typedef struct packed {
    logic [Lanes-1:0] on;
    logic [1:0][$clog2(Lanes)-1:0] from;
  } taken_t;
  taken_t taken;
  if (VrfCopies != 0) begin : g_later
    taken_t taken_q;
    always_ff @(posedge clk_i)
      if (advance_i)
        taken_q <= '{on: read_i.on, from: read_i.from};
      else if (begin_i)
        taken_q.on <= '0;
    assign taken = '{on: begin_i ? '0 : taken_q.on, from: taken_q.from};
  end else begin : g_now
    assign taken = '{on: read_i.on, from: read_i.from};
    logic unused;
    assign unused = ^{clk_i, begin_i, advance_i};
  end
  logic unused_beat;
  assign unused_beat = ^read_i.beat;
  for (genvar b = 0; b < int'(Lanes); ++b) begin : g_bank
    if (b < 2) begin : g_element
      assign found_o[b*32 +: 32] = raw_i[{taken.from[b], 5'd0} +: 32];
    end else begin : g_other
      assign found_o[b*32 +: 32] = raw_i[b*32 +: 32];
    end
    assign data_o[b*32 +: 32] = taken.on[b] ? found_o[b*32 +: 32] : '0;
  end
endmodule

// One read of a register file in a slot: its addresses, and the elements that are found there.
// raw_i answers bank_o in the same cycle. With an index latency the address is of the cycle before
// (acis_addr). With VrfCopies raw_i comes in the next cycle of array time, and so does data_o.
module acis_vrf_read
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::address_record_t;
#(
  parameter bit Gather = 1'b1   // a lane may have an index of its own
) (
  input  logic                          clk_i,
  input  logic                          moves_i,
  input  logic                          begin_i,
  input  logic                          advance_i,

  // What the address is made of
  input  logic                          at_wide_i,
  input  logic                          at_scalar_i,
  input  address_record_t               at_record_i,
  input  logic [63:0]                   at_start_i,  // affine part of the address
  input  beat_t                         index_i,
  input  logic [Lanes-1:0]              index_on_i,  // by word; else the index is 0
  input  logic [LaneBits-1:0]           active_i,

  // The slot at hand
  input  logic                          live_i,      // else the elements are 0
  input  logic                          wide_i,
  input  logic                          scalar_i,

  output logic [Lanes-1:0][VrfBits-1:0] bank_o,      // the memory: a beat per bank
  input  beat_t                         raw_i,

  output beat_t                         found_o,     // the elements, or anything, with data_o
  output logic [Lanes-1:0]              found_on_o,  // by word: else it is 0
  output beat_t                         data_o,      // the elements
  output logic                          uniform_o,   // one beat for all lanes: lane 0's
  output logic [Lanes-1:0]              on_o,        // by element
  output logic [Lanes-1:0][VrfBits-1:0] beat_o,      // by element
  output logic                          fails_o,     // live, and outside of its array
  output logic [63:0]                   offset_o
);
  logic [LaneBits-1:0] place;
  logic outside;
  acis_addr #(.Gather(Gather)) i_addr (
    .clk_i, .moves_i, .record_i(at_record_i), .start_i(at_start_i), .wide_i(at_wide_i),
    .scalar_i(at_scalar_i), .index_i, .index_on_i, .active_i, .predicated_i(1'b0),
    .predicate_i('0), .uniform_o, .on_o, .beat_o, .place_o(place), .outside_o(outside), .outside_offset_o(offset_o)
  );
  assign fails_o = live_i && outside;

  // Of a scalar loop, the first words are its element.
  typedef struct packed {
    logic [Lanes-1:0] on;
    logic [1:0][$clog2(Lanes)-1:0] from;   // where the first two words are
  } taken_t;
  taken_t asked, taken;
  assign asked.on = found_on_o;
  if (VrfCopies != 0) begin : g_later
    taken_t taken_q;
    always_ff @(posedge clk_i)
      if (advance_i)
        taken_q <= asked;
      else if (begin_i)
        taken_q.on <= '0;
    assign taken = '{on: begin_i ? '0 : taken_q.on, from: taken_q.from};
  end else begin : g_now
    assign taken = asked;
    logic unused;
    assign unused = ^{begin_i, advance_i};
  end
  for (genvar b = 0; b < int'(Lanes); ++b) begin : g_bank
    assign bank_o[b] = uniform_o ? beat_o[0] : wide_i ? beat_o[b / 2] : beat_o[b];
    assign found_on_o[b] = live_i && (uniform_o ? on_o[0] : wide_i ? on_o[b / 2] : on_o[b]);
    if (b < 2) begin : g_element
      assign asked.from[b] = !scalar_i || (b == 1 && !wide_i) ? ($clog2(Lanes))'(b)
                           : wide_i ? ($clog2(Lanes))'({place, 1'(b)}) : ($clog2(Lanes))'(place);
      assign found_o[b*32 +: 32] = raw_i[{taken.from[b], 5'd0} +: 32];
    end else begin : g_other
      assign found_o[b*32 +: 32] = raw_i[b*32 +: 32];
    end
    assign data_o[b*32 +: 32] = taken.on[b] ? found_o[b*32 +: 32] : '0;
  end
endmodule

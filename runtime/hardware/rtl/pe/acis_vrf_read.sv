// One read of a register file in a slot: its addresses, by bank and by element. What is found there is
// acis_vrf_found's. With an index latency the address is of the cycle before (acis_addr).
module acis_vrf_read
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::address_record_t;
#(
  parameter bit Gather = 1'b1   // a lane may have an index of its own
) (
  input  logic                          clk_i,
  input  logic                          moves_i,

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

  output vrf_read_t                     read_o,
  output logic                          uniform_o,   // one beat for all lanes: lane 0's
  output logic [Lanes-1:0]              on_o,        // by element
  output logic [Lanes-1:0][VrfBits-1:0] beat_o,      // by element
  output logic                          fails_o,     // live, and outside of its array
  output logic [63:0]                   offset_o
);
  vrf_address_t address;
  logic outside;
  acis_addr #(.Gather(Gather)) i_addr (
    .clk_i, .moves_i, .record_i(at_record_i), .start_i(at_start_i), .wide_i(at_wide_i),
    .scalar_i(at_scalar_i), .index_i, .index_on_i, .active_i, .address_o(address)
  );
  acis_access #(.Gather(Gather)) i_access (
    .address_i(address), .predicated_i(1'b0), .predicate_i('0), .uniform_o, .on_o,
    .outside_o(outside), .outside_offset_o(offset_o)
  );
  assign beat_o = address.beat;
  assign fails_o = live_i && outside;
  for (genvar b = 0; b < int'(Lanes); ++b) begin : g_bank
    assign read_o.beat[b] = uniform_o ? beat_o[0] : wide_i ? beat_o[b / 2] : beat_o[b];
    assign read_o.on[b] = live_i && (uniform_o ? on_o[0] : wide_i ? on_o[b / 2] : on_o[b]);
    if (b < 2) begin : g_element
      assign read_o.from[b] = !scalar_i || (b == 1 && !wide_i) ? ($clog2(Lanes))'(b)
                            : wide_i ? ($clog2(Lanes))'({address.place, 1'(b)})
                            : ($clog2(Lanes))'(address.place);
    end
  end
endmodule

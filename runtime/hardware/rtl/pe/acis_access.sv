// Which lanes of an access are made: an address and the predicates of its slot. A lane is on if its
// address hits and its predicate is not 0; the first one that is outside of the array says where.
module acis_access
  import acis_overlay_pkg::*;
  import acis_pkg::*;
#(
  parameter bit Gather = 1'b1   // a lane may have an index of its own; else every access is uniform
) (
  input  vrf_address_t                  address_i,
  input  logic                          predicated_i,
  input  beat_t                         predicate_i,

  output logic                          uniform_o,          // one beat for all lanes: lane 0's
  output logic [Lanes-1:0]              on_o,               // by element
  output logic                          outside_o,          // some lane traps
  output logic [63:0]                   outside_offset_o    // of the first such lane
);
  localparam int unsigned Half = Lanes / 2;   // lanes of 64 bits
  logic [Lanes-1:0] outside;
  logic [63:0] offsets[Lanes];
  always_comb begin
    on_o = '0;
    for (int l = 0; l < int'(Lanes); ++l) begin
      logic wanted;
      offsets[l] = address_i.index_on[l] ? address_i.start + address_i.index[l] : address_i.start;
      if (!address_i.wide || l >= int'(Half))
        offsets[l][63:32] = '0;
      // One beat for all lanes is asked for whatever their predicates are.
      wanted = !predicated_i || ((!Gather || address_i.uniform) && !address_i.scalar)
            || (address_i.wide ? predicate_i[(l % int'(Half))*64 +: 64] != 0
                               : predicate_i[l*32 +: 32] != 0);
      on_o[l] = wanted && address_i.hits[l];
      outside[l] = wanted && address_i.outside[l];
    end
    outside_o = outside != '0;
    outside_offset_o = '0;
    for (int l = 0; l < int'(Lanes); ++l)
      if (outside[l] && (outside & ~({Lanes{1'b1}} << l)) == '0)
        outside_offset_o |= offsets[l];
  end
  assign uniform_o = !Gather || address_i.uniform;
  logic unused;
  assign unused = ^{address_i.beat, address_i.place};
endmodule

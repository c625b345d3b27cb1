// The address generator of one register-file port.
//
// offset = start + index, modulo 2^laneBits, where start is the affine part (acis_affine); the
// beat is base + offset. Per lane with an index operand that is not uniform, else the same for all.
// A lane is on if its element is active, its predicate is not 0 and its offset is in the
// array; an offset outside traps unless the record says zeroOutside.
//
// In a scalar loop the sum counts elements, from lane `lane` of beat `base` on; the one
// access is in lane place_o of the register file.
//
// Combinational.
module acis_addr
  import acis_overlay_pkg::*;
  import acis_pkg::*;
(
  input  acis_isa_pkg::address_record_t record_i,
  input  logic [63:0]                   start_i,
  input  logic                          wide_i,
  input  logic                          scalar_i,
  input  logic [LaneBits-1:0]           active_i,
  input  beat_t                         index_i,
  input  logic                          predicated_i,
  input  beat_t                         predicate_i,

  output logic                          uniform_o,          // one beat for all lanes: lane 0's
  output logic [Lanes-1:0]              on_o,               // by element
  output logic [Lanes-1:0][VrfBits-1:0] beat_o,             // by element
  output logic [LaneBits-1:0]           place_o,            // scalar loop: element in the beat
  output logic                          outside_o,          // some lane traps
  output logic [63:0]                   outside_offset_o    // of the first such lane
);
  logic [63:0] mask;
  assign mask = (record_i.bits == 0 || record_i.bits >= 7'd64)
              ? '1 : (64'd1 << record_i.bits[5:0]) - 64'd1;

  assign uniform_o = !record_i.indexed || record_i.uniform || scalar_i;

  // The element of a scalar loop, counted from the start of the register file
  localparam int unsigned ElementBits = VrfBits + LaneBits;
  localparam int unsigned ElementShift = $clog2(Lanes);
  function automatic logic [ElementBits-1:0] elementAt(logic [ElementBits-1:0] offset);
    logic [ElementBits-1:0] first;
    first = ElementBits'(VrfBits'(record_i.base)) * ElementBits'(vfOf(wide_i));
    return first + ElementBits'(record_i.lane) + offset;
  endfunction

  always_comb begin
    on_o = '0;
    beat_o = '0;
    outside_o = 1'b0;
    outside_offset_o = '0;
    place_o = '0;
    for (int l = 0; l < int'(Lanes); ++l) begin
      logic [63:0] element, offset;
      logic wanted;
      int unsigned from;
      from = scalar_i ? 0 : record_i.uniform ? int'(record_i.lane) : l;
      if (wide_i)
        element = index_i[(from % (Lanes / 2))*64 +: 64];
      else
        element = {32'd0, index_i[(from % Lanes)*32 +: 32]};
      offset = start_i;
      if (record_i.indexed)
        offset += (element >> record_i.shift) & mask;
      if (!wide_i)
        offset[63:32] = '0;
      wanted = !predicated_i || (wide_i ? predicate_i[(l % (int'(Lanes) / 2))*64 +: 64] != 0
                                        : predicate_i[l*32 +: 32] != 0);
      if (scalar_i)
        wanted = wanted && l == 0;
      else if (uniform_o)
        wanted = l == 0;
      else
        wanted = wanted && LaneBits'(l) < active_i;
      if (offset < {48'd0, record_i.limit}) begin
        on_o[l] = wanted;
        beat_o[l] = VrfBits'(record_i.base + offset[15:0]);
        if (scalar_i && l == 0) begin
          beat_o[0] = VrfBits'(elementAt(ElementBits'(offset)) >> (ElementShift - 32'(wide_i)));
          place_o = LaneBits'(elementAt(ElementBits'(offset))) & (vfOf(wide_i) - LaneBits'(1));
        end
      end else if (wanted && !record_i.zeroOutside && !outside_o) begin
        outside_o = 1'b1;
        outside_offset_o = offset;
      end
    end
  end
endmodule

// The address generator of one register-file port.
//
// offset = start + index, modulo 2^laneBits, where start is the affine part (acis_affine); the
// beat is base + offset. Per lane with an index operand that is not uniform, else the same for all.
// A lane hits if its element is active and its offset is in the array; an offset outside traps unless
// the record says zeroOutside. Predicates come later (acis_access).
//
// In a scalar loop the sum counts elements, from lane `lane` of beat `base` on; the one
// access is in lane `place` of the register file.
//
// The index is late, and what says that it is not there (index_on_i) may be later still, so what does
// not need them is found beside them: which indices are inside of the array, and what comes out
// without one. With an index latency the address is made of what the next slot says (moves_i: it
// comes), and is a register in its slot.
module acis_addr
  import acis_overlay_pkg::*;
  import acis_pkg::*;
#(
  parameter bit Gather = 1'b1   // a lane may have an index of its own; else every access is uniform
) (
  input  logic                          clk_i,
  input  logic                          moves_i,

  // What the address is made of
  input  acis_isa_pkg::address_record_t record_i,
  input  logic [63:0]                   start_i,
  input  logic                          wide_i,
  input  logic                          scalar_i,
  input  beat_t                         index_i,
  input  logic [Lanes-1:0]              index_on_i,         // by word; else the index is 0
  input  logic [LaneBits-1:0]           active_i,

  output vrf_address_t                  address_o
);
  localparam int unsigned Half = Lanes / 2;   // lanes of 64 bits
  localparam int unsigned ElementBits = VrfBits + LaneBits;
  localparam int unsigned ElementShift = $clog2(Lanes);
  vrf_address_t made;

  logic [63:0] mask;
  always_comb
    for (int k = 0; k < 64; ++k)
      mask[k] = !record_i.shift[6] && (record_i.bits == '0 || 7'(k) < record_i.bits);

  // Where the access is without its index: the beat; in a scalar loop the element, counted from the
  // start of the register file. The index is late and is added last. Where an offset is outside of
  // the array, it does not matter.
  logic [VrfBits-1:0] base;
  logic [ElementBits-1:0] first, element_base;
  assign base = VrfBits'(record_i.base) + VrfBits'(start_i);
  assign first = ElementBits'(VrfBits'(record_i.base)) << ElementShift;
  assign element_base = (wide_i ? first >> 1 : first) + ElementBits'(record_i.lane)
                      + ElementBits'(start_i);

  // The index of lane 0, or of all lanes; other lanes have their own. Lanes of the upper half have
  // 32 bits, or are not active.
  localparam int unsigned AtBits = $clog2(BeatBits);
  logic [63:0] shared;
  logic shared_on;
  always_comb begin
    logic [LaneBits-2:0] from;
    from = !Gather || scalar_i || !record_i.uniform ? '0 : (LaneBits - 1)'(record_i.lane);
    shared = wide_i ? index_i[AtBits'({from, 6'd0}) +: 64]
                    : {32'd0, index_i[AtBits'({from, 5'd0}) +: 32]};
    shared_on = index_on_i[wide_i ? (LaneBits - 1)'({from, 1'b0}) : from];
  end

  // start + index is below the limit from -start to limit - start, which may be around the end of
  // the numbers.
  logic [63:0] from_index, to_index;
  logic around, without;         // without an index it is inside
  always_comb begin
    from_index = -start_i;
    to_index = {48'd0, record_i.limit} - start_i;
    if (wide_i) begin
      around = start_i != '0 && start_i <= {48'd0, record_i.limit};
      without = start_i < {48'd0, record_i.limit};
    end else begin
      {from_index[63:32], to_index[63:32]} = '0;
      around = start_i[31:0] != '0 && start_i[31:0] <= {16'd0, record_i.limit};
      without = start_i[31:0] < {16'd0, record_i.limit};
    end
  end

  always_comb begin
    logic [ElementBits-1:0] place;
    made.wide = wide_i;
    made.scalar = scalar_i;
    made.uniform = !record_i.indexed || record_i.uniform || scalar_i;
    made.start = start_i;
    place = '0;
    for (int l = 0; l < int'(Lanes); ++l) begin
      logic [63:0] element, index;
      logic index_on, wanted, fits;
      element = l == 0 ? shared : {32'd0, index_i[l*32 +: 32]};
      if (wide_i && l > 0 && l < int'(Half))
        element = index_i[(l % int'(Half))*64 +: 64];
      index = record_i.indexed ? (element >> record_i.shift[5:0]) & mask : '0;
      index_on = l == 0 ? shared_on : index_on_i[wide_i ? (l % int'(Half)) * 2 : l];
      made.index[l] = index;
      made.index_on[l] = index_on;
      if (scalar_i || made.uniform)
        wanted = l == 0;
      else
        wanted = LaneBits'(l) < active_i;
      if (around)
        fits = index >= from_index || index < to_index;
      else
        fits = index >= from_index && index < to_index;
      if (!index_on)
        fits = without;
      made.hits[l] = wanted && fits;
      made.outside[l] = wanted && !fits && !record_i.zeroOutside;
      made.beat[l] = index_on ? base + VrfBits'(index) : base;
      if (l == 0)
        place = index_on ? element_base + ElementBits'(index) : element_base;
      if (!Gather && l != 0) begin
        {made.index[l], made.index_on[l], made.hits[l], made.outside[l]} = '0;
        made.beat[l] = '0;
      end
    end
    made.place = '0;
    if (scalar_i) begin
      made.beat[0] = VrfBits'(place >> (ElementShift - 32'(wide_i)));
      made.place = LaneBits'(place) & (vfOf(wide_i) - LaneBits'(1));
    end
  end

  if (IndexLatency != 0) begin : g_held
    vrf_address_t address_q;
    always_ff @(posedge clk_i)
      if (moves_i) begin
        address_q <= made;
        address_q.index_on <= '1;      // no read leads to another one's index in a cycle
      end
    assign address_o = address_q;
  end else begin : g_direct
    assign address_o = made;
    logic unused;
    assign unused = ^{clk_i, moves_i};
  end
endmodule

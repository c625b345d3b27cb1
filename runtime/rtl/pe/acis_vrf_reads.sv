// The two read ports of a register file in a slot: addresses, and the elements that are found
// there. One port may take the other's value as its index in the same cycle, so there is a first
// and a second read; combinational.
module acis_vrf_reads
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::address_record_t;
(
  input  logic                           swapped_i,   // port 1 is read first
  input  logic                           chained_i,   // its value is the index of the second
  input  logic                           initial_i,   // or an initial value is
  input  logic                           wide_i,
  input  logic                           scalar_i,

  // By port
  input  logic [1:0]                     live_i,
  input  stage_t                         info_0_i,
  input  stage_t                         info_1_i,
  input  address_record_t                record_0_i,
  input  address_record_t                record_1_i,
  input  logic [31:0]                    arg_0_i,
  input  logic [31:0]                    arg_1_i,
  input  beat_t                          index_0_i,
  input  beat_t                          index_1_i,

  // The memory: a beat per bank
  output logic [Lanes-1:0][VrfBits-1:0]  first_bank_o,
  input  beat_t                          first_raw_i,
  output logic [Lanes-1:0][VrfBits-1:0]  second_bank_o,
  input  beat_t                          second_raw_i,

  // By port
  output beat_t                          data_0_o,
  output beat_t                          data_1_o,
  output logic [1:0]                     uniform_o,
  output logic [1:0][Lanes-1:0]          on_o,
  output logic [1:0][Lanes-1:0][VrfBits-1:0] beat_o,

  // The first read outside of its array
  output logic                           outside_o,
  output logic [63:0]                    offset_o,
  output logic [15:0]                    base_o,
  output logic [15:0]                    limit_o,
  output logic [3:0]                     set_o
);
  address_record_t first_record, second_record;
  stage_t first_info, second_info;
  logic first_live, second_live, first_uniform, second_uniform, first_outside, second_outside;
  logic [Lanes-1:0] first_on, second_on;
  logic [Lanes-1:0][VrfBits-1:0] first_beat, second_beat;
  logic [63:0] first_offset, second_offset;
  logic [LaneBits-1:0] first_place, second_place;
  beat_t second_index, first_data, second_data;
  assign {first_live, second_live} = swapped_i ? {live_i[1], live_i[0]} : {live_i[0], live_i[1]};
  assign first_record = swapped_i ? record_1_i : record_0_i;
  assign second_record = swapped_i ? record_0_i : record_1_i;
  assign first_info = swapped_i ? info_1_i : info_0_i;
  assign second_info = swapped_i ? info_0_i : info_1_i;

  // Word b of a beat that was read: of a scalar loop, the first ones are its element.
  function automatic logic [31:0] placed(beat_t raw, logic [LaneBits-1:0] place, int b);
    int unsigned from;
    from = scalar_i && b < (wide_i ? 2 : 1) ? 32'(place) * (wide_i ? 2 : 1) : 0;
    return raw[(from + b)*32 +: 32];
  endfunction

  acis_addr i_first_addr (
    .record_i(first_record), .arg_i(swapped_i ? arg_1_i : arg_0_i), .i0_i(first_info.i0),
    .i1_i(first_info.i1), .wide_i, .scalar_i, .active_i(first_info.active),
    .index_i(swapped_i ? index_1_i : index_0_i), .predicated_i(1'b0), .predicate_i('0),
    .uniform_o(first_uniform), .on_o(first_on), .beat_o(first_beat), .place_o(first_place),
    .outside_o(first_outside), .outside_offset_o(first_offset)
  );
  for (genvar b = 0; b < int'(Lanes); ++b) begin : g_first
    logic on;
    assign first_bank_o[b] = first_uniform ? first_beat[0] : wide_i ? first_beat[b / 2] : first_beat[b];
    assign on = first_uniform ? first_on[0] : wide_i ? first_on[b / 2] : first_on[b];
    assign first_data[b*32 +: 32] = (first_live && on) ? placed(first_raw_i, first_place, b) : '0;
  end

  assign second_index = chained_i && !initial_i ? first_data : swapped_i ? index_0_i : index_1_i;
  acis_addr i_second_addr (
    .record_i(second_record), .arg_i(swapped_i ? arg_0_i : arg_1_i), .i0_i(second_info.i0),
    .i1_i(second_info.i1), .wide_i, .scalar_i, .active_i(second_info.active),
    .index_i(second_index), .predicated_i(1'b0), .predicate_i('0),
    .uniform_o(second_uniform), .on_o(second_on), .beat_o(second_beat), .place_o(second_place),
    .outside_o(second_outside), .outside_offset_o(second_offset)
  );
  for (genvar b = 0; b < int'(Lanes); ++b) begin : g_second
    logic on;
    assign second_bank_o[b] = second_uniform ? second_beat[0] : wide_i ? second_beat[b / 2] : second_beat[b];
    assign on = second_uniform ? second_on[0] : wide_i ? second_on[b / 2] : second_on[b];
    assign second_data[b*32 +: 32] = (second_live && on) ? placed(second_raw_i, second_place, b) : '0;
  end

  assign data_0_o = swapped_i ? second_data : first_data;
  assign data_1_o = swapped_i ? first_data : second_data;
  assign uniform_o = swapped_i ? {first_uniform, second_uniform} : {second_uniform, first_uniform};
  assign on_o = swapped_i ? {first_on, second_on} : {second_on, first_on};
  assign beat_o = swapped_i ? {first_beat, second_beat} : {second_beat, first_beat};

  logic first_fails;
  assign first_fails = first_live && first_outside;
  assign outside_o = first_fails || (second_live && second_outside);
  assign offset_o = first_fails ? first_offset : second_offset;
  assign base_o = first_fails ? first_record.base : second_record.base;
  assign limit_o = first_fails ? first_record.limit : second_record.limit;
  assign set_o = first_fails ? first_info.argSet : second_info.argSet;
endmodule

// The addresses of both reads of a register file in a slot. One port may take the other's value as its
// index in the same cycle, so there is a first and a second read; with an input latency it may not,
// and they are the reads of port 0 and 1. With an index latency what addresses are made of (at_*) is
// of the slot that comes next.
module acis_vrf_reads
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::address_record_t;
#(
  parameter bit Gather = 1'b1   // a lane may have an index of its own
) (
  input  logic                           clk_i,
  input  logic                           moves_i,
  input  logic                           swapped_i,   // port 1 is read first
  input  logic                           chained_i,   // the first one's value is the second's index,
  input  logic                           initial_i,   // or an initial value is
  input  logic                           wide_i,
  input  logic                           scalar_i,

  // By port
  input  logic [1:0]                     live_i,
  input  stage_t                         info_0_i,
  input  stage_t                         info_1_i,
  input  address_record_t                record_0_i,
  input  address_record_t                record_1_i,
  input  logic                           at_wide_i,
  input  logic                           at_scalar_i,
  input  address_record_t                at_record_0_i,
  input  address_record_t                at_record_1_i,
  input  logic [63:0]                    at_start_0_i,   // affine part of the address
  input  logic [63:0]                    at_start_1_i,
  input  logic [LaneBits-1:0]            at_active_0_i,
  input  logic [LaneBits-1:0]            at_active_1_i,
  input  beat_t                          index_0_i,
  input  beat_t                          index_1_i,

  output vrf_read_t                      first_o,
  input  beat_t                          first_found_i,
  output vrf_read_t                      second_o,

  // By port
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
  logic [1:0] live;
  stage_t info[2];
  address_record_t record[2], at_record[2];
  logic [63:0] start[2];
  beat_t first_index, second_index;
  logic swapped, chained;
  logic [1:0] uniform, fails;
  logic [1:0][Lanes-1:0] on;
  logic [1:0][Lanes-1:0][VrfBits-1:0] beat;
  logic [63:0] offset[2];

  // By order: the first read and the second
  assign swapped = InputLatency == 0 && swapped_i;
  assign live = swapped ? {live_i[0], live_i[1]} : live_i;
  assign info[0] = swapped ? info_1_i : info_0_i;
  assign info[1] = swapped ? info_0_i : info_1_i;
  assign record[0] = swapped ? record_1_i : record_0_i;
  assign record[1] = swapped ? record_0_i : record_1_i;
  assign at_record[0] = swapped ? at_record_1_i : at_record_0_i;
  assign at_record[1] = swapped ? at_record_0_i : at_record_1_i;
  assign start[0] = swapped ? at_start_1_i : at_start_0_i;
  assign start[1] = swapped ? at_start_0_i : at_start_1_i;
  assign first_index = swapped ? index_1_i : index_0_i;
  // The second one's index is what was found, whether that is the element or 0.
  assign chained = InputLatency == 0 && chained_i && !initial_i;
  assign second_index = chained ? first_found_i : swapped ? index_0_i : index_1_i;
  acis_vrf_read #(.Gather(Gather)) i_first (
    .clk_i, .moves_i, .at_wide_i, .at_scalar_i, .at_record_i(at_record[0]), .at_start_i(start[0]),
    .active_i(swapped ? at_active_1_i : at_active_0_i), .live_i(live[0]), .wide_i, .scalar_i,
    .index_i(first_index), .index_on_i('1), .read_o(first_o), .uniform_o(uniform[0]), .on_o(on[0]),
    .beat_o(beat[0]), .fails_o(fails[0]), .offset_o(offset[0])
  );
  if (TwoReads) begin : g_second
    acis_vrf_read #(.Gather(Gather)) i_second (
      .clk_i, .moves_i, .at_wide_i, .at_scalar_i, .at_record_i(at_record[1]), .at_start_i(start[1]),
      .active_i(swapped ? at_active_0_i : at_active_1_i), .live_i(live[1]), .wide_i, .scalar_i,
      .index_i(second_index), .index_on_i(chained ? first_o.on : '1), .read_o(second_o),
      .uniform_o(uniform[1]), .on_o(on[1]), .beat_o(beat[1]), .fails_o(fails[1]), .offset_o(offset[1])
    );
  end else begin : g_one_read
    assign second_o = '0;
    assign {uniform[1], on[1], beat[1], fails[1], offset[1]} = '0;
    logic unused_second;
    assign unused_second = ^{second_index, chained};
  end

  // By port again
  assign uniform_o = swapped ? {uniform[0], uniform[1]} : uniform;
  assign on_o = swapped ? {on[0], on[1]} : on;
  assign beat_o = swapped ? {beat[0], beat[1]} : beat;

  assign outside_o = fails != '0;
  logic first_fails;               // else the second one does, if any
  assign first_fails = fails[0] || !TwoReads;
  assign offset_o = first_fails ? offset[0] : offset[1];
  assign base_o = first_fails ? record[0].base : record[1].base;
  assign limit_o = first_fails ? record[0].limit : record[1].limit;
  assign set_o = first_fails ? info[0].argSet : info[1].argSet;
endmodule

// The commands of a stream as the sequencer sees them, which is ahead of the stream by what is on its way:
// a read or write leaves when the last access of it is decided, an end when that is, if it changes
// nothing but the count (joins), or when the stream has completed it.
//
// An end takes the cycle of the access before it, or one, so one at most is passed behind what was given
// out; a second one waits until that is completed. Up to two commands leave in a cycle.
`include "acis_assert.svh"

module acis_given
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,

  // A command that comes
  input  logic                 adds_i,
  input  logic                 end_i,
  input  logic                 joins_i,      // it begins, or ends, where the one before it ends
  input  logic [47:0]          bytes_i,

  input  logic                 gives_i,      // an access of the first one is decided,
  input  logic [CountBits-1:0] given_i,      // of so many bytes
  input  logic                 leaves_i,     // the first one is the scalar unit's, and done
  input  logic                 ends_i,       // the stream completes an end

  output logic [3:0]           count_o,      // of commands, at the start of the cycle
  output logic                 next_o,       // the first one is a read or write that can go on at once
  output logic                 ended_o,      // an end is passed behind what was given out
  output logic                 ended_post_o  // the same at the end of the cycle
);
  typedef struct packed {
    logic valid;
    logic is_end;
    logic joins;
    logic [47:0] left;
  } command_t;
  command_t first_q, second_q, third, fourth, added;
  command_t [3:0] ahead;
  logic [3:0] count_q;
  logic [1:0] passed_q, passed, gone;        // ends that are passed and not completed
  logic ended_q, ended, completes, drops, takes, passes;
  assign count_o = count_q;
  assign next_o = first_q.valid && !first_q.is_end && first_q.joins;
  assign ended_o = ended_q;

  acis_command_ring #(.Width($bits(command_t)), .Places(StreamCommands)) i_commands (
    .clk_i, .rst_ni, .adds_i, .added_i(added), .leaves_i(gone), .count_o(count_q), .third_o(third),
    .fourth_o(fourth)
  );
  // The first four, that which comes among them
  assign added = '{valid: 1'b1, is_end: end_i, joins: joins_i, left: bytes_i};
  always_comb begin
    ahead = {count_q > 4'd3 ? fourth : added, count_q > 4'd2 ? third : added,
             count_q > 4'd1 ? second_q : added, count_q > 4'd0 ? first_q : added};
    for (int c = 0; c < 4; ++c)
      ahead[c].valid = 4'(c) < count_q || (4'(c) == count_q && adds_i);
  end

  // What leaves: a read or write of which all is given out, an end that is completed and was not passed,
  // and an end behind that which can be passed
  assign completes = ends_i && passed_q != '0;
  assign drops = ends_i && passed_q == '0;
  assign takes = leaves_i || drops || (gives_i && first_q.left == 48'(given_i));
  assign ended = ended_q && !gives_i && !(completes && passed_q == 2'd1);
  logic [1:0] passable;
  always_comb
    for (int c = 0; c < 2; ++c)
      passable[c] = ahead[c].valid && ahead[c].is_end && ahead[c].joins;
  assign passes = passable[takes] && !ended;
  assign gone = 2'(takes) + 2'(passes);
  assign passed = passed_q - 2'(completes) + 2'(passes);
  assign ended_post_o = ended || passes;

  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni)
      {first_q, second_q, passed_q, ended_q} <= '0;
    else begin
      first_q <= ahead[gone];
      if (gives_i && !takes)
        first_q.left <= first_q.left - 48'(given_i);
      second_q <= gone == 2'd2 ? ahead[3] : gone == 2'd1 ? ahead[2] : ahead[1];
      passed_q <= passed;
      ended_q <= ended_post_o;
    end

  logic first_ends, first_goes;
  assign first_ends = ahead[0].valid && ahead[0].is_end;
  assign first_goes = first_q.valid && !first_q.is_end;
  `ACIS_ASSERT(EndIsFirst_A, !drops || first_ends)
  `ACIS_ASSERT(GivesIsFirst_A, !gives_i || first_goes)
endmodule

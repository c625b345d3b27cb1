// Interlocked writes of a PE that are on their way, and the reads that have to wait for
// them.
//
// A read with an interlock enters its address when it is done; the write of the same
// iteration leaves it. While an entry is there, `left` is the array time until its write.
// A later read of an equal beat waits: array time stands still for left + 1 cycles, and in
// cycle `left` of them the write is made with what the unit has computed meanwhile. The
// scheduled write then does nothing.
//
// Whether ports are ready (detect_i) and whether a read is one of an iteration (read_i) come from far away,
// and reads that would meet a write are found beside both: waits_o counts in the first cycle of an
// array time, if ports are. Which write is made early does not depend on whether array time goes on.
`include "acis_assert.svh"

module acis_interlock
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::*;
#(
  parameter bit Gather = 1'b1   // lanes may have beats of their own
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,

  input  logic                               begin_i,
  input  logic                               advance_i,   // array time goes on
  input  logic                               detect_i,    // first cycle of an array time
  input  logic [15:0]                        step_i,      // cycle of the wait

  // Reads of this array time, by port
  input  logic [1:0]                         read_i,
  input  logic [1:0][15:0]                   distance_i,
  input  logic [1:0]                         uniform_i,
  input  logic [1:0][Lanes-1:0]              on_i,
  input  logic [1:0][Lanes-1:0][VrfBits-1:0] beat_i,
  input  logic [1:0][LaneBits-1:0]           active_i,
  output logic                               waits_o,     // array time stands still, if detect_i
  output logic                               longer_o,    // for more than one cycle
  output logic                               longest_o,   // for more than two
  output logic [15:0]                        wait_o,      // in the next cycle: for how many

  // A write that is made in cycle step_i of the wait
  output logic                               early_o,
  output logic                               early_uniform_o,
  output logic [Lanes-1:0]                   early_on_o,
  output logic [Lanes-1:0][VrfBits-1:0]      early_beat_o,
  output logic [LaneBits-1:0]                early_active_o,

  // The write that is due in this array time was made
  output logic                               done_o
);
  typedef struct packed {
    logic valid;
    logic done;
    logic matched;
    logic [15:0] left;
    logic uniform;
    logic [Lanes-1:0] on;
    logic [Lanes-1:0][VrfBits-1:0] beat;
    logic [LaneBits-1:0] active;
  } entry_t;

  entry_t entries_q[Interlocks], entries_d[Interlocks];
  // What a read waits for if it is one, by port; that of both; and with detect_i
  logic [1:0][Interlocks-1:0] meets;
  logic [Interlocks-1:0] waiting, match;
  logic [1:0] reads;
  logic [1:0][Lanes-1:0] looks;      // of a read: this lane's beat counts
  always_comb begin
    for (int p = 0; p < 2; ++p)
      for (int l = 0; l < int'(Lanes); ++l)
        looks[p][l] = (l == 0 || (Gather && !uniform_i[p])) && on_i[p][l];
    for (int p = 0; p < 2; ++p)
      for (int e = 0; e < int'(Interlocks); ++e) begin
        logic [Lanes-1:0] equal;
        for (int l = 0; l < int'(Lanes); ++l)
          equal[l] = entries_q[e].on[l] && entries_q[e].beat[l] == beat_i[p][l];
        meets[p][e] = entries_q[e].valid && !entries_q[e].done && (equal & looks[p]) != '0;
      end
  end
  assign reads = begin_i ? '0 : read_i;
  assign waiting = (reads[0] ? meets[0] : '0) | (reads[1] ? meets[1] : '0);
  assign match = detect_i ? waiting : '0;

  // The longest wait. Which of two entries is later is known while the addresses are on their way, and
  // of each port whether its read would wait, for how long about, before it is known that it reads.
  logic [Interlocks-1:0][Interlocks-1:0] later;   // than the first: the second; one of equal ones
  logic [Interlocks-1:0] more, most;              // a wait for the write takes longer than one, than two
  logic [15:0] longest;
  always_comb begin
    later = '0;
    for (int e = 0; e < int'(Interlocks); ++e)
      for (int f = e + 1; f < int'(Interlocks); ++f) begin
        later[e][f] = entries_q[f].left > entries_q[e].left;
        later[f][e] = !later[e][f];
      end
    longest = '0;
    for (int e = 0; e < int'(Interlocks); ++e) begin
      if (waiting[e] && (waiting & later[e]) == '0)
        longest |= entries_q[e].left + 16'd1;
      more[e] = entries_q[e].left != '0;
      most[e] = entries_q[e].left > 16'd1;
    end
    {waits_o, longer_o, longest_o} = '0;
    for (int p = 0; p < 2; ++p) begin
      waits_o |= reads[p] && meets[p] != '0;
      longer_o |= reads[p] && (meets[p] & more) != '0;
      longest_o |= reads[p] && (meets[p] & most) != '0;
    end
  end

  always_ff @(posedge clk_i)
    wait_o <= longest;

  // A write that is due in this cycle of the wait is made now if a read waits for it: one that was seen
  // before, or one of this cycle, because of which array time does not go on. There is none in the last
  // cycle of a wait, so that nothing here asks whether this is it. What is made comes without detect_i,
  // which says last whether it counts.
  logic [Interlocks-1:0] ripe, seen, would, chosen, early;
  always_comb begin
    done_o = 1'b0;
    for (int e = 0; e < int'(Interlocks); ++e) begin
      ripe[e] = entries_q[e].left == step_i && entries_q[e].valid && !entries_q[e].done;
      seen[e] = ripe[e] && entries_q[e].matched;
      would[e] = seen[e] || (ripe[e] && waiting[e]);
      early[e] = seen[e] || (ripe[e] && match[e]);
      if (!begin_i && entries_q[e].valid && entries_q[e].done && entries_q[e].left == '0)
        done_o = 1'b1;
    end
    for (int e = 0; e < int'(Interlocks); ++e)   // of entries of one write, the last
      chosen[e] = would[e] && (would & ({Interlocks{1'b1}} << (e + 1))) == '0;
    early_o = early != '0;
    early_uniform_o = 1'b0;
    early_on_o = '0;
    early_beat_o = '0;
    early_active_o = '0;
    for (int e = 0; e < int'(Interlocks); ++e)
      if (chosen[e]) begin
        early_uniform_o |= entries_q[e].uniform;
        early_on_o |= entries_q[e].on;
        early_beat_o |= entries_q[e].beat;
        early_active_o |= entries_q[e].active;
      end
  end

  // Where new entries go, by port: the first place that is free when array time goes on, and the
  // second if the other port takes that. None of this waits for the addresses.
  logic [Interlocks-1:0] free, free_first, free_second;
  logic [1:0] enters;
  logic [1:0][Interlocks-1:0] place;
  function automatic logic [Interlocks-1:0] lowest(logic [Interlocks-1:0] set);
    logic [Interlocks-1:0] one;
    for (int e = 0; e < int'(Interlocks); ++e)
      one[e] = set[e] && (set & ~({Interlocks{1'b1}} << e)) == '0;
    return one;
  endfunction
  always_comb begin
    for (int e = 0; e < int'(Interlocks); ++e)
      free[e] = begin_i || !entries_q[e].valid || entries_q[e].left == '0;
    free_first = lowest(free);
    free_second = lowest(free & ~free_first);
    for (int p = 0; p < 2; ++p)
      enters[p] = read_i[p] && advance_i && distance_i[p] != '0;
    place[0] = enters[0] ? free_first : '0;
    place[1] = !enters[1] ? '0 : enters[0] ? free_second : free_first;
  end

  always_comb
    for (int e = 0; e < int'(Interlocks); ++e) begin
      entries_d[e] = entries_q[e];
      if (match[e])
        entries_d[e].matched = 1'b1;
      if (early[e])
        entries_d[e].done = 1'b1;
      if (advance_i) begin
        entries_d[e].matched = 1'b0;
        if (entries_q[e].left == '0)
          entries_d[e].valid = 1'b0;
        else
          entries_d[e].left = entries_q[e].left - 16'd1;
      end
      if (begin_i)
        entries_d[e].valid = 1'b0;
      for (int p = 0; p < 2; ++p)
        if (place[p][e])
          entries_d[e] = '{valid: 1'b1, done: 1'b0, matched: 1'b0, left: distance_i[p] - 16'd1,
                           uniform: uniform_i[p], on: on_i[p], beat: beat_i[p],
                           active: active_i[p]};
    end

  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      for (int e = 0; e < int'(Interlocks); ++e)
        entries_q[e] <= '0;
    end else begin
      for (int e = 0; e < int'(Interlocks); ++e)
        entries_q[e] <= entries_d[e];
    end

  `ACIS_ASSERT(MatchWaits_A, !advance_i || match == '0)
  `ACIS_ASSERT(EarlyWaits_A, !advance_i || !early_o)
endmodule

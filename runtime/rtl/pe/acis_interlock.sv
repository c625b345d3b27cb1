// Interlocked writes of a PE that are on their way, and the reads that have to wait for
// them.
//
// A read with an interlock enters its address when it is done; the write of the same
// iteration leaves it. While an entry is there, `left` is the array time until its write.
// A later read of an equal beat waits: array time stands still for left + 1 cycles, and in
// cycle `left` of them the write is made with what the unit has computed meanwhile. The
// scheduled write then does nothing.
module acis_interlock
  import acis_overlay_pkg::*;
  import acis_pkg::*;
(
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
  output logic [15:0]                        wait_o,      // cycles, 0: none; in the first

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
  logic [Interlocks-1:0] match;

  always_comb begin
    logic [15:0] waits[Interlocks];
    match = '0;
    for (int e = 0; e < int'(Interlocks); ++e) begin
      for (int p = 0; p < 2; ++p)
        for (int l = 0; l < int'(Lanes); ++l)
          if (read_i[p] && (l == 0 || !uniform_i[p]) && on_i[p][l] && entries_q[e].on[l]
              && entries_q[e].beat[l] == beat_i[p][l])
            match[e] = 1'b1;
      if (!detect_i || begin_i || !entries_q[e].valid || entries_q[e].done)
        match[e] = 1'b0;
      waits[e] = match[e] ? entries_q[e].left + 16'd1 : '0;
    end
    // The longest, by a tree.
    for (int half = int'(Interlocks) / 2; half >= 1; half /= 2)
      for (int e = 0; e < half; ++e)
        if (waits[e + half] > waits[e])
          waits[e] = waits[e + half];
    wait_o = waits[0];
  end

  always_comb begin
    early_o = 1'b0;
    early_uniform_o = 1'b0;
    early_on_o = '0;
    early_beat_o = '0;
    early_active_o = '0;
    done_o = 1'b0;
    for (int e = 0; e < int'(Interlocks); ++e) begin
      if ((match[e] || (entries_q[e].matched && entries_q[e].valid)) && !entries_q[e].done
          && entries_q[e].left == step_i && !advance_i) begin
        early_o = 1'b1;
        early_uniform_o = entries_q[e].uniform;
        early_on_o = entries_q[e].on;
        early_beat_o = entries_q[e].beat;
        early_active_o = entries_q[e].active;
      end
      if (!begin_i && entries_q[e].valid && entries_q[e].done && entries_q[e].left == '0)
        done_o = 1'b1;
    end
  end

  always_comb begin
    logic [1:0] pending;
    pending = read_i & {2{advance_i}};
    for (int e = 0; e < int'(Interlocks); ++e) begin
      entries_d[e] = entries_q[e];
      if (match[e])
        entries_d[e].matched = 1'b1;
      if ((match[e] || entries_q[e].matched) && entries_q[e].left == step_i && !advance_i)
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
    end
    for (int e = 0; e < int'(Interlocks); ++e)
      for (int p = 0; p < 2; ++p)
        if (pending[p] && distance_i[p] != '0 && !entries_d[e].valid) begin
          pending[p] = 1'b0;
          entries_d[e].valid = 1'b1;
          entries_d[e].done = 1'b0;
          entries_d[e].matched = 1'b0;
          entries_d[e].left = distance_i[p] - 16'd1;
          entries_d[e].uniform = uniform_i[p];
          entries_d[e].on = on_i[p];
          entries_d[e].beat = beat_i[p];
          entries_d[e].active = active_i[p];
        end
  end

  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      for (int e = 0; e < int'(Interlocks); ++e)
        entries_q[e] <= '0;
    end else begin
      for (int e = 0; e < int'(Interlocks); ++e)
        entries_q[e] <= entries_d[e];
    end
endmodule

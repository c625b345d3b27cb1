// A pair of lanes of a PE's operands, links and routing registers: what each of them takes of
// the PE's sources. All pairs do the same with their own 64 bits, so that a PE has Lanes / 2 of
// these; what a slot says comes decoded from acis_pe.
//
// Without an input latency the operands that are indices of register-file reads are made without the
// values of these reads: a read that takes the other's value as its index finds it in acis_vrf_reads.
module acis_operands
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::*;
#(
  parameter bit Indexed = 1'b1   // the lanes are those whose indices of accesses are taken
) (
  input  logic                      clk_i,
  input  logic                      begin_i,
  input  logic                      advance_i,

  // Sources; with an input latency in a cycle in which a loop may begin there is none.
  input  logic [63:0]               result_i,     // of the units
  input  logic [63:0]               stream_i,
  input  logic [63:0]               read_0_i,     // of the register file
  input  logic [63:0]               read_1_i,
  input  logic [63:0]               memory_i,
  input  logic [63:0]               link_i[MaxLinks],

  // Operands
  input  logic [NumInputs-1:0][4:0] sample_i,     // source that a delay line takes
  input  choice_t [NumInputs-1:0]   choice_i,
  input  logic [4:0]                index_0_i,    // sources of the indices of reads
  input  logic [4:0]                index_1_i,
  input  logic [63:0]               delayed_i[NumInputs],
  input  logic [NumInputs-1:0]      delayed_on_i, // else that counts as 0
  output logic [63:0]               sample_o[NumInputs],
  output logic [63:0]               operand_o[NumInputs],   // without the indices of reads
  output logic [63:0]               index_0_o,
  output logic [63:0]               index_1_o,

  // Links and routing registers move what is there, whoever's it is.
  input  logic [4:0]                link_source_i[MaxLinks],
  input  logic                      reg_we_i,
  input  logic [3:0]                reg_i,
  input  logic [4:0]                reg_source_i,
  input  logic [1:0][63:0]          constant_i,             // sources 6 and 7 of these
  output logic [63:0]               link_o[MaxLinks]
);
  logic [63:0] link_q[MaxLinks], reg_q[RouteRegs];
  function automatic bit anyLink();
    anyLink = 1'b0;
    for (int unsigned k = 0; k < NumPes * MaxLinks; ++k)
      anyLink |= LinkOn[k];
  endfunction
  // The sources that there are: all but what the slot reads, those too, and what else may be routed
  localparam logic [NumSources-1:0] Unread =
      (NumSources'(1) << SourceRes) | (NumSources'(1) << SourceStreamIn)
      | (NumSources'(PeMemory != '0) << SourceMemIn)
      | (anyLink() ? ((NumSources'(1) << MaxLinks) - NumSources'(1)) << SourceLink0 : '0)
      | NumSources'(((64'd1 << RouteRegs) - 64'd1) << SourceReg0);
  localparam logic [NumSources-1:0] Values = Unread | (NumSources'(3) << SourceVrf0);
  localparam logic [NumSources-1:0] Routed = Values | (NumSources'(3) << SourceImm0);

  // What can be picked, by number of the source: values, the same without what the slot reads, and of each
  // word whether it is not 0, which is all that a predicate asks
  logic on, clears;                // in the first cycle of a loop that begins at once
  logic [NumSources-1:0][63:0] values, unread;
  logic [NumSources-1:0][1:0] truths;
  assign on = InputLatency == 0 || !begin_i;
  assign clears = InputLatency == 0 && begin_i;
  function automatic logic [1:0] truth(logic [63:0] value);
    return {value[63:32] != '0, value[31:0] != '0};
  endfunction
  always_comb begin
    unread = '0;
    unread[SourceRes] = result_i;
    unread[SourceStreamIn] = stream_i;
    unread[SourceMemIn] = memory_i;
    {unread[SourceImm1], unread[SourceImm0]} = constant_i;
    for (int k = 0; k < int'(MaxLinks); ++k)
      unread[32'(SourceLink0) + k] = clears ? '0 : link_q[k];
    for (int r = 0; r < int'(RouteRegs); ++r)
      unread[32'(SourceReg0) + r] = clears ? '0 : reg_q[r];
  end
  always_comb begin
    values = unread;
    {values[SourceVrf1], values[SourceVrf0]} = {read_1_i, read_0_i};
    for (int s = 0; s < int'(NumSources); ++s)
      truths[s] = truth(values[s]);
  end
  function automatic logic [63:0] chosen(choice_t choice, logic [63:0] now, logic [63:0] past, logic past_on);
    return choice.fixed ? choice.value : !choice.past ? now : past_on ? past : '0;
  endfunction
  for (genvar i = 0; i < int'(NumInputs); ++i) begin : g_operand
    if (isPredicate(i)) begin : g_predicate
      logic [1:0] now, past, taken;
      acis_pick #(.Width(2), .There(Values)) i_pick (
        .on_i(on), .source_i(sample_i[i]), .from_i(truths), .value_o(now)
      );
      assign past = {delayed_i[i][32], delayed_i[i][0]} & {2{delayed_on_i[i]}};
      assign taken = choice_i[i].fixed ? truth(choice_i[i].value) : choice_i[i].past ? past : now;
      assign sample_o[i] = {31'd0, now[1], 31'd0, now[0]};
      assign operand_o[i] = {31'd0, taken[1], 31'd0, taken[0]};
    end else if (isIndex(i) && !Indexed) begin : g_none
      assign sample_o[i] = '0;
      assign operand_o[i] = '0;
      logic unused;
      assign unused = ^{sample_i[i], choice_i[i], delayed_on_i[i]};
    end else begin : g_value
      acis_pick #(.There(Values)) i_pick (
        .on_i(on), .source_i(sample_i[i]), .from_i(values), .value_o(sample_o[i])
      );
      assign operand_o[i] = (i == int'(InRead0) || i == int'(InRead1))
                          ? '0 : chosen(choice_i[i], sample_o[i], delayed_i[i], delayed_on_i[i]);
    end
  end
  logic [63:0] index_0, index_1;
  if (InputLatency != 0) begin : g_index
    assign {index_0, index_1} = {sample_o[InRead0], sample_o[InRead1]};
    logic unused;
    assign unused = ^{index_0_i, index_1_i};
  end else begin : g_index_unread
    acis_pick #(.There(Unread)) i_index_0 (
      .on_i(1'b1), .source_i(index_0_i), .from_i(unread), .value_o(index_0)
    );
    acis_pick #(.There(Unread)) i_index_1 (
      .on_i(1'b1), .source_i(index_1_i), .from_i(unread), .value_o(index_1)
    );
  end
  assign index_0_o = !Indexed ? '0 : chosen(
      choice_i[InRead0], index_0, delayed_i[InRead0], delayed_on_i[InRead0]);
  assign index_1_o = !Indexed ? '0 : chosen(
      choice_i[InRead1], index_1, delayed_i[InRead1], delayed_on_i[InRead1]);

  // Links and routing registers
  for (genvar k = 0; k < int'(MaxLinks); ++k) begin : g_link
    acis_pick #(.There(Routed)) i_pick (
      .on_i(on || link_source_i[k][4:1] == 4'd3), .source_i(link_source_i[k]), .from_i(values),
      .value_o(link_o[k])
    );
    always_ff @(posedge clk_i)
      if (advance_i)
        link_q[k] <= link_i[k];
      else if (begin_i)
        link_q[k] <= '0;
  end
  logic [63:0] routed;
  acis_pick #(.There(Routed)) i_routed (
    .on_i(on || reg_source_i[4:1] == 4'd3), .source_i(reg_source_i), .from_i(values),
    .value_o(routed)
  );
  for (genvar r = 0; r < int'(RouteRegs); ++r) begin : g_reg
    always_ff @(posedge clk_i)
      if (advance_i && reg_we_i && 32'(reg_i) == r)
        reg_q[r] <= routed;
      else if (begin_i)
        reg_q[r] <= '0;
  end
endmodule

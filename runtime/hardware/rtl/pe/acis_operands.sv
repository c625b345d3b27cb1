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
(
  input  logic                      clk_i,
  input  logic                      begin_i,
  input  logic                      advance_i,

  // Sources
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
  logic [63:0] link_q[MaxLinks], links[8], reg_q[16];   // a source names one of eight links
  // What can be picked: values, the same without what the slot reads, and of each word whether it is
  // not 0, which is all that a predicate asks.
  typedef struct packed {
    logic [63:0] result, stream, vrf0, vrf1, memory;
    logic [7:0][63:0] links;
    logic [15:0][63:0] regs;
  } sources_t;
  sources_t values, unread, truths;
  function automatic logic [63:0] truth(logic [63:0] value);
    return {31'd0, value[63:32] != '0, 31'd0, value[31:0] != '0};
  endfunction
  always_comb begin
    unread = '{result: result_i, stream: stream_i, vrf0: '0, vrf1: '0, memory: memory_i, links: '0,
               regs: '0};
    if (!begin_i) begin
      for (int k = 0; k < 8; ++k)
        unread.links[k] = links[k];
      for (int r = 0; r < 16; ++r)
        unread.regs[r] = reg_q[r];
    end
  end
  always_comb begin
    values = unread;
    {values.vrf0, values.vrf1} = {read_0_i, read_1_i};
    for (int s = 0; s < $bits(sources_t); s += 64)
      truths[s +: 64] = truth(values[s +: 64]);
  end
  function automatic logic [63:0] pick(logic [4:0] source, sources_t of);
    case (source) inside
      SourceRes: return of.result;
      SourceStreamIn: return of.stream;
      SourceVrf0: return of.vrf0;
      SourceVrf1: return of.vrf1;
      SourceMemIn: return of.memory;
      [SourceLink0:SourceLink7]: return of.links[source[2:0]];
      [SourceReg0:SourceReg15]: return of.regs[source[3:0]];
      default: return '0;
    endcase
  endfunction
  function automatic logic [63:0] chosen(choice_t choice, logic [63:0] now, logic [63:0] past);
    return choice.fixed ? choice.value : choice.past ? past : now;
  endfunction
  for (genvar i = 0; i < int'(NumInputs); ++i) begin : g_operand
    if (isPredicate(i)) begin : g_predicate
      choice_t choice;
      assign choice = '{fixed: choice_i[i].fixed, past: choice_i[i].past, value: truth(choice_i[i].value)};
      assign sample_o[i] = pick(sample_i[i], truths);
      assign operand_o[i] = chosen(choice, sample_o[i], delayed_i[i]);
    end else begin : g_value
      assign sample_o[i] = pick(sample_i[i], values);
      assign operand_o[i] = (i == int'(InRead0) || i == int'(InRead1))
                          ? '0 : chosen(choice_i[i], sample_o[i], delayed_i[i]);
    end
  end
  logic [63:0] index_0, index_1;
  assign index_0 = InputLatency != 0 ? sample_o[InRead0] : pick(index_0_i, unread);
  assign index_1 = InputLatency != 0 ? sample_o[InRead1] : pick(index_1_i, unread);
  assign index_0_o = chosen(choice_i[InRead0], index_0, delayed_i[InRead0]);
  assign index_1_o = chosen(choice_i[InRead1], index_1, delayed_i[InRead1]);

  function automatic logic [63:0] route(logic [4:0] source);
    return source[4:1] == 4'd3 ? constant_i[source[0]] : pick(source, values);
  endfunction
  for (genvar k = 0; k < 8; ++k) begin : g_from
    if (k < int'(MaxLinks)) begin : g_on
      assign links[k] = link_q[k];
    end else begin : g_off
      assign links[k] = '0;
    end
  end
  for (genvar k = 0; k < int'(MaxLinks); ++k) begin : g_link
    assign link_o[k] = route(link_source_i[k]);
    always_ff @(posedge clk_i)
      if (advance_i)
        link_q[k] <= link_i[k];
      else if (begin_i)
        link_q[k] <= '0;
  end
  for (genvar r = 0; r < 16; ++r) begin : g_reg
    if (r < int'(RouteRegs)) begin : g_on
      always_ff @(posedge clk_i)
        if (advance_i && reg_we_i && 32'(reg_i) == r)
          reg_q[r] <= route(reg_source_i);
        else if (begin_i)
          reg_q[r] <= '0;
    end else begin : g_off
      assign reg_q[r] = '0;
    end
  end
endmodule

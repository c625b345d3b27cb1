// What the operands of a slot take: the constants of its word and the launch arguments, those of
// the launch that each element works for, and by whether an iteration still takes an initial value,
// the choice of each operand.
//
// Of the slot that is looked up; with a launch latency that is the next one, and what array time needs
// of it is a register in the slot (loads_i).
module acis_choices
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::*;
(
  input  logic                    clk_i,
  input  logic                    loads_i,
  input  logic                    args_we_i,
  input  logic [3:0]              args_set_i,
  input  args_t                   args_i,

  // The slot that is looked up
  input  slot_record_t            word_i,
  input  address_record_t         address_i[3],
  input  pe_record_t              port_i,
  input  operand_t [NumInputs-1:0] operand_i,
  input  stage_t                  info_i[7],       // of each element
  input  logic                    wide_i,
  input  logic [3:0]              routing_set_i,   // of arguments, for links and routing registers
  output choice_t [2:0]           look_o,          // of the indices of both reads and of the write
  output logic [2:0][63:0]        begins_o,        // arguments of the addresses
  output logic [31:0]             write_arg_o,     // of the memory port
  output logic [1:0]              initial_o,       // reads take an initial value as their index

  // The slot at hand
  output choice_t [NumInputs-1:0] choice_o,
  output logic [63:0]             identity_o,
  output logic [1:0][63:0]        routing_o,

  // Memory reads that begin
  input  logic [3:0]              fetch_set_i,
  input  logic [ArgBits-1:0]      fetch_index_i,
  output logic [31:0]             fetch_arg_o
);
  localparam int unsigned Fu = 0, Rd0 = 1, Rd1 = 2, Wr = 3, MOut = 5, Push = 6, Routing = 7;
  args_t args_q[ArgSets];
  always_ff @(posedge clk_i)
    if (args_we_i)
      args_q[args_set_i] <= args_i;
  args_t args[8], fetch_args;           // by element; the last are those of links and registers
  for (genvar s = 0; s < 8; ++s) begin : g_args
    assign args[s] = args_q[s == int'(Routing) ? routing_set_i : info_i[s % 7].argSet];
  end
  assign fetch_args = args_q[fetch_set_i];
  assign fetch_arg_o = fetch_args[fetch_index_i];
  assign write_arg_o = args[MOut][ArgBits'(port_i.memOut_arg)];
  // An argument, or another value if none is named. Of few each look-up table of four inputs takes two, as in
  // acis_pick.
  function automatic logic [31:0] argument(logic [5:0] arg, args_t values, logic [31:0] otherwise);
    logic [31:0] chosen;
    chosen = values[ArgBits'(arg)];
    if (Arguments == 8) begin
      chosen = arg[2:1] != '0 ? {32{arg[0]}} : arg[0] ? values[1] : values[0];
      for (int p = 1; p < 4; ++p)
        if (arg[2:1] == 2'(p))
          chosen = (chosen & values[2*p + 1]) | (~chosen & values[2*p]);
    end
    return arg == '1 ? otherwise : chosen;
  endfunction
  function automatic logic [63:0] begins(logic [5:0] arg, args_t values);
    logic [31:0] value;
    value = argument(arg, values, '0);
    return {{32{value[31]}}, value};
  endfunction
  assign begins_o = {begins(address_i[2].arg, args[Wr]), begins(address_i[1].arg, args[Rd1]),
                     begins(address_i[0].arg, args[Rd0])};

  // The constants of the slot, for a pair of lanes
  logic wide_type;
  logic [7:0][1:0][63:0] constants;
  assign wide_type = word_i.type_ == TypeI64
                  || word_i.type_ == TypeF64;
  function automatic logic [63:0] constant(logic [63:0] value, logic [5:0] arg, args_t values);
    logic [63:0] v;
    v = {value[63:32], argument(arg, values, value[31:0])};
    if (arg != '1)
      v[63:32] = wide_type && wide_i ? values[ArgBits'(arg + 6'd1)] : '0;
    return wide_i ? v : {2{v[31:0]}};
  endfunction
  for (genvar s = 0; s < 8; ++s) begin : g_constant
    assign constants[s] = {constant(word_i.imm_1, word_i.immArg_1, args[s]),
                           constant(word_i.imm_0, word_i.immArg_0, args[s])};
  end

  function automatic logic initially(operand_t which, stage_t stage);
    return which.first == FirstOfRow ? stage.row : stage.early < which.first;
  endfunction
  assign initial_o = {initially(operand_i[InRead1], info_i[Rd1]),
                      initially(operand_i[InRead0], info_i[Rd0])};
  // Of each operand, the element that takes it.
  localparam logic [NumInputs-1:0][2:0] Takes =
      {{2{3'(Push)}}, {2{3'(MOut)}}, {3{3'(Wr)}}, 3'(Rd1), 3'(Rd0), {3{3'(Fu)}}};
  choice_t [NumInputs-1:0] look;
  assign look_o = {look[InIndex], look[InRead1], look[InRead0]};
  for (genvar i = 0; i < int'(NumInputs); ++i) begin : g_choice
    // An element that one operand alone takes needs one of the two constants.
    localparam bit Alone = i == int'(InRead0) || i == int'(InRead1);
    logic initial_, second;
    logic [63:0] value;
    assign initial_ = initially(operand_i[i], info_i[Takes[i]]);
    assign second = initial_ ? operand_i[i].init : operand_i[i].source[0];
    assign look[i] = '{fixed: initial_ || operand_i[i].source[4:1] == 4'd3,
                         past: operand_i[i].delay != '0, value: value};
    if (Alone) begin : g_one
      assign value = constant(second ? word_i.imm_1 : word_i.imm_0,
                              second ? word_i.immArg_1 : word_i.immArg_0, args[Takes[i]]);
    end else begin : g_two
      assign value = constants[Takes[i]][second];
    end
  end

  if (LaunchLatency != 0) begin : g_ahead
    choice_t [NumInputs-1:0] choice_q;
    logic [63:0] identity_q;
    logic [1:0][63:0] routing_q;
    always_ff @(posedge clk_i)
      if (loads_i) begin
        choice_q <= look;
        identity_q <= constants[Fu][1];
        routing_q <= constants[Routing];
      end
    assign choice_o = choice_q;
    assign identity_o = identity_q;
    assign routing_o = routing_q;
  end else begin : g_direct
    assign choice_o = look;
    assign identity_o = constants[Fu][1];
    assign routing_o = constants[Routing];
    logic unused;
    assign unused = loads_i;
  end
endmodule

// A vector instruction as a context of one slot: the words that a PE of its mask sees, and
// what the sequencer has to know of it. runtime/engine/loader/VectorContext.cpp says the same.
//
// Loads and stores run beside the grid and have no slot; only their registers are of
// interest. Combinational.
module acis_vector
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::*;
#(
  parameter bit AsLoop = 1'b1,   // who asks wants the first two, else they are 0,
  parameter bit AsSlot = 1'b1    // and the others
) (
  input  vec_t            vec_i,
  output loop_record_t    loop_o,
  output loop_extra_t     extra_o,
  output slot_record_t    slot_o,
  output address_record_t address_o[3]   // vd or spvacc's vs2, vs2 or spvacc's vd, vs1
);
  localparam int unsigned VregBeats = VrfBeats / NumVregs;
  localparam int unsigned Late = InputLatency;           // until what is read is a source
  localparam int unsigned Indexed = Late + IndexLatency;   // until it is an index
  localparam int unsigned Distance = Late + LatencyFloat;  // from the reads of spvacc to its write
  localparam bit Interlockable = Distance + 1 <= Interlocks;

  // Registers from `first` on that hold `beats`
  function automatic logic [31:0] group(logic [4:0] first, logic [15:0] beats);
    logic [31:0] registers;
    registers = (32'(beats) + VregBeats - 32'd1) / VregBeats;
    return (registers >= 32'd32 ? '1 : (32'd1 << registers) - 32'd1) << first;
  endfunction
  function automatic address_record_t walk(logic [4:0] first, logic [15:0] beats, logic whole);
    address_record_t record;
    record = '0;
    record.base = 16'(32'(first) * VregBeats);
    record.limit = beats;
    record.stride1 = whole ? 16'd0 : 16'd1;
    record.arg = '1;
    return record;
  endfunction

  logic wide, sparse, isFloat;
  logic [7:0] latency;
  logic [2:0] integer_type;
  assign wide = HasWide && vec_i.sew == 2'd3;
  assign sparse = vec_i.kind == VecSpvaccXv || vec_i.kind == VecSpvaccVx;
  assign isFloat = sparse || vec_i.op >= acis_isa_pkg::OpFadd;
  assign latency = 8'(isFloat ? LatencyFloat : LatencyInteger);
  logic [15:0] beats;              // sparse accumulation: the whole group
  assign beats = sparse ? 16'(VregBeats << vec_i.lmul) : vec_i.beats;
  assign integer_type = {1'b0, vec_i.sew};

  loop_record_t loop;
  loop_extra_t extra;
  slot_record_t slot;
  address_record_t address[3];
  always_comb begin
    address[0] = walk(sparse ? vec_i.vs2 : vec_i.vd, beats, sparse);
    address[1] = walk(sparse ? vec_i.vd : vec_i.vs2, beats, sparse);
    address[2] = walk(vec_i.vs1, beats, 1'b0);
    if (vec_i.kind == VecSpvaccXv) begin
      address[0].indexed = 1'b1;
      address[0].zeroOutside = 1'b1;
    end
    if (vec_i.kind == VecSpvaccVx) begin
      address[1].indexed = 1'b1;
      address[1].zeroOutside = 1'b1;
      address[0].arg = '0;
    end

    slot = '0;
    slot.type_ = TypeI32;
    slot.from = TypeI32;
    slot.immArg_0 = '1;
    slot.immArg_1 = '1;
    slot.result = '1;
    case (vec_i.kind)
      VecMove: begin
        slot.imm_0 = {{32{wide & vec_i.scalar[31]}}, vec_i.scalar};
        slot.write_on = 1'b1;
        slot.write_data_source = SourceImm0;
      end
      VecBinary: begin
        slot.op = vec_i.op;
        slot.stage = 8'(Late);
        slot.type_ = isFloat ? (wide ? TypeF64 : TypeF32)
                               : integer_type;
        slot.read_0_on = 1'b1;
        slot.read_0_address = 8'd1;
        slot.a_source = SourceVrf0;
        if (vec_i.scalarOperand) begin
          slot.imm_0 = {{32{wide & vec_i.scalar[31]}}, vec_i.scalar};
          slot.b_source = SourceImm0;
        end else begin
          slot.read_1_on = 1'b1;
          slot.read_1_address = 8'd2;
          slot.b_source = SourceVrf1;
        end
        slot.write_on = 1'b1;
        slot.write_stage = 8'(Late) + latency;
        slot.write_data_source = SourceRes;
      end
      VecStreamOut: begin
        slot.read_0_on = 1'b1;
        slot.read_0_address = 8'd1;
        slot.streamOut_on = 1'b1;
        slot.streamOut_stage = 8'(Late);
        slot.streamOut_data_source = SourceVrf0;
      end
      VecSpvaccXv, VecSpvaccVx: begin
        slot.read_0_on = 1'b1;
        slot.read_0_stage = 8'(Indexed);
        slot.read_0_address = 8'd0;
        slot.read_1_on = 1'b1;
        slot.read_1_stage = 8'(Indexed);
        slot.read_1_address = 8'd1;
        if (vec_i.kind == VecSpvaccXv) begin
          slot.read_0_index_source = SourceStreamIn;
        end else begin
          slot.read_1_index_source = SourceStreamIn;
          slot.write_index_source = SourceStreamIn;
          slot.write_index_delay = 8'(Distance);
        end
        slot.op = acis_isa_pkg::OpFadd;
        slot.stage = 8'(Indexed + Late);
        slot.type_ = wide ? TypeF64 : TypeF32;
        slot.a_source = SourceVrf1;
        slot.b_source = SourceVrf0;
        slot.write_on = 1'b1;
        slot.write_address = 8'd1;
        slot.write_stage = 8'(Indexed + Distance);
        slot.write_data_source = SourceRes;
        slot.write_interlock = Interlockable;
      end
      default: ;
    endcase

    loop = '0;
    loop.ii = 16'd1;
    loop.stages = 16'd1 + (slot.write_on ? 16'(slot.write_stage) : 16'(slot.streamOut_stage));
    loop.innerCount = 16'd1;
    loop.laneBits = wide ? 8'd64 : 8'd32;
    loop.streamIn_on = sparse;
    loop.streamIn_format_bytes = wide ? 4'd8 : 4'd4;
    loop.streamIn_arg = 5'd1;
    loop.streamOut_on = vec_i.kind == VecStreamOut;
    loop.streamOut_format_bytes = 4'd1 << vec_i.sew;
    case (vec_i.kind)
      VecLoad: loop.vregsWritten = group(vec_i.vd, beats);
      VecStore: loop.vregsRead = group(vec_i.vd, beats);
      VecMove: loop.vregsWritten = group(vec_i.vd, beats);
      VecBinary: begin
        loop.vregsRead = group(vec_i.vs2, beats)
                         | (vec_i.scalarOperand ? '0 : group(vec_i.vs1, beats));
        loop.vregsWritten = group(vec_i.vd, beats);
      end
      VecStreamOut: loop.vregsRead = group(vec_i.vs2, beats);
      default: begin
        loop.vregsRead = group(vec_i.vs2, beats) | group(vec_i.vd, beats);
        loop.vregsWritten = group(vec_i.vd, beats);
      end
    endcase
    extra = '0;
    extra.popsPerIteration = 16'(sparse);
    extra.pushesPerIteration = 16'(vec_i.kind == VecStreamOut);
    extra.interval = sparse && !Interlockable ? 16'(Distance) + 16'd1 : 16'd1;
    extra.overlaps = !sparse && (loop.vregsRead & loop.vregsWritten) == '0;
  end

  assign {loop_o, extra_o} = AsLoop ? {loop, extra} : '0;
  assign slot_o = AsSlot ? slot : '0;
  for (genvar a = 0; a < 3; ++a) begin : g_address
    assign address_o[a] = AsSlot ? address[a] : '0;
  end
endmodule

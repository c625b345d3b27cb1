// A vector instruction as a context of one slot: the words that a PE of its mask sees, and
// what the sequencer has to know of it. runtime/engine/loader/VectorContext.cpp says the same.
//
// Loads and stores run beside the grid and have no slot; only their registers are of
// interest. Combinational.
module acis_vector
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::*;
(
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

  always_comb begin
    address_o[0] = walk(sparse ? vec_i.vs2 : vec_i.vd, beats, sparse);
    address_o[1] = walk(sparse ? vec_i.vd : vec_i.vs2, beats, sparse);
    address_o[2] = walk(vec_i.vs1, beats, 1'b0);
    if (vec_i.kind == VecSpvaccXv) begin
      address_o[0].indexed = 1'b1;
      address_o[0].zeroOutside = 1'b1;
    end
    if (vec_i.kind == VecSpvaccVx) begin
      address_o[1].indexed = 1'b1;
      address_o[1].zeroOutside = 1'b1;
      address_o[0].arg = '0;
    end

    slot_o = '0;
    slot_o.type_ = TypeI32;
    slot_o.from = TypeI32;
    slot_o.immArg_0 = '1;
    slot_o.immArg_1 = '1;
    slot_o.result = '1;
    case (vec_i.kind)
      VecMove: begin
        slot_o.imm_0 = {{32{wide & vec_i.scalar[31]}}, vec_i.scalar};
        slot_o.write_on = 1'b1;
        slot_o.write_data_source = SourceImm0;
      end
      VecBinary: begin
        slot_o.op = vec_i.op;
        slot_o.stage = 8'(Late);
        slot_o.type_ = isFloat ? (wide ? TypeF64 : TypeF32)
                               : integer_type;
        slot_o.read_0_on = 1'b1;
        slot_o.read_0_address = 8'd1;
        slot_o.a_source = SourceVrf0;
        if (vec_i.scalarOperand) begin
          slot_o.imm_0 = {{32{wide & vec_i.scalar[31]}}, vec_i.scalar};
          slot_o.b_source = SourceImm0;
        end else begin
          slot_o.read_1_on = 1'b1;
          slot_o.read_1_address = 8'd2;
          slot_o.b_source = SourceVrf1;
        end
        slot_o.write_on = 1'b1;
        slot_o.write_stage = 8'(Late) + latency;
        slot_o.write_data_source = SourceRes;
      end
      VecStreamOut: begin
        slot_o.read_0_on = 1'b1;
        slot_o.read_0_address = 8'd1;
        slot_o.streamOut_on = 1'b1;
        slot_o.streamOut_stage = 8'(Late);
        slot_o.streamOut_data_source = SourceVrf0;
      end
      VecSpvaccXv, VecSpvaccVx: begin
        slot_o.read_0_on = 1'b1;
        slot_o.read_0_stage = 8'(Indexed);
        slot_o.read_0_address = 8'd0;
        slot_o.read_1_on = 1'b1;
        slot_o.read_1_stage = 8'(Indexed);
        slot_o.read_1_address = 8'd1;
        if (vec_i.kind == VecSpvaccXv) begin
          slot_o.read_0_index_source = SourceStreamIn;
        end else begin
          slot_o.read_1_index_source = SourceStreamIn;
          slot_o.write_index_source = SourceStreamIn;
          slot_o.write_index_delay = 8'(Distance);
        end
        slot_o.op = acis_isa_pkg::OpFadd;
        slot_o.stage = 8'(Indexed + Late);
        slot_o.type_ = wide ? TypeF64 : TypeF32;
        slot_o.a_source = SourceVrf1;
        slot_o.b_source = SourceVrf0;
        slot_o.write_on = 1'b1;
        slot_o.write_address = 8'd1;
        slot_o.write_stage = 8'(Indexed + Distance);
        slot_o.write_data_source = SourceRes;
        slot_o.write_interlock = Interlockable;
      end
      default: ;
    endcase

    loop_o = '0;
    loop_o.ii = 16'd1;
    loop_o.stages = 16'd1 + (slot_o.write_on ? 16'(slot_o.write_stage) : 16'(slot_o.streamOut_stage));
    loop_o.innerCount = 16'd1;
    loop_o.laneBits = wide ? 8'd64 : 8'd32;
    loop_o.streamIn_on = sparse;
    loop_o.streamIn_format_bytes = wide ? 4'd8 : 4'd4;
    loop_o.streamIn_arg = 5'd1;
    loop_o.streamOut_on = vec_i.kind == VecStreamOut;
    loop_o.streamOut_format_bytes = 4'd1 << vec_i.sew;
    case (vec_i.kind)
      VecLoad: loop_o.vregsWritten = group(vec_i.vd, beats);
      VecStore: loop_o.vregsRead = group(vec_i.vd, beats);
      VecMove: loop_o.vregsWritten = group(vec_i.vd, beats);
      VecBinary: begin
        loop_o.vregsRead = group(vec_i.vs2, beats)
                         | (vec_i.scalarOperand ? '0 : group(vec_i.vs1, beats));
        loop_o.vregsWritten = group(vec_i.vd, beats);
      end
      VecStreamOut: loop_o.vregsRead = group(vec_i.vs2, beats);
      default: begin
        loop_o.vregsRead = group(vec_i.vs2, beats) | group(vec_i.vd, beats);
        loop_o.vregsWritten = group(vec_i.vd, beats);
      end
    endcase
    extra_o = '0;
    extra_o.popsPerIteration = 16'(sparse);
    extra_o.pushesPerIteration = 16'(vec_i.kind == VecStreamOut);
    extra_o.interval = sparse && !Interlockable ? 16'(Distance) + 16'd1 : 16'd1;
    extra_o.overlaps = !sparse && (loop_o.vregsRead & loop_o.vregsWritten) == '0;
  end
endmodule

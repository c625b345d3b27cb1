// A vector instruction in the one form that each has (vec_t), and whether it can be done at all
// with the vector state at hand. Combinational; only what is one (valid_o) means anything.
module acis_vector_decode
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::*;
(
  input  logic [31:0] word_i,
  input  logic [31:0] a_i,              // scalar operand

  // Vector state
  input  logic [31:0] vl_i,
  input  logic [1:0]  sew_i,
  input  logic [2:0]  lmul_i,
  input  logic [31:0] vpemask_i,
  input  logic [31:0] vpestride_i,
  input  logic        pending_i,        // a streamout.v goes on with the PEs in left_i
  input  logic [31:0] left_i,

  output logic        valid_o,
  output vec_t        vec_o,
  output logic        sparse_o,
  output logic        error_o,
  output logic [31:0] iterations_o,     // beats that vl reaches
  output logic [LaneBits-1:0] tail_o,   // elements in the last of them, 0: all

  // PEs: a streamout.v is a launch for each
  output logic        none_o,           // no PE is left
  output logic        last_o,           // this launch is the last
  output logic [31:0] rest_o            // PEs behind it
);
  localparam logic [31:0] PeMask = NumPes >= 32 ? '1 : (32'd1 << NumPes) - 32'd1;
  function automatic logic is(logic [31:0] mask, logic [31:0] match);
    return (word_i & mask) == match;
  endfunction
  logic [6:0] opcode;
  logic [2:0] funct3;
  logic wide, binary, isFloat;
  logic [31:0] mask, pe, element, stride;
  assign stride = PeMemory != '0 ? vpestride_i : '0;   // without a port there are no loads and stores
  assign opcode = word_i[6:0];
  assign funct3 = word_i[14:12];
  assign wide = HasWide && sew_i == 2'd3;
  assign valid_o = HasVector && (opcode == 7'h07 || opcode == 7'h27 || opcode == 7'h5b
                || (opcode == 7'h57 && funct3 != 3'd7) || is(StreamoutVMask, StreamoutVMatch));
  assign iterations_o = (vl_i + 32'(vfOf(wide)) - 32'd1) / (wide ? Lanes / 2 : Lanes);
  assign tail_o = LaneBits'(vl_i % (wide ? Lanes / 2 : Lanes));

  assign mask = (pending_i ? left_i : vpemask_i) & PeMask;
  // The lowest bit of the mask and the others, by a carry chain
  assign rest_o = mask & (mask - 32'd1);
  assign pe = mask & ~(mask - 32'd1);
  always_comb begin
    vec_o = '0;
    vec_o.sew = sew_i;
    vec_o.lmul = lmul_i;
    vec_o.mask = vpemask_i & PeMask;
    vec_o.vd = word_i[11:7];
    vec_o.vs1 = '0;
    vec_o.vs2 = word_i[24:20];
    element = a_i;
    if (is(VmvVIMask, VmvVIMatch))
      element = {{27{word_i[19]}}, word_i[19:15]};
    if (sew_i == 2'd0)
      element &= 32'hff;
    if (sew_i == 2'd1)
      element &= 32'hffff;
    vec_o.beats = 16'(iterations_o);
    if (opcode == 7'h5b && funct3 == 3'd2) begin
      vec_o.kind = VecLoad;
      vec_o.vs2 = '0;
      vec_o.stride = stride;
      vec_o.splat = 1'b1;
      vec_o.eew = 4'd1 << word_i[26:25];
    end else if (opcode == 7'h07 || opcode == 7'h27) begin
      vec_o.kind = opcode == 7'h07 ? VecLoad : VecStore;
      vec_o.vs2 = '0;
      vec_o.stride = stride;
      case (funct3)
        3'd0: vec_o.eew = 4'd1;
        3'd5: vec_o.eew = 4'd2;
        3'd6: vec_o.eew = 4'd4;
        default: vec_o.eew = 4'd8;
      endcase
    end else if (is(VmvVIMask, VmvVIMatch) || is(VmvVXMask, VmvVXMatch)) begin
      vec_o.kind = VecMove;
      vec_o.vs2 = '0;
      vec_o.scalar = element;
    end else if (is(StreamoutVMask, StreamoutVMatch)) begin
      vec_o.kind = VecStreamOut;
      vec_o.vd = '0;
      vec_o.mask = pe;
    end else if (opcode == 7'h5b) begin
      vec_o.kind = funct3 == 3'd0 ? VecSpvaccXv : VecSpvaccVx;
      vec_o.beats = '0;
    end else begin
      vec_o.kind = VecBinary;
      if (is(VaddVxMask, VaddVxMatch) || is(VmulVxMask, VmulVxMatch)) begin
        vec_o.scalarOperand = 1'b1;
        vec_o.scalar = element;
      end else begin
        vec_o.vs1 = word_i[19:15];
      end
      vec_o.op = is(VaddVvMask, VaddVvMatch) || is(VaddVxMask, VaddVxMatch) ? OpAdd
               : is(VmulVvMask, VmulVvMatch) || is(VmulVxMask, VmulVxMatch) ? OpMul
               : is(VfaddVvMask, VfaddVvMatch) ? OpFadd : OpFmul;
    end
  end

  // LMUL divides the number of registers, so a group that begins at a multiple of it ends in them.
  function automatic logic badGroup(logic [4:0] first, logic [2:0] lmul);
    return (first & 5'((32'd1 << lmul) - 32'd1)) != '0;
  endfunction
  assign sparse_o = vec_o.kind == VecSpvaccXv || vec_o.kind == VecSpvaccVx;
  assign binary = vec_o.kind == VecBinary;
  assign isFloat = sparse_o || (binary && vec_o.op >= OpFadd);
  logic [31:0] missing;            // PEs of the mask that cannot do it
  always_comb begin
    missing = '0;
    for (int p = 0; p < int'(NumPes) && p < 32; ++p)
      if (!PeVrf[p] || (vec_o.kind inside {VecLoad, VecStore} && !PeMemory[p])
          || (isFloat && !PeFloat[p]) || (binary && !isFloat && !PeInteger[p])
          || (wide && (isFloat || binary) && !PeWide[p]) || (sparse_o && !PeGather[p]))
        missing[p] = 1'b1;
    error_o = (vec_o.kind inside {VecLoad, VecStore} && vec_o.eew == 4'd8 && !wide)
        || (isFloat && !sew_i[1])
        || (sparse_o && (OperandDelay <= InputLatency + LatencyFloat || vec_o.vd == vec_o.vs2))
        || (vec_o.kind != VecStreamOut && badGroup(vec_o.vd, lmul_i))
        || (!(vec_o.kind inside {VecLoad, VecStore, VecMove}) && badGroup(vec_o.vs2, lmul_i))
        || (binary && !vec_o.scalarOperand && badGroup(vec_o.vs1, lmul_i))
        || (vl_i != '0 && (vpemask_i & PeMask & missing) != '0);
  end
  assign none_o = mask == '0;
  assign last_o = vec_o.kind != VecStreamOut || rest_o == '0;
endmodule

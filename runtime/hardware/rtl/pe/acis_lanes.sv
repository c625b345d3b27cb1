// Operations that move values between lanes or make them from the lane number: iota,
// lane, slide. The result goes through the integer unit as a `mov`, which cuts it to the
// width of the type and gives it the unit's latency.
//
// Combinational.
module acis_lanes
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::op_e;
(
  input  logic [6:0]  op_i,
  input  logic        wide_i,
  input  logic        scalar_i,
  input  logic [31:0] iteration_i,
  input  logic [LaneBits-1:0] k_i,       // lane number, or distance of the slide
  input  beat_t       a_i,
  input  beat_t       b_i,
  output logic [6:0]  op_o,
  output beat_t       a_o
);
  localparam int unsigned Half = Lanes / 2;
  logic [2*BeatBits-1:0] slid;
  logic [LaneBits+1:0] words;   // of 32 bits to the right; past all of them if k_i is too large
  logic unused;
  assign unused = ^slid[2*BeatBits-1:BeatBits];
  always_comb begin
    words = (LaneBits+2)'(wide_i ? Half : Lanes) - (LaneBits+2)'(k_i);
    slid = {a_i, b_i} >> {wide_i ? words << 1 : words, 5'd0};
    op_o = op_i;
    a_o = a_i;
    case (op_i)
      acis_isa_pkg::OpIota: begin
        op_o = acis_isa_pkg::OpMov;
        for (int l = 0; l < int'(Lanes); ++l)
          if (!wide_i)
            a_o[l*32 +: 32] = (scalar_i ? iteration_i : iteration_i << $clog2(Lanes)) + 32'(l);
          else if (l < int'(Half))
            a_o[l*64 +: 64] = (64'(iteration_i) << (scalar_i ? 0 : $clog2(Half))) + 64'(l);
      end
      acis_isa_pkg::OpLane: begin
        op_o = acis_isa_pkg::OpMov;
        a_o = broadcast(wide_i, wide_i ? a_i[(32'(k_i) % Half)*64 +: 64]
                                       : {32'd0, a_i[(32'(k_i) % Lanes)*32 +: 32]});
      end
      acis_isa_pkg::OpSlide: begin
        op_o = acis_isa_pkg::OpMov;
        a_o = slid[BeatBits-1:0];
      end
      default: ;
    endcase
  end
endmodule

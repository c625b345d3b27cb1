// A bank of a copy of the register file: 32 bits by Beats, a read and a write port. Both work at the
// edge; a read finds what was there before it. Every kind of memory block can be this. Synthesis takes
// an attribute's value as a text only from a parameter that is one.
module acis_vrf_copy #(
  parameter int unsigned Beats = 4096,
  parameter string       Ram   = "ultra",   // auto, distributed, block or ultra
  localparam int unsigned Bits = $clog2(Beats)
) (
  input  logic            clk_i,
  input  logic            read_i,           // else data_o stays
  input  logic [Bits-1:0] read_beat_i,
  output logic [31:0]     data_o,
  input  logic            write_i,
  input  logic [Bits-1:0] write_beat_i,
  input  logic [31:0]     data_i
);
  (* ram_style = Ram *) logic [31:0] mem [Beats];
  always_ff @(posedge clk_i) begin
    if (write_i)
      mem[write_beat_i] <= data_i;
    if (read_i)
      data_o <= mem[read_beat_i];
  end
endmodule

// A bank of the register file: 32 bits by Beats, two ports, each reads or writes at an edge.
// A port that writes keeps what it read last.
module acis_vrf_bank #(
  parameter int unsigned Beats = 4096,
  parameter string       Ram   = "ultra",   // auto, block or ultra
  localparam int unsigned Bits = $clog2(Beats)
) (
  input  logic            clk_i,
  input  logic            en_a_i,
  input  logic            we_a_i,
  input  logic [Bits-1:0] beat_a_i,
  input  logic [31:0]     data_a_i,
  output logic [31:0]     data_a_o,
  input  logic            en_b_i,
  input  logic            we_b_i,
  input  logic [Bits-1:0] beat_b_i,
  input  logic [31:0]     data_b_i,
  output logic [31:0]     data_b_o
);
  (* ram_style = Ram *) logic [31:0] mem [Beats];
  always_ff @(posedge clk_i)
    if (en_a_i) begin
      if (we_a_i)
        mem[beat_a_i] <= data_a_i;
      else
        data_a_o <= mem[beat_a_i];
    end
  always_ff @(posedge clk_i)
    if (en_b_i) begin
      if (we_b_i)
        mem[beat_b_i] <= data_b_i;
      else
        data_b_o <= mem[beat_b_i];
    end
endmodule

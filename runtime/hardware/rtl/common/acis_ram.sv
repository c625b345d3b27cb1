// A memory with a read and a write port, which every kind of memory block can be: both work at the edge, and
// a read finds what was there before it. Where blocks read anything then, synthesis adds what keeps them
// apart, unless no read meets a write (Apart). It takes an attribute's value as a text only from a parameter
// that is one.
module acis_ram #(
  parameter int unsigned Width = 32,
  parameter int unsigned Rows  = 4096,
  parameter string       Ram   = "ultra",   // auto, distributed, block or ultra
  parameter bit          Apart = 1'b0,      // no read is of the row that is written in its cycle
  localparam int unsigned Bits = $clog2(Rows)
) (
  input  logic             clk_i,
  input  logic             read_i,          // else data_o stays
  input  logic [Bits-1:0]  read_at_i,
  output logic [Width-1:0] data_o,
  input  logic             write_i,
  input  logic [Bits-1:0]  write_at_i,
  input  logic [Width-1:0] data_i
);
  (* ram_style = Ram, no_rw_check = Apart *) logic [Width-1:0] mem [Rows];
  always_ff @(posedge clk_i) begin
    if (write_i)
      mem[write_at_i] <= data_i;
    if (read_i)
      data_o <= mem[read_at_i];
  end
endmodule

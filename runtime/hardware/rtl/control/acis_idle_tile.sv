// Idle tile control (000 section 4.3.2): watches the register that says which tile is at hand.
// When a packet needs a later one, the control flow advances by the difference at once, and
// the tiles between them, which have nothing to do, are skipped. Counts what that saved.
module acis_idle_tile (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        advance_i,     // the instruction that reads the packet's tile retires
  input  logic [31:0] current_i,     // tile at hand
  input  logic [31:0] required_i,    // tile that the packet needs
  output logic [31:0] skipped_o,     // tiles between them; 0 if the packet needs no later one
  output logic [31:0] total_o        // since reset
);
  assign skipped_o = required_i > current_i ? required_i - current_i : '0;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni)
      total_o <= '0;
    else if (advance_i)
      total_o <= total_o + skipped_o;
endmodule

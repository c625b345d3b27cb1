// What is on the device of a board with an ECP5: the switch, the MAC and the clock of the array. The MAC's other
// clock comes with what the network sends.
module acis_ecp5 #(
  parameter int unsigned Bytes = 16,     // of a beat
  // The array's clock is the oscillator's by ClkiDiv, times ClkfbDiv; the PLL's own is that times ClkopDiv.
  parameter int unsigned ClkiDiv = 2,
  parameter int unsigned ClkfbDiv = 1,
  parameter int unsigned ClkopDiv = 12
) (
  input  logic       clk_i,              // the oscillator's
  input  logic       rst_ni,
  output logic       running_no,         // an LED that a low level lights

  input  logic       rgmii_rx_clk_i,
  input  logic       rgmii_rx_ctl_i,
  input  logic [3:0] rgmii_rx_data_i,
  output logic       rgmii_tx_clk_o,
  output logic       rgmii_tx_ctl_o,
  output logic [3:0] rgmii_tx_data_o,
  output logic       rgmii_rst_no
);
  logic clk, locked;
  EHXPLLL #(
    .CLKI_DIV(ClkiDiv), .CLKFB_DIV(ClkfbDiv), .CLKOP_DIV(ClkopDiv), .CLKOP_ENABLE("ENABLED"),
    .CLKOP_CPHASE(ClkopDiv - 1), .CLKOP_FPHASE(0), .FEEDBK_PATH("CLKOP"), .OUTDIVIDER_MUXA("DIVA"),
    .PLLRST_ENA("DISABLED"), .INTFB_WAKE("DISABLED"), .STDBY_ENABLE("DISABLED"), .DPHASE_SOURCE("DISABLED")
  ) u_pll (
    .CLKI(clk_i), .CLKFB(clk), .CLKOP(clk), .LOCK(locked), .RST(1'b0), .STDBY(1'b0), .PHASESEL0(1'b0),
    .PHASESEL1(1'b0), .PHASEDIR(1'b0), .PHASESTEP(1'b0), .PHASELOADREG(1'b0), .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0)
  );

  // The reset ends a few cycles behind the lock, at an edge of the clock.
  logic [3:0] reset_q;
  logic starts;
  assign starts = rst_ni && locked;
  always_ff @(posedge clk or negedge starts)
    if (!starts)
      reset_q <= '0;
    else
      reset_q <= {reset_q[2:0], 1'b1};

  logic running, rx_valid, rx_last, tx_valid, tx_ready, tx_last;
  logic [Bytes*8-1:0] rx_data, tx_data;
  logic [Bytes-1:0] rx_last_be, rx_error, tx_last_be;
  acis_mac u_mac (
    .clk_i(clk), .rst_ni(reset_q[3]), .rgmii_rx_clk_i, .rgmii_rx_ctl_i, .rgmii_rx_data_i, .rgmii_tx_clk_o,
    .rgmii_tx_ctl_o, .rgmii_tx_data_o, .rgmii_rst_no, .rx_valid_o(rx_valid), .rx_data_o(rx_data),
    .rx_last_o(rx_last), .rx_last_be_o(rx_last_be), .rx_error_o(rx_error), .tx_valid_i(tx_valid),
    .tx_ready_o(tx_ready), .tx_data_i(tx_data), .tx_last_i(tx_last), .tx_last_be_i(tx_last_be)
  );
  acis_board u_board (
    .clk_i(clk), .rst_ni(reset_q[3]), .running_o(running), .rx_valid_i(rx_valid), .rx_data_i(rx_data),
    .rx_last_i(rx_last), .rx_last_be_i(rx_last_be), .rx_error_i(rx_error), .tx_valid_o(tx_valid),
    .tx_ready_i(tx_ready), .tx_data_o(tx_data), .tx_last_o(tx_last), .tx_last_be_o(tx_last_be)
  );
  assign running_no = !running;
endmodule

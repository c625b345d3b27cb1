// The MAC of a board between RGMII pins and the store of frames of acis_board, whose frames go back: each comes out as it
// went in, padded and with its check sequence, and one with a wrong check sequence does not. What delays pins does not here.
`timescale 1ns / 1ps
module DELAYG #(parameter DEL_MODE = "", parameter DEL_VALUE = 0) (input A, output Z);
  assign Z = A;
endmodule
module ODDRX1F(input D0, input D1, input SCLK, input RST, output Q);
  reg high_q, low_q;
  always @(posedge SCLK) {high_q, low_q} <= {D0, D1};
  assign Q = SCLK ? high_q : low_q;
endmodule
module IDDRX1F(input D, input SCLK, input RST, output reg Q0, output reg Q1);
  reg rose_q, fell_q;
  always @(negedge SCLK) fell_q <= D;
  always @(posedge SCLK) {rose_q, Q0, Q1} <= {D, rose_q, fell_q};
endmodule
module FD1S3BX(input CK, input D, input PD, output reg Q);
  always @(posedge CK or posedge PD)
    if (PD) Q <= 1'b1; else Q <= D;
endmodule

module mac_bench;
  localparam int Bytes = 16;
  typedef byte unsigned frame_t[$];
  logic clk = 1'b0, rst_n = 1'b0;
  always #10 clk = !clk;   // 50 MHz

  logic rx_clk = 1'b0, rx_ctl = 1'b0, tx_clk, tx_ctl, phy_rst_n;
  logic [3:0] rx_pins = '0, tx_pins;
  logic in_valid, in_last, out_valid, out_ready, out_last;
  logic [Bytes*8-1:0] in_data, out_data;
  logic [Bytes-1:0] in_last_be, in_error, out_keep;
  acis_mac u_mac (
    .clk_i(clk), .rst_ni(rst_n), .rgmii_rx_clk_i(rx_clk), .rgmii_rx_ctl_i(rx_ctl), .rgmii_rx_data_i(rx_pins),
    .rgmii_tx_clk_o(tx_clk), .rgmii_tx_ctl_o(tx_ctl), .rgmii_tx_data_o(tx_pins), .rgmii_rst_no(phy_rst_n),
    .rx_valid_o(in_valid), .rx_data_o(in_data), .rx_last_o(in_last), .rx_last_be_o(in_last_be), .rx_error_o(in_error),
    .tx_valid_i(out_valid), .tx_ready_o(out_ready), .tx_data_i(out_data), .tx_last_i(out_last),
    .tx_last_be_i(out_last ? out_keep & ~(out_keep >> 1) : '0)
  );
  acis_board_in #(.Bytes(Bytes), .Beats(128)) u_in (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(in_valid), .data_i(in_data), .last_i(in_last), .last_be_i(in_last_be),
    .error_i(in_error), .tvalid_o(out_valid), .tready_i(out_ready), .tdata_o(out_data), .tkeep_o(out_keep),
    .tlast_o(out_last)
  );

  function automatic logic [31:0] checked(frame_t frame);
    logic [31:0] crc = '1;
    for (int i = 0; i < frame.size(); ++i)
      for (int b = 0; b < 8; ++b)
        crc = crc >> 1 ^ (crc[0] ^ frame[i][b] ? 32'hedb88320 : 32'h0);
    return ~crc;
  endfunction

  // With preamble and check sequence, which has bits inverted.
  function automatic frame_t framed(frame_t frame, logic [31:0] inverted);
    frame_t whole = '{8'h55, 8'h55, 8'h55, 8'h55, 8'h55, 8'h55, 8'h55, 8'hd5};
    logic [31:0] check = checked(frame) ^ inverted;
    for (int i = 0; i < frame.size() + 4; ++i)
      whole.push_back(i < frame.size() ? frame[i] : check[(i - frame.size()) * 8 +: 8]);
    return whole;
  endfunction

  // A byte at both edges of the clock, the lower half at the first.
  task automatic put(input byte unsigned data, input logic on);
    {rx_ctl, rx_pins} = {on, data[3:0]};
    #2 rx_clk = 1'b1;
    #2 {rx_ctl, rx_pins} = {on, data[7:4]};
    #2 rx_clk = 1'b0;
    #2;
  endtask
  task automatic send(input frame_t frame);
    for (int i = 0; i < frame.size(); ++i)
      put(frame[i], 1'b1);
    repeat (400) put(8'h00, 1'b0);
  endtask

  // Frames that came back, from the byte behind the preamble on.
  frame_t came, back[$];
  logic was = 1'b0;
  byte unsigned part;
  always @(posedge tx_clk) #1 begin
    if (was && !tx_ctl) begin
      back.push_back(came);
      came = {};
    end
    was = tx_ctl;
    part[3:0] = tx_pins;
  end
  always @(negedge tx_clk) #1 begin
    part[7:4] = tx_pins;
    if (was) came.push_back(part);
  end

  int lengths[] = '{60, 61, 64, 79, 80, 81, 20, 700, 1514};
  initial begin
    automatic int wrong = 0;
    fork
      repeat (100) put(8'h00, 1'b0);
      #400 rst_n = 1'b1;
    join
    repeat (1000) put(8'h00, 1'b0);
    for (int n = 0; n < lengths.size(); ++n) begin
      automatic frame_t frame = {}, expected;
      for (int i = 0; i < lengths[n]; ++i)
        frame.push_back(8'(i * 7 + n * 31 + i / 256));
      send(framed(frame, 32'h1));   // is dropped
      send(framed(frame, 32'h0));
      repeat (2 * lengths[n] + 400) put(8'h00, 1'b0);
      while (frame.size() < 60)
        frame.push_back(8'h00);
      expected = framed(frame, 32'h0);
      if (back.size() != 1) begin
        $display("frame of %0d bytes: %0d came back", lengths[n], back.size());
        ++wrong;
      end else if (back[0] != expected) begin
        $display("frame of %0d bytes: another one of %0d came back, expected are %0d", lengths[n], back[0].size(), expected.size());
        ++wrong;
      end
      back = {};
    end
    $display("%0d frames, %0d wrong", lengths.size(), wrong);
    $finish;
  end
endmodule

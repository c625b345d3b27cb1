// Frames as the MAC gives them, which cannot wait: those that are wrong or found no room are dropped whole.
module acis_board_in #(
  parameter int unsigned Bytes = 16,
  parameter int unsigned Beats = 128      // of the store, and the most of a frame; a power of two
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  // The MAC
  input  logic               valid_i,
  input  logic [Bytes*8-1:0] data_i,
  input  logic               last_i,
  input  logic [Bytes-1:0]   last_be_i,   // the last byte, in the last beat
  input  logic [Bytes-1:0]   error_i,     // of bytes, in the last beat

  // Frames: AXI4-Stream
  output logic               tvalid_o,
  input  logic               tready_i,
  output logic [Bytes*8-1:0] tdata_o,
  output logic [Bytes-1:0]   tkeep_o,
  output logic               tlast_o
);
  logic room, lost_q, wrong;
  logic [Bytes-1:0] keep;
  // Every byte up to the last one
  assign keep = last_i && last_be_i != '0 ? last_be_i | (last_be_i - 1'b1) : '1;
  assign wrong = lost_q || !room || (error_i & keep) != '0;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni)
      lost_q <= 1'b0;
    else if (valid_i)
      lost_q <= !last_i && (lost_q || !room);

  acis_packet_fifo #(.Width(Bytes * 9 + 1), .Depth(Beats)) u_frames (
    .clk_i, .rst_ni, .in_valid_i(valid_i && room && !lost_q), .in_ready_o(room),
    .in_data_i({last_i, keep, data_i}), .commit_i(valid_i && last_i && !wrong),
    .drop_i(valid_i && last_i && wrong), .out_valid_o(tvalid_o), .out_ready_i(tready_i),
    .out_data_o({tlast_o, tkeep_o, tdata_o})
  );
endmodule

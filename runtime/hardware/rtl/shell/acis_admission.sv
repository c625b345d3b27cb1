// Lets packets go to the core: none while no run is on, at most limit_i in a run if that is
// not 0, and none after stop_i. A packet that has begun goes through.
module acis_admission #(
  parameter int unsigned Bytes = 64
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               start_i,          // a run starts: count from 0
  input  logic               run_i,
  input  logic               stop_i,
  input  logic               discard_i,        // the rest of the packet that has begun is thrown away
  input  logic [31:0]        limit_i,
  output logic [31:0]        admitted_o,
  output logic               closed_o,         // no packet will come any more in this run
  output logic               inside_o,         // a packet has begun

  input  logic               beat_valid_i,
  output logic               beat_ready_o,
  input  logic [Bytes*8-1:0] beat_data_i,
  input  logic               beat_last_i,
  output logic               core_valid_o,
  input  logic               core_ready_i,
  output logic [Bytes*8-1:0] core_data_o,
  output logic               core_last_o
);
  logic inside_q, opens, moves;
  logic [31:0] admitted_q;
  assign opens = run_i && !stop_i && (limit_i == '0 || admitted_q != limit_i);
  assign closed_o = !inside_q && (stop_i || (limit_i != '0 && admitted_q == limit_i));
  assign core_valid_o = beat_valid_i && (inside_q || opens) && !discard_i;
  assign beat_ready_o = discard_i ? inside_q : core_ready_i && (inside_q || opens);
  assign inside_o = inside_q;
  assign core_data_o = beat_data_i;
  assign core_last_o = beat_last_i;
  assign admitted_o = admitted_q;
  assign moves = beat_valid_i && beat_ready_o;

  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      {inside_q, admitted_q} <= '0;
    end else if (start_i) begin
      {inside_q, admitted_q} <= '0;
    end else if (moves) begin
      inside_q <= !beat_last_i;
      admitted_q <= admitted_q + 32'(!inside_q);
    end
endmodule

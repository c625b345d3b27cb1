// The memory of a board that has none but the device's blocks: one for all ports of the shell, a burst at a
// time, and beside them a port of single reads for the setup.
//
// It is routed with a pattern that occurs nowhere else, by which the tool that exchanges memory contents in a
// routed design finds it (image.py).
`include "acis_assert.svh"

module acis_board_memory #(
  parameter int unsigned Bytes = 16,          // of a beat
  parameter int unsigned Ports = 1,
  parameter int unsigned Beats = 4096,        // a power of two
  parameter string       Image = "build/ecp5/pattern.hex",   // a beat a line
  localparam int unsigned Bits = Bytes * 8
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  // A beat for the setup: after two cycles at least
  input  logic                        read_i,
  input  logic [$clog2(Beats)-1:0]    read_at_i,
  output logic                        read_o,        // read_data_o is what was asked for
  output logic [Bits-1:0]             read_data_o,

  // AXI4, by port; addresses wrap at the end
  input  logic [Ports-1:0]            arvalid_i,
  output logic [Ports-1:0]            arready_o,
  input  logic [Ports-1:0][63:0]      araddr_i,
  input  logic [Ports-1:0][7:0]       arlen_i,
  output logic [Ports-1:0]            rvalid_o,
  input  logic [Ports-1:0]            rready_i,
  output logic [Bits-1:0]             rdata_o,
  output logic                        rlast_o,
  input  logic [Ports-1:0]            awvalid_i,
  output logic [Ports-1:0]            awready_o,
  input  logic [Ports-1:0][63:0]      awaddr_i,
  input  logic [Ports-1:0][7:0]       awlen_i,
  input  logic [Ports-1:0]            wvalid_i,
  output logic [Ports-1:0]            wready_o,
  input  logic [Ports-1:0][Bits-1:0]  wdata_i,
  input  logic [Ports-1:0][Bytes-1:0] wstrb_i,
  output logic [Ports-1:0]            bvalid_o,
  input  logic [Ports-1:0]            bready_i
);
  localparam int unsigned AtBits = $clog2(Beats);
  localparam int unsigned Shift = $clog2(Bytes);
  localparam int unsigned PortBits = Ports > 1 ? $clog2(Ports) : 1;

  typedef enum logic [2:0] {Idle, Setup, Fetch, Give, Take, Answer} state_e;
  state_e state_q;
  logic [PortBits-1:0] port_q, chosen;
  logic [AtBits-1:0] at_q;
  logic [7:0] left_q;              // beats behind this one
  logic asks_read, asks_write;

  // Who is next: a write before a read, the lowest port first; a port waits for its answers, so none is starved.
  always_comb begin
    chosen = '0;
    for (int p = int'(Ports) - 1; p >= 0; --p)
      if (arvalid_i[p])
        chosen = PortBits'(p);
    for (int p = int'(Ports) - 1; p >= 0; --p)
      if (awvalid_i[p])
        chosen = PortBits'(p);
  end
  assign asks_write = state_q == Idle && awvalid_i != '0;
  assign asks_read = state_q == Idle && awvalid_i == '0 && arvalid_i != '0;

  logic gives, takes, answers;
  assign gives = state_q == Give && rready_i[port_q];
  assign takes = state_q == Take && wvalid_i[port_q];
  assign answers = state_q == Answer && bready_i[port_q];
  always_comb begin
    {arready_o, awready_o, rvalid_o, wready_o, bvalid_o} = '0;
    awready_o[chosen] = asks_write;
    arready_o[chosen] = asks_read;
    rvalid_o[port_q] = state_q == Give;
    wready_o[port_q] = state_q == Take;
    bvalid_o[port_q] = state_q == Answer;
  end
  assign rlast_o = left_q == '0;
  assign read_o = state_q == Setup;

  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni)
      state_q <= Idle;
    else
      case (state_q)
        Idle:    state_q <= asks_write ? Take : asks_read ? Fetch : read_i ? Setup : Idle;
        Fetch:   state_q <= Give;
        Give:    if (gives) state_q <= left_q == '0 ? Idle : Fetch;
        Take:    if (takes && left_q == '0) state_q <= Answer;
        Answer:  if (answers) state_q <= Idle;
        default: state_q <= Idle;
      endcase
  always_ff @(posedge clk_i)
    if (state_q == Idle) begin
      port_q <= chosen;
      at_q <= asks_write ? AtBits'(awaddr_i[chosen] >> Shift) : AtBits'(araddr_i[chosen] >> Shift);
      left_q <= asks_write ? awlen_i[chosen] : arlen_i[chosen];
    end else if (takes || gives) begin
      at_q <= at_q + 1'b1;
      left_q <= left_q - 8'd1;
    end

  // One block memory, a read or a write in a cycle, whole bytes
  logic [Bits-1:0] mem [Beats];
  initial
    $readmemh(Image, mem);

  logic [AtBits-1:0] at;
  logic [Bits-1:0] data_q;
  assign at = state_q == Idle ? read_at_i : at_q;
  always_ff @(posedge clk_i)
    if (takes) begin
      for (int b = 0; b < int'(Bytes); ++b)
        if (wstrb_i[port_q][b])
          mem[at][b*8 +: 8] <= wdata_i[port_q][b*8 +: 8];
    end else if (state_q == Idle || state_q == Fetch)
      data_q <= mem[at];
  assign rdata_o = data_q;
  assign read_data_o = data_q;

  logic unused;
  assign unused = ^{araddr_i, awaddr_i};   // below a beat and above the memory

  `ACIS_ASSERT_INIT(Beats_A, Beats == 1 << AtBits && Bytes == 1 << Shift)
endmodule

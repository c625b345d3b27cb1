// Sets the shell's registers up after reset from a table in memory, in place of a host, and starts the program
// again whenever a run has ended, as after a trap.
//
// The table is at the beginning of memory, a beat an entry: the register in its first word, what is written there
// in the second one. An entry with bit 31 of the first word set is not written: there setup waits for the end
// of a run. Bits 27:16 are the entry that follows.
module acis_board_setup #(
  parameter int unsigned AtBits = 12
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              ended_i,         // a run has: the shell's interrupt

  // Memory
  output logic              read_o,
  output logic [AtBits-1:0] read_at_o,
  input  logic              read_i,
  input  logic [63:0]       read_data_i,     // of a beat, the first two words

  // Registers: AXI4-Lite
  output logic              awvalid_o,
  input  logic              awready_i,
  output logic [11:0]       awaddr_o,
  output logic              wvalid_o,
  input  logic              wready_i,
  output logic [31:0]       wdata_o,
  input  logic              bvalid_i
);
  typedef enum logic [1:0] {Read, Write, Wait} state_e;
  state_e state_q;
  logic [11:0] entry_q, next_q, address_q;
  logic [31:0] data_q;
  logic address_left_q, data_left_q;

  assign read_o = state_q == Read;
  assign read_at_o = AtBits'(entry_q);
  assign {awvalid_o, awaddr_o} = {state_q == Write && address_left_q, address_q};
  assign {wvalid_o, wdata_o} = {state_q == Write && data_left_q, data_q};
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      state_q <= Read;
      {entry_q, next_q, address_left_q, data_left_q} <= '0;
    end else
      case (state_q)
        Read: if (read_i) begin
          state_q <= read_data_i[31] ? Wait : Write;
          next_q <= read_data_i[27:16];
          {address_left_q, data_left_q} <= 2'b11;
        end
        Write: begin
          if (awready_i)
            address_left_q <= 1'b0;
          if (wready_i)
            data_left_q <= 1'b0;
          if (bvalid_i) begin
            state_q <= Read;
            entry_q <= next_q;
          end
        end
        default: if (ended_i) begin
          state_q <= Read;
          entry_q <= next_q;
        end
      endcase
  always_ff @(posedge clk_i)
    if (read_i)
      {data_q, address_q} <= {read_data_i[63:32], read_data_i[11:0]};

  logic unused;
  assign unused = ^{read_data_i[30:28], read_data_i[15:12]};
endmodule

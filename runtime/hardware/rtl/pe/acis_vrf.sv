// The vector register file of a PE: a bank of 32 bits by VrfBeats per lane, so that each
// lane has its own address in an indexed access.
//
// A read is there in the cycle of its address, writes happen at the clock edge. Ports: two reads
// and a write of the running loop, a read for vector stores and a write for vector loads. The
// machine never lets a loop and a vector load write the same beat in one cycle.
//
// With VrfCopies it is memory blocks at the array's clock (acis_vrf_copies): what is read with rd_en_i
// or store_en_i comes in the next cycle, a vector store's over the second read port. Pumped, it is
// memory blocks with a clock four times as fast (acis_vrf_pumped), as in the packaged kernel; else
// distributed memory, which a simulation of the core is faster with.
module acis_vrf
  import acis_overlay_pkg::*;
  import acis_pkg::*;
#(
  parameter bit Pumped = 1'b0
) (
  input  logic                               clk_i,
  input  logic                               clk_ram_i,   // four times clk_i, edges aligned, if Pumped
  input  logic                               rst_ni,
  input  logic [1:0]                         rd_en_i,     // by read
  input  logic [Lanes-1:0][VrfBits-1:0]      rd_beat0_i,  // by bank
  output beat_t                              rd_data0_o,
  input  logic [Lanes-1:0][VrfBits-1:0]      rd_beat1_i,
  output beat_t                              rd_data1_o,
  input  logic [Lanes-1:0]                   wr_en_i,
  input  logic [Lanes-1:0][VrfBits-1:0]      wr_beat_i,
  input  beat_t                              wr_data_i,
  input  logic                               store_en_i,
  input  logic [VrfBits-1:0]                 store_beat_i,
  output beat_t                              store_data_o,
  input  logic [Lanes-1:0]                   load_en_i,
  input  logic [VrfBits-1:0]                 load_beat_i,
  input  beat_t                              load_data_i
);
  if (VrfCopies != 0) begin : g_copies
    logic unused;
    assign unused = clk_ram_i;
    acis_vrf_copies #(.Lanes(Lanes), .Beats(VrfBeats), .Ram(VrfRam)) i_file (
      .clk_i, .rst_ni, .rd_en_i, .rd_beat0_i, .rd_data0_o, .rd_beat1_i, .rd_data1_o, .store_en_i,
      .store_beat_i, .wr_en_i, .wr_beat_i, .wr_data_i, .load_en_i, .load_beat_i, .load_data_i
    );
    assign store_data_o = rd_data1_o;
  end else if (Pumped) begin : g_pumped
    logic unused;
    assign unused = ^{rd_en_i, store_en_i};
    acis_vrf_pumped #(
      .Lanes(Lanes), .Beats(VrfBeats), .Ram(VrfRam), .Chained(InputLatency == 0),
      .Early(IndexLatency != 0)
    ) i_file (
      .clk_i, .clk_ram_i, .rst_ni, .rd_beat0_i, .rd_data0_o, .rd_beat1_i, .rd_data1_o, .wr_en_i,
      .wr_beat_i, .wr_data_i, .store_beat_i, .store_data_o, .load_en_i, .load_beat_i, .load_data_i
    );
  end else begin : g_distributed
    logic unused;
    assign unused = ^{clk_ram_i, rst_ni, rd_en_i, store_en_i};
    for (genvar b = 0; b < int'(Lanes); ++b) begin : g_bank
      logic [31:0] mem[VrfBeats];
      initial
        for (int i = 0; i < int'(VrfBeats); ++i)
          mem[i] = '0;
      assign rd_data0_o[b*32 +: 32] = mem[rd_beat0_i[b]];
      assign rd_data1_o[b*32 +: 32] = mem[rd_beat1_i[b]];
      assign store_data_o[b*32 +: 32] = mem[store_beat_i];
      always_ff @(posedge clk_i) begin
        if (load_en_i[b])
          mem[load_beat_i] <= load_data_i[b*32 +: 32];
        if (wr_en_i[b])
          mem[wr_beat_i[b]] <= wr_data_i[b*32 +: 32];
      end
    end
  end
endmodule

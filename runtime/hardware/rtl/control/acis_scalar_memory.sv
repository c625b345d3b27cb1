// Loads and stores of the scalar unit: its scratch memory, which answers at once, and off-chip
// memory, which waits until nothing else is on its way (docs/timing.md).
//
// ask_i presents the instruction; done_o, a trap or neither (wait) is the answer of the same cycle.
module acis_scalar_memory
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_bus_pkg::*;
  import acis_isa_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,          // of a word of the scratch memory
  input  logic [19:0] clear_index_i,
  input  logic [31:0] memory_bytes_i,

  input  logic        load_i,
  input  logic        store_i,
  input  logic [2:0]  funct3_i,
  input  logic [31:0] address_i,
  input  logic [31:0] data_i,
  output logic        done_o,
  output logic [31:0] value_o,
  output logic        misaligned_o,
  output logic        outside_o,
  output logic [2:0]  bytes_o,

  input  logic        quiet_i,          // vector units and memory ports have nothing to do
  output logic        store_idle_o,     // stores are acknowledged
  output logic        settled_o,        // the same as the scalar unit's instructions see it

  // Single beats, address and data together
  output memory_request_t  memory_o,
  input  memory_response_t memory_i
);
  logic scratch, memory, aligned, pending_q;
  logic [15:0] stores_q;
  logic [31:0] scratch_q[ScratchBytes / 4];
  logic [31:0] scratch_word, raw, shifted, store_data;
  logic [3:0] store_bytes;
  assign bytes_o = 3'd1 << funct3_i[1:0];
  // Of an aligned access: its last byte is there if the first is. Both memories begin at a multiple of
  // what they can hold.
  logic [30:0] last_byte;
  assign last_byte = address_i[30:0] | (31'(bytes_o) - 31'd1);
  assign scratch = (address_i ^ ScratchBase) < ScratchBytes;
  assign memory = address_i[31] && {1'b0, last_byte} < memory_bytes_i;
  assign aligned = (address_i & (32'(bytes_o) - 32'd1)) == '0;
  assign misaligned_o = !aligned;
  assign outside_o = !scratch && !memory;

  assign scratch_word = scratch_q[address_i[$clog2(ScratchBytes)-1:2]];
  assign raw = scratch ? scratch_word : memory_i.data[{address_i[ByteBits-1:2], 5'd0} +: 32];
  assign shifted = raw >> {address_i[1:0], 3'b000};
  always_comb
    case (funct3_i)
      3'd0: value_o = {{24{shifted[7]}}, shifted[7:0]};
      3'd1: value_o = {{16{shifted[15]}}, shifted[15:0]};
      3'd4: value_o = {24'd0, shifted[7:0]};
      3'd5: value_o = {16'd0, shifted[15:0]};
      default: value_o = shifted;
    endcase
  assign store_bytes = 4'((5'd1 << bytes_o) - 5'd1) << address_i[1:0];
  assign store_data = data_i << {address_i[1:0], 3'b000};

  logic reads, writes;             // this cycle offers one
  logic [31:0] beat_address;
  assign beat_address = address_i & ~32'(BeatBytes - 1);
  assign memory_o = '{
    axi: '{arvalid: reads, araddr: beat_address, arlen: '0, awvalid: writes, awaddr: beat_address,
           awlen: '0, wvalid: writes, wlast: 1'b1},
    strobe: BeatBytes'(store_bytes) << {address_i[ByteBits-1:2], 2'd0},
    data: BeatBits'(store_data) << {address_i[ByteBits-1:2], 5'd0}
  };
  assign store_idle_o = stores_q == 16'(memory_i.axi.bvalid);
  assign settled_o = ScalarPipeline != 0 ? stores_q == '0 : store_idle_o;
  always_comb begin
    reads = 1'b0;
    writes = 1'b0;
    done_o = 1'b0;
    if (aligned && scratch) begin
      done_o = load_i || store_i;
    end else if (aligned && memory && load_i) begin
      reads = !pending_q && quiet_i && settled_o;
      done_o = pending_q && memory_i.axi.rvalid;
    end else if (aligned && memory && store_i) begin
      writes = quiet_i;
      done_o = writes && memory_i.axi.awready;
    end
  end

  always_ff @(posedge clk_i)
    if (clear_i) begin
      if (32'(clear_index_i) < ScratchBytes / 4)
        scratch_q[clear_index_i[$clog2(ScratchBytes)-3:0]] <= '0;
    end else if (store_i && scratch && aligned)
      for (int i = 0; i < 4; ++i)
        if (store_bytes[i])
          scratch_q[address_i[$clog2(ScratchBytes)-1:2]][i*8 +: 8] <= store_data[i*8 +: 8];
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      pending_q <= 1'b0;
      stores_q <= '0;
    end else begin
      if (reads && memory_i.axi.arready)
        pending_q <= 1'b1;
      if (pending_q && memory_i.axi.rvalid)
        pending_q <= 1'b0;
      stores_q <= stores_q + 16'(writes && memory_i.axi.awready) - 16'(memory_i.axi.bvalid);
    end
endmodule

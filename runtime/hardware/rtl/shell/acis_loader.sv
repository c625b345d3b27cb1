// Reads a program (runtime/hardware/verilated/DeviceImage.h) from memory, checks it, and writes it into
// the tables of the core, a word per cycle.
//
// Words of 32 bits: a head of 16 (magic, version, hardware low and high, words in all, CRC-32
// of all with this word taken as 0, code words, entry, first context, contexts, bytes of memory,
// sections, four zeros), then sections: address of the first table entry as acis_core.sv has
// it, entries, words of an entry, and the entries.
//
// error_o says why a program was refused, at_o with which word; what was written until then
// stays, so the core must not run. Instructions and contexts are not looked into: what is no
// instruction traps when it is executed, and the rest is what runtime/engine/loader checks.
`include "acis_assert.svh"

module acis_loader
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::*;
  import acis_shell_pkg::*;
(
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               start_i,
  input  logic [63:0]        base_i,
  input  logic [31:0]        memory_bytes_i,      // of the job
  output logic               busy_o,
  output logic               done_o,              // in this cycle; error_o says how
  output code_e              error_o,
  output logic [31:0]        at_o,

  // AXI4, read only
  output logic               arvalid_o,
  input  logic               arready_i,
  output logic [63:0]        araddr_o,
  output logic [7:0]         arlen_o,
  input  logic               rvalid_i,
  output logic               rready_o,
  input  logic [BeatBits-1:0] rdata_i,
  input  logic [1:0]         rresp_i,

  // The core
  output logic               cfg_we_o,
  output logic [31:0]        cfg_address_o,
  output logic [511:0]       cfg_data_o,
  output logic [31:0]        code_words_o,
  output logic [31:0]        entry_o,
  output logic [6:0]         first_context_o,
  output logic [7:0]         context_count_o
);
  localparam int unsigned CodeWords = CodeBytes / 4;
  localparam int unsigned BeatWords = BeatBytes / 4;
  localparam int unsigned Burst = 1024 / BeatBytes;    // beats; a kilobyte never crosses 4096 bytes
  localparam logic [31:0] MaxWords = 32'h0100_0000;

  typedef enum logic [2:0] {Idle, Head, Address, Entries, Width, Record, Drain} state_e;
  state_e state_q, state;

  // Beats: asked for in bursts, as far ahead as there is room
  localparam int unsigned FlightBits = $clog2(2 * Burst + 1);
  logic [31:0] left_q, asked_q, arrived_q;
  logic [FlightBits-1:0] flight_q, in_block, burst;    // asked for and not used
  logic asks, arrives, beat_valid, beat_ready;
  beat_t beat;
  logic may_ask, ask_ready;
  assign in_block = FlightBits'(Burst - (asked_q & (Burst - 1)));
  assign burst = left_q < 32'(in_block) ? FlightBits'(left_q) : in_block;
  assign may_ask = left_q != '0 && 32'(flight_q) + 32'(burst) <= 2 * Burst
                && state_q != Idle && state_q != Drain;
  assign asks = may_ask && ask_ready;
  acis_slice #(.Width(72)) u_ar (
    .clk_i, .rst_ni, .in_valid_i(may_ask), .in_ready_o(ask_ready),
    .in_data_i({base_i + 64'(asked_q) * 64'(BeatBytes), 8'(burst) - 8'd1}),
    .out_valid_o(arvalid_o), .out_ready_i(arready_i), .out_data_o({araddr_o, arlen_o})
  );
  assign arrives = rvalid_i && rready_o;
  acis_block_fifo #(.Width(BeatBits), .Depth(2 * Burst)) u_beats (
    .clk_i, .rst_ni, .in_valid_i(rvalid_i), .in_ready_o(rready_o), .in_data_i(rdata_i),
    .out_valid_o(beat_valid), .out_ready_i(beat_ready), .out_data_o(beat)
  );

  // Words, picked out of the beats a cycle before they are looked at. What is picked behind the
  // last word, or behind an error, is not looked at.
  localparam int unsigned PlaceBits = BeatWords > 1 ? $clog2(BeatWords) : 1;
  logic [PlaceBits-1:0] place_q;
  logic [31:0] word_q, at_q, total_q;
  logic reads, picks, picked_q, takes, last, check_q;
  assign reads = state_q != Idle && state_q != Drain;
  assign picks = beat_valid && reads;
  assign takes = picked_q && reads;
  assign last = at_q + 32'd1 == total_q;
  assign beat_ready = state_q == Drain || (picks && place_q == PlaceBits'(BeatWords - 1));

  // zlib's CRC-32, a little-endian word at a time
  function automatic logic [31:0] crc32(logic [31:0] crc, logic [31:0] data);
    crc32 = crc ^ data;
    for (int i = 0; i < 32; ++i)
      crc32 = (crc32 >> 1) ^ (crc32[0] ? 32'hedb8_8320 : 32'd0);
  endfunction
  logic [31:0] crc_q, crc, sum_q;
  logic in_head;
  assign in_head = state_q == Head;
  assign crc = crc32(in_head && at_q[3:0] == 4'd0 ? '1 : crc_q,
                     in_head && at_q[3:0] == 4'd5 ? '0 : word_q);

  // Entries of a table, which is in bits 31:28 of the address
  function automatic logic [31:0] capacity(logic [3:0] table_);
    case (table_)
      TableCode: return CodeWords;
      TableLoop, TableLoopExtra, TablePe: return MaxContexts;
      TablePop, TableSlotWord, TableSlotExtra, TableAddress: return ContextSlots;
      TableRegisters: return VrfBeats;
      default: return 32'd0;
    endcase
  endfunction
  logic [31:0] address_q, entries_q, sections_q, contexts_q;
  logic [4:0] width_q, filled_q;
  logic [3:0] table_;
  logic [15:0][31:0] entry_q;   // words that an entry has not are 0
  logic fits, place_fits_q;
  logic [31:0] room_q;     // entries from the address to the end of its table
  assign table_ = address_q[31:28];
  assign fits = entries_q != '0 && !room_q[31] && entries_q <= room_q && place_fits_q;
  // Made while the number of entries comes.
  always_ff @(posedge clk_i) begin
    room_q <= capacity(table_) - 32'(address_q[19:0]);
    place_fits_q <= 32'(address_q[27:20]) < (table_ >= TableSlotWord ? NumPes : 32'd1);
  end

  code_e error_q, error;
  always_comb begin
    state = state_q;
    error = CodeFine;
    case (state_q)
      Idle: if (start_i) begin
        state = base_i[11:0] != '0 ? Drain : Head;
        error = base_i[11:0] != '0 ? CodeBase : CodeFine;
      end
      Head: if (takes) begin
        case (at_q[3:0])
          4'd0: if (word_q != DeviceImageMagic) error = CodeMagic;
          4'd1: if (word_q != DeviceImageVersion) error = CodeVersion;
          4'd2: if (word_q != Hardware[31:0]) error = CodeHardware;
          4'd3: if (word_q != Hardware[63:32]) error = CodeHardware;
          4'd4: if (word_q < DeviceImageHead || word_q > MaxWords) error = CodeSize;
          4'd6: if (word_q > CodeWords) error = CodeCode;
          4'd7: if (word_q[1:0] != '0 || word_q[31:2] >= code_words_o[29:0]) error = CodeCode;
          4'd8: if (word_q > 32'd127) error = CodeContexts;
          4'd9: if (word_q > MaxContexts || word_q + contexts_q > 32'd128) error = CodeContexts;
          4'd10: if (word_q > memory_bytes_i) error = CodeMemory;
          4'd12, 4'd13, 4'd14: if (word_q != '0) error = CodeSize;
          4'd15: begin
            state = sections_q == '0 ? Drain : Address;
            if (word_q != '0 || (sections_q == '0) != last)
              error = CodeSize;
          end
          default: ;
        endcase
      end
      Address: if (takes) begin
        state = Entries;
        if (last) error = CodeSize;
      end
      Entries: if (takes) begin
        state = Width;
        if (last) error = CodeSize;
      end
      Width: if (takes) begin
        state = Record;
        if (last)
          error = CodeSize;
        else if (!fits || word_q == '0 || word_q > 32'd16)
          error = CodeSection;
      end
      Record: if (takes) begin
        if (filled_q + 5'd1 == width_q && entries_q == 32'd1)
          state = sections_q == 32'd1 ? Drain : Address;
        if (last != (state == Drain))
          error = CodeSize;
      end
      default: if (!check_q && arrived_q == asked_q && !beat_valid)
        state = Idle;
    endcase
    if (state_q != Idle && arrives && rresp_i[1])
      error = CodeBus;
    if (error != CodeFine)
      state = Drain;
  end
  logic unused;
  assign unused = rresp_i[0];
  assign busy_o = state_q != Idle;
  assign done_o = state_q == Drain && state == Idle;
  assign error_o = error_q;
  assign at_o = at_q;
  assign cfg_data_o = entry_q;

  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      state_q <= Idle;
      error_q <= CodeFine;
      {left_q, asked_q, arrived_q, flight_q, place_q, picked_q, at_q, check_q} <= '0;
      {cfg_we_o, code_words_o, entry_o, first_context_o, context_count_o} <= '0;
    end else begin
      state_q <= state;
      cfg_we_o <= 1'b0;
      if (asks) begin
        asked_q <= asked_q + 32'(burst);
        left_q <= left_q - 32'(burst);
      end
      if (arrives)
        arrived_q <= arrived_q + 32'd1;
      flight_q <= flight_q + (asks ? burst : '0) - FlightBits'(beat_valid && beat_ready);
      picked_q <= picks;
      if (picks)
        place_q <= place_q == PlaceBits'(BeatWords - 1) ? '0 : place_q + 1'b1;
      // All has come: the checksum is compared a cycle later.
      check_q <= takes && last && error == CodeFine;
      if (state_q != Drain && error != CodeFine)
        error_q <= error;
      else if (check_q && ~crc_q != sum_q)
        error_q <= CodeSum;
      if (state_q == Idle && start_i) begin
        error_q <= error;
        {asked_q, arrived_q, flight_q, place_q, at_q} <= '0;
        left_q <= DeviceImageHead / BeatWords;
      end
      if (takes) begin
        if (error == CodeFine && state != Drain)
          at_q <= at_q + 32'd1;
        if (state_q == Head)
          case (at_q[3:0])
            4'd6: code_words_o <= word_q;
            4'd7: entry_o <= word_q;
            4'd8: first_context_o <= 7'(word_q);
            4'd9: context_count_o <= 8'(word_q);
            // The head is right: all the rest
            4'd15: left_q <= (total_q - DeviceImageHead + BeatWords - 32'd1) / BeatWords;
            default: ;
          endcase
        if (state_q == Record && filled_q + 5'd1 == width_q && error == CodeFine)
          cfg_we_o <= 1'b1;
      end
    end
  always_ff @(posedge clk_i) begin
    word_q <= beat[place_q*32 +: 32];
    if (takes) begin
      crc_q <= crc;
      case (state_q)
        Head: case (at_q[3:0])
          4'd4: total_q <= word_q;
          4'd5: sum_q <= word_q;
          4'd8: contexts_q <= word_q;
          4'd11: sections_q <= word_q;
          default: ;
        endcase
        Address: address_q <= word_q;
        Entries: entries_q <= word_q;
        Width: begin
          width_q <= 5'(word_q);
          filled_q <= '0;
        end
        Record: begin
          for (int k = 0; k < 16; ++k)
            if (4'(k) == filled_q[3:0])
              entry_q[k] <= word_q;
            else if (filled_q == '0)
              entry_q[k] <= '0;
          filled_q <= filled_q + 5'd1;
          if (filled_q + 5'd1 == width_q) begin
            filled_q <= '0;
            entries_q <= entries_q - 32'd1;
            address_q <= address_q + 32'd1;
            if (entries_q == 32'd1)
              sections_q <= sections_q - 32'd1;
          end
        end
        default: ;
      endcase
    end
    cfg_address_o <= address_q;
    if (state_q == Idle)
      total_q <= '1;
  end

  `ACIS_ASSERT_INIT(Bytes_A, BeatBytes <= 64 && Burst >= 1)
  `ACIS_ASSERT(Room_A, !rvalid_i || rready_o)
endmodule

// What a simulation shows of the overlay's inside, for comparing it with engine `model` in every
// cycle (runtime/hardware/lockstep): bound into acis_core, no part of the hardware. The C++ side reads
// these signals by name, runtime/hardware/verilated/Probe.h.
module acis_probe
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::*;
();
  // Registers: their content at the start of the cycle
  logic        running /*verilator public_flat_rd*/;
  logic [31:0] pc /*verilator public_flat_rd*/;
  logic [31:0] x[32] /*verilator public_flat_rd*/;
  logic [31:0] results[16] /*verilator public_flat_rd*/;
  logic [15:0] waiting /*verilator public_flat_rd*/;
  logic [15:0] loops /*verilator public_flat_rd*/;
  logic [15:0] transfers /*verilator public_flat_rd*/;
  logic [15:0] fold /*verilator public_flat_rd*/;
  logic [31:0] live /*verilator public_flat_rd*/;
  logic        held /*verilator public_flat_rd*/;
  logic [15:0] slot /*verilator public_flat_rd*/;
  logic [15:0] inner /*verilator public_flat_rd*/;
  logic [31:0] outer /*verilator public_flat_rd*/;
  logic [15:0] in_shifted /*verilator public_flat_rd*/;
  logic [15:0] in_fifo /*verilator public_flat_rd*/;
  logic [15:0] in_aligned /*verilator public_flat_rd*/;
  logic [15:0] in_commands /*verilator public_flat_rd*/;
  logic [15:0] out_partial /*verilator public_flat_rd*/;
  logic [15:0] out_fifo /*verilator public_flat_rd*/;
  logic [15:0] out_commands /*verilator public_flat_rd*/;
  always_comb begin
    running = acis_core.i_scalar.running_q;
    pc = acis_core.i_scalar.pc_q;
    for (int i = 0; i < 32; ++i)
      x[i] = acis_core.i_scalar.written_q[i] ? acis_core.i_scalar.x_q[i]
           : i == 2 ? ScratchBase + ScratchBytes : i == 12 ? MemoryBase : '0;
    for (int i = 0; i < 16; ++i)
      results[i] = acis_core.i_sequencer.results_q[i];
    waiting = 16'(acis_core.i_sequencer.i_launches.waiting_q);
    loops = 16'(acis_core.i_sequencer.running_q);
    transfers = 16'(acis_core.i_sequencer.i_launches.beside);
    fold = acis_core.i_sequencer.folding_q;
    live = acis_core.i_sequencer.live_q;
    held = acis_core.i_sequencer.mid_q;
    slot = acis_core.i_sequencer.slot_q;
    inner = acis_core.i_sequencer.inner_q;
    outer = acis_core.i_sequencer.outer_q;
    in_shifted = 16'(acis_core.i_stream_in.u_disassembler.waits_q);
    in_fifo = 16'(acis_core.i_stream_in.fifo_count_q);
    in_aligned = 16'(acis_core.i_stream_in.aligned_bytes_q);
    in_commands = 16'(acis_core.i_stream_in.count_q);
    out_partial = 16'(acis_core.i_stream_out.partial_bytes_q);
    out_fifo = 16'(acis_core.i_stream_out.fifo_count_q);
    out_commands = 16'(acis_core.i_stream_out.count_q);
  end

  // Register files: what is written at the end of the cycle, by PE * Lanes + bank
  logic        write_on[NumPes * Lanes] /*verilator public_flat_rd*/;
  logic [15:0] write_beat[NumPes * Lanes] /*verilator public_flat_rd*/;
  logic [31:0] write_data[NumPes * Lanes] /*verilator public_flat_rd*/;
  logic        load_on[NumPes * Lanes] /*verilator public_flat_rd*/;
  logic [15:0] load_beat[NumPes] /*verilator public_flat_rd*/;
  logic [31:0] load_data[NumPes * Lanes] /*verilator public_flat_rd*/;
  for (genvar p = 0; p < int'(NumPes); ++p) begin : g_pe
    assign load_beat[p] = 16'(acis_core.i_grid.g_pe[p].i_pe.vector_beat);
    for (genvar b = 0; b < int'(Lanes); ++b) begin : g_bank
      assign write_on[p * Lanes + b] = acis_core.i_grid.g_pe[p].i_pe.i_back.wr_en[b];
      assign write_beat[p * Lanes + b] = 16'(acis_core.i_grid.g_pe[p].i_pe.i_back.wr_bank[b]);
      assign write_data[p * Lanes + b] = acis_core.i_grid.g_pe[p].i_pe.i_back.wr_lanes[b*32 +: 32];
      assign load_on[p * Lanes + b] = acis_core.i_grid.g_pe[p].i_pe.load_en[b];
      assign load_data[p * Lanes + b] = acis_core.i_grid.g_pe[p].i_pe.load_data[b*32 +: 32];
    end
  end
endmodule

bind acis_core acis_probe i_probe ();

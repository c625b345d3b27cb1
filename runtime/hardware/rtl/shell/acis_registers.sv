// The registers of the kernel behind AXI4-Lite, in the map of 000 Fig. 4-6: control at 0,
// base addresses of the memory from 0x10 on, 12 bytes apart; README.md lists the rest.
//
// Control is that of Vitis kernels. start stays set until ready_i. done is cleared by reading
// the control register (Chain 0, ap_ctrl_hs) or by writing 1 to continue (Chain 1,
// ap_ctrl_chain), before which nothing starts again. Interrupts are pending while their bit
// in ISR is set; writing 1 to a bit of ISR toggles it.
`include "acis_assert.svh"

module acis_registers
  import acis_isa_pkg::*;
  import acis_shell_pkg::*;
#(
  parameter int unsigned Bases = 2,
  parameter int unsigned Chain = 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   awvalid_i,
  output logic                   awready_o,
  input  logic [11:0]            awaddr_i,
  input  logic                   wvalid_i,
  output logic                   wready_o,
  input  logic [31:0]            wdata_i,
  input  logic [3:0]             wstrb_i,
  output logic                   bvalid_o,
  input  logic                   bready_i,
  output logic [1:0]             bresp_o,
  input  logic                   arvalid_i,
  output logic                   arready_o,
  input  logic [11:0]            araddr_i,
  output logic                   rvalid_o,
  input  logic                   rready_i,
  output logic [31:0]            rdata_o,
  output logic [1:0]             rresp_o,
  output logic                   interrupt_o,

  output logic                   start_o,      // a run is wanted
  input  logic                   ready_i,      // it has been taken and needs its arguments no more
  input  logic                   done_i,       // it has ended
  input  logic                   idle_i,
  output logic                   stop_o,       // no more packets; until the next start
  output logic                   abort_o,      // end at once; until the next start
  output logic [Bases-1:0][63:0] base_o,
  output settings_t              settings_o,
  input  status_t                status_i
);
  // Writes: address and data come in any order
  logic have_address_q, have_data_q, writes;
  logic [11:0] address_q;
  logic [31:0] data_q;
  logic [3:0] strobe_q;
  assign awready_o = !have_address_q;
  assign wready_o = !have_data_q;
  assign writes = have_address_q && have_data_q && (!bvalid_o || bready_i);
  assign bresp_o = 2'b00;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      {have_address_q, have_data_q, bvalid_o} <= '0;
    end else begin
      have_address_q <= (awvalid_i && awready_o) || (have_address_q && !writes);
      have_data_q <= (wvalid_i && wready_o) || (have_data_q && !writes);
      bvalid_o <= writes || (bvalid_o && !bready_i);
    end
  always_ff @(posedge clk_i) begin
    if (awvalid_i && awready_o)
      address_q <= awaddr_i;
    if (wvalid_i && wready_o)
      {data_q, strobe_q} <= {wdata_i, wstrb_i};
  end

  // Reads
  logic reads;
  logic [31:0] value;
  assign arready_o = !rvalid_o || rready_i;
  assign reads = arvalid_i && arready_o;
  assign rresp_o = 2'b00;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni)
      rvalid_o <= 1'b0;
    else
      rvalid_o <= reads || (rvalid_o && !rready_i);
  always_ff @(posedge clk_i)
    if (reads)
      rdata_o <= value;

  // Registers
  logic start_q, done_q, ready_q, again_q, global_q;
  logic [1:0] enable_q, pending_q, events;
  logic [Bases-1:0][63:0] base_q;
  settings_t settings_q;
  logic stop_q, abort_q;

  // A word with the bytes that are written.
  function automatic logic [31:0] merged(logic [31:0] old, logic [31:0] data, logic [3:0] strobe);
    for (int b = 0; b < 4; ++b)
      merged[b*8 +: 8] = strobe[b] ? data[b*8 +: 8] : old[b*8 +: 8];
  endfunction
  logic [1:0] set;                 // bits written as 1
  assign set = strobe_q[0] ? data_q[1:0] : '0;
  assign events = {ready_i, done_i};

  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      {start_q, done_q, ready_q, again_q, global_q, enable_q, pending_q} <= '0;
      {base_q, stop_q, abort_q} <= '0;
      settings_q <= '0;
    end else begin
      if (ready_i && !again_q)
        start_q <= 1'b0;
      if (reads && araddr_i == RegControl) begin
        ready_q <= 1'b0;
        if (Chain == 0)
          done_q <= 1'b0;
      end
      if (ready_i)
        {ready_q, stop_q, abort_q} <= 3'b100;
      if (writes)
        case (address_q)
          RegControl: begin
            if (set[0])
              start_q <= 1'b1;
            if (strobe_q[0] && data_q[4] && Chain != 0)
              done_q <= 1'b0;
            if (strobe_q[0])
              again_q <= data_q[7];
          end
          RegGlobal:    if (strobe_q[0]) global_q <= data_q[0];
          RegEnable:    if (strobe_q[0]) enable_q <= data_q[1:0];
          RegMode:      settings_q.mode <= mode_t'(merged(32'(settings_q.mode), data_q, strobe_q));
          RegPort:      settings_q.port <= 16'(merged(32'(settings_q.port), data_q, strobe_q));
          RegPackets:   settings_q.packets <= merged(settings_q.packets, data_q, strobe_q);
          RegMemory:    settings_q.memory_bytes <= merged(settings_q.memory_bytes, data_q, strobe_q);
          RegBankShift: settings_q.bank_shift <= 6'(merged(32'(settings_q.bank_shift), data_q, strobe_q));
          RegDeadline:  settings_q.deadline[31:0] <= merged(settings_q.deadline[31:0], data_q, strobe_q);
          RegDeadlineHigh:
            settings_q.deadline[63:32] <= merged(settings_q.deadline[63:32], data_q, strobe_q);
          RegStop:      {abort_q, stop_q} <= {abort_q, stop_q} | set;
          default:
            for (int p = 0; p < int'(Bases); ++p) begin
              if (address_q == RegBase + 12'(12 * p))
                base_q[p][31:0] <= merged(base_q[p][31:0], data_q, strobe_q);
              if (address_q == RegBase + 12'(12 * p + 4))
                base_q[p][63:32] <= merged(base_q[p][63:32], data_q, strobe_q);
            end
        endcase
      if (done_i)
        done_q <= 1'b1;
      pending_q <= (pending_q ^ (writes && address_q == RegPending ? set : '0))
                 | (events & enable_q);
    end

  always_comb begin
    value = '0;
    case (araddr_i)
      RegControl:      value = {24'd0, again_q, 3'd0, ready_q, idle_i, done_q, start_q};
      RegGlobal:       value = 32'(global_q);
      RegEnable:       value = 32'(enable_q);
      RegPending:      value = 32'(pending_q);
      RegMode:         value = 32'(settings_q.mode);
      RegPort:         value = 32'(settings_q.port);
      RegPackets:      value = settings_q.packets;
      RegMemory:       value = settings_q.memory_bytes;
      RegBankShift:    value = 32'(settings_q.bank_shift);
      RegDeadline:     value = settings_q.deadline[31:0];
      RegDeadlineHigh: value = settings_q.deadline[63:32];
      RegStop:         value = {30'd0, abort_q, stop_q};
      RegStatus:       value = 32'(status_i.code);
      RegDetail:       value = status_i.detail;
      RegAdmitted:     value = status_i.admitted;
      RegAnswered:     value = status_i.answered;
      RegHandled:      value = status_i.handled;
      RegForwarded:    value = status_i.forwarded;
      RegDropped:      value = status_i.dropped;
      RegTooLong:      value = status_i.too_long;
      RegTiles:        value = status_i.tiles;
      RegCycles:       value = status_i.cycles[31:0];
      RegCyclesHigh:   value = status_i.cycles[63:32];
      RegHardware:     value = status_i.hardware[31:0];
      RegHardwareHigh: value = status_i.hardware[63:32];
      default:
        for (int p = 0; p < int'(Bases); ++p) begin
          if (araddr_i == RegBase + 12'(12 * p))
            value = base_q[p][31:0];
          if (araddr_i == RegBase + 12'(12 * p + 4))
            value = base_q[p][63:32];
        end
    endcase
  end

  // Behind a run that nobody has acknowledged nothing starts.
  assign start_o = start_q && !(Chain != 0 && done_q);
  assign stop_o = stop_q;
  assign abort_o = abort_q;
  assign base_o = base_q;
  assign settings_o = settings_q;
  assign interrupt_o = global_q && pending_q != '0;

  `ACIS_ASSERT_INIT(Bases_A, Bases >= 1 && RegBase + 12'(12 * Bases) <= RegMode)
endmodule

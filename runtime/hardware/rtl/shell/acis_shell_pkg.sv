// What registers of the kernel set and show, and the port that they are behind. Their offsets and codes are in
// acis_isa_pkg, of backend/isa/Shell.td; README.md explains each.
package acis_shell_pkg;

  import acis_isa_pkg::mode_t;
  import acis_isa_pkg::code_e;

  // AXI4-Lite, at the registers
  typedef struct packed {
    logic        awvalid;
    logic [11:0] awaddr;
    logic        wvalid;
    logic [31:0] wdata;
    logic [3:0]  wstrb;
    logic        bready;
    logic        arvalid;
    logic [11:0] araddr;
    logic        rready;
  } lite_request_t;
  typedef struct packed {
    logic        awready, wready;
    logic        bvalid;
    logic [1:0]  bresp;
    logic        arready;
    logic        rvalid;
    logic [31:0] rdata;
    logic [1:0]  rresp;
  } lite_response_t;

  typedef struct packed {
    mode_t       mode;
    logic [15:0] port;
    logic [31:0] packets;        // of a run; 0: until stop
    logic [31:0] memory_bytes;
    logic [5:0]  bank_shift;     // log2 of the distance of banks, 0: memory is one piece
    logic [63:0] deadline;       // steps of an invocation; 0: none
  } settings_t;

  typedef struct packed {
    code_e       code;
    logic [31:0] detail;         // word of the program that was refused; PC of a trap
    logic [31:0] admitted, answered;
    logic [31:0] handled, forwarded, dropped, too_long, tiles;
    logic [63:0] cycles, hardware;
  } status_t;

endpackage

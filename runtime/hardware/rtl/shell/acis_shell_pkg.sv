// Registers of the kernel, what they set, and what they show; README.md explains each.
package acis_shell_pkg;

  parameter logic [11:0] RegControl      = 12'h000;
  parameter logic [11:0] RegGlobal       = 12'h004;
  parameter logic [11:0] RegEnable       = 12'h008;
  parameter logic [11:0] RegPending      = 12'h00c;
  parameter logic [11:0] RegBase         = 12'h010;
  parameter logic [11:0] RegMode         = 12'h200;
  parameter logic [11:0] RegPort         = 12'h208;
  parameter logic [11:0] RegPackets      = 12'h210;
  parameter logic [11:0] RegMemory       = 12'h218;
  parameter logic [11:0] RegBankShift    = 12'h220;
  parameter logic [11:0] RegDeadline     = 12'h228;
  parameter logic [11:0] RegDeadlineHigh = 12'h22c;
  parameter logic [11:0] RegStop         = 12'h230;
  parameter logic [11:0] RegStatus       = 12'h300;
  parameter logic [11:0] RegDetail       = 12'h304;
  parameter logic [11:0] RegAdmitted     = 12'h310;
  parameter logic [11:0] RegAnswered     = 12'h314;
  parameter logic [11:0] RegHandled      = 12'h318;
  parameter logic [11:0] RegForwarded    = 12'h31c;
  parameter logic [11:0] RegDropped      = 12'h320;
  parameter logic [11:0] RegTooLong      = 12'h324;
  parameter logic [11:0] RegTiles        = 12'h328;
  parameter logic [11:0] RegCycles       = 12'h330;
  parameter logic [11:0] RegCyclesHigh   = 12'h334;
  parameter logic [11:0] RegHardware     = 12'h338;
  parameter logic [11:0] RegHardwareHigh = 12'h33c;

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
    logic keep;       // the program that is loaded goes on, with its state
    logic swap;       // attached: answers go back to where their packet came from
    logic forward;    // frames of others pass through
    logic handle;     // packets go to the handler; else all frames are others'
  } mode_t;

  typedef struct packed {
    mode_t       mode;
    logic [15:0] port;
    logic [31:0] packets;        // of a run; 0: until stop
    logic [31:0] memory_bytes;
    logic [5:0]  bank_shift;     // log2 of the distance of banks, 0: memory is one piece
    logic [63:0] deadline;       // steps of an invocation; 0: none
  } settings_t;

  typedef enum logic [7:0] {
    CodeFine         = 8'd0,
    // The program was refused
    CodeBase         = 8'd1,     // its address is no multiple of 4096
    CodeBus          = 8'd2,     // an error on the bus while it was read
    CodeMagic        = 8'd3,
    CodeVersion      = 8'd4,
    CodeHardware     = 8'd5,     // for an overlay of other sizes
    CodeSize         = 8'd6,     // sections end elsewhere than the file, or reserved words
    CodeSum          = 8'd7,
    CodeCode         = 8'd8,     // too much code, or an entry outside
    CodeContexts     = 8'd9,     // too many
    CodeSection      = 8'd10,    // of no table, no PE, or past a table's end
    CodeMemory       = 8'd11,    // it needs more memory than the job has
    // The run was ended
    CodeGridTrap     = 8'd16,
    CodeScalarTrap   = 8'd17,
    CodeAbort        = 8'd18,
    CodeDataBus      = 8'd19     // an error on a memory port
  } code_e;

  typedef struct packed {
    code_e       code;
    logic [31:0] detail;         // word of the program that was refused; PC of a trap
    logic [31:0] admitted, answered;
    logic [31:0] handled, forwarded, dropped, too_long, tiles;
    logic [63:0] cycles, hardware;
  } status_t;

endpackage

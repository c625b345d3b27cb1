"""What the cells of an ECP5 do of which Yosys has the ports alone: block RAM and the multiplier, as Verilog.

Of block RAM what the flow of synthesis.py makes of it: ports of one width, no output register, one chip
select. It begins with 0.
"""
# A look-up table as Yosys' own cell, which it writes in one line.
TABLES = """module LUT4(input A, input B, input C, input D, output Z);
  parameter [15:0] INIT = 16'd0;
  \\$lut #(.WIDTH(4), .LUT(INIT)) table_ (.A({D, C, B, A}), .Y(Z));
endmodule
"""
# A row is two bytes of nine bits, of which narrow ports see eight: a bit of data is at this place. Ports of 36
# bits have two rows, of which port A writes both, with DIB as the upper one, and port B reads both.
PLACE = """
  function automatic [9:0] row(input [13:0] address);
    row = address[13:4];
  endfunction
  function automatic [17:0] moved(input [17:0] word, input [13:0] address, input integer width);
    moved = width >= 18 ? word : width == 9 ? word >> 9 * address[3]
          : (word >> 9 * address[3]) >> (width == 4 ? 4 * address[2] : width == 2 ? 2 * address[2:1] : address[2:0]);
  endfunction
  function automatic [17:0] mask(input [13:0] address, input integer width);
    mask = width >= 18 ? {{9{address[1]}}, {9{address[0]}}} : width == 9 ? 18'h1ff << 9 * address[3]
         : ((18'd1 << width) - 18'd1) << (9 * address[3] + (width == 4 ? 4 * address[2] : width == 2 ? 2 * address[2:1]
                                                            : address[2:0]));
  endfunction
  function automatic [17:0] spread(input [17:0] data, input [13:0] address, input integer width);
    spread = width >= 18 ? data : data << (9 * address[3] + (width == 9 ? 0 : width == 4 ? 4 * address[2]
                                                             : width == 2 ? 2 * address[2:1] : address[2:0]));
  endfunction
  function automatic [17:0] written(input [17:0] old, input [17:0] data, input [13:0] address, input integer width);
    written = (old & ~mask(address, width)) | (spread(data, address, width) & mask(address, width));
  endfunction
  function automatic writes(input [13:0] address, input integer width);   // enables of bytes
    writes = width == 36 ? address[3:0] != 0 : width == 18 ? address[1:0] != 0 : 1;
  endfunction
  function automatic [13:0] place(input [13:0] address, input integer width);
    place = address >> (width == 36 ? 5 : width == 18 ? 4 : width == 9 ? 3 : width == 4 ? 2 : width == 2 ? 1 : 0);
  endfunction"""


def bits(way, name, count):
    """Ports of a bit each, as the cells have them."""
    return [f"{way} {name}{n}" for n in range(count)]


def vector(name, count, port=None):
    """Those of an input as one."""
    return f"  wire [{count - 1}:0] {port or name}_v = {{{', '.join(f'{name}{n}' for n in reversed(range(count)))}}};"


def multiplier():
    ports = bits("input", "A", 18) + bits("input", "B", 18) + bits("input", "C", 18) + bits("output", "P", 36)
    ports += [f"input {name}" for name in ("SIGNEDA", "SIGNEDB", "SOURCEA", "SOURCEB")]
    ports += [f"input {name}{n}" for name in ("CLK", "CE", "RST") for n in range(4)]
    return f"""module MULT18X18D({', '.join(ports)});
{vector('A', 18)}
{vector('B', 18)}
  wire signed [36:0] product = $signed({{SIGNEDA & A17, A_v}}) * $signed({{SIGNEDB & B17, B_v}});
  assign {{{', '.join(f'P{n}' for n in reversed(range(36)))}}} = product[35:0];
endmodule
"""


def port(x, other):
    """One of the two ports of a block RAM: its registers and what it writes. What the other one writes at the same
    edge is read as anything: here inverted."""
    return f"""
{vector(f'DI{x}', 18)}
{vector(f'AD{x}', 14)}
  localparam Wide{x} = DATA_WIDTH_{x} == 36;
  reg [17:0] out{x};
  initial out{x} = 0;
  wire meets{x} = CE{other} && WE{other} && writes(AD{other}_v, DATA_WIDTH_{other}) && place(AD{x}_v, DATA_WIDTH_{x}) == place(AD{other}_v, DATA_WIDTH_{x});
  wire [17:0] read{x} = moved(mem[row(AD{x}_v)], AD{x}_v, DATA_WIDTH_{x}) ^ {{18{{meets{x}}}}};
  always @(posedge CLK{x})
    if (RST{x})
      out{x} <= 0;
    else if (CE{x}) begin
      if (WE{x} && !Wide{x})
        mem[row(AD{x}_v)] <= written(mem[row(AD{x}_v)], DI{x}_v, AD{x}_v, DATA_WIDTH_{x});
      if (!WE{x} || WRITEMODE_{x} == "READBEFOREWRITE")
        out{x} <= read{x};
      else if (WRITEMODE_{x} == "WRITETHROUGH")
        out{x} <= DI{x}_v;
    end"""


def outputs(x, value):
    return f"  assign {{{', '.join(f'DO{x}{n}' for n in reversed(range(18)))}}} = {value};"


def block_ram():
    ports, parameters = [], []
    for x in "AB":
        ports += bits("input", f"DI{x}", 18) + bits("input", f"AD{x}", 14) + bits("output", f"DO{x}", 18)
        ports += [f"input {name}{x}" for name in ("CLK", "WE", "CE", "OCE", "RST")] + bits("input", f"CS{x}", 3)
        parameters += [f"DATA_WIDTH_{x} = 18", f'WRITEMODE_{x} = "NORMAL"', f'REGMODE_{x} = "NOREG"',
                       f'CSDECODE_{x} = "0b000"', f'CLK{x}MUX = "CLK{x}"']
    parameters += ['GSR = "AUTO"', 'RESETMODE = "SYNC"', 'ASYNC_RESET_RELEASE = "SYNC"']
    parameters += [f"INITVAL_{n:02X} = 320'd0" for n in range(64)]
    return f"""module DP16KD({', '.join(ports)});
  parameter {', '.join(parameters)};
  reg [17:0] mem[0:1023];
  integer i;
  initial for (i = 0; i < 1024; i = i + 1) mem[i] = 0;
{PLACE}
{port('A', 'B')}
{port('B', 'A')}
  wire [9:0] lowA = {{ADA_v[13:5], 1'b0}}, lowB = {{ADB_v[13:5], 1'b0}};
  reg [17:0] low, high;
  initial {{high, low}} = 0;
  always @(posedge CLKA)
    if (CEA && WEA && WideA) begin
      mem[lowA] <= written(mem[lowA], DIA_v, {{12'd0, ADA_v[1:0]}}, 36);
      mem[lowA | 10'd1] <= written(mem[lowA | 10'd1], DIB_v, {{12'd0, ADA_v[3:2]}}, 36);
    end
  always @(posedge CLKB)
    if (RSTB)
      {{high, low}} <= 0;
    else if (CEB)
      {{high, low}} <= {{mem[lowB | 10'd1], mem[lowB]}} ^ {{36{{meetsB}}}};
{outputs('A', 'WideB ? low : outA')}
{outputs('B', 'WideB ? high : outB')}
endmodule
"""


def verilog():
    return multiplier() + block_ram()

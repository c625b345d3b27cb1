// Normalises, rounds and packs: the value sig_i * 2^(exp_i - Bits + 1), whose last bit may be
// sticky. Three steps with registers behind the first two; the last is not registered.
//
// The shift to the left ends at the smallest exponent: a bit is set there for the search of
// the first 1, so that the smaller of both distances is found at once. The search and the
// shift go by groups of bits first, then inside the first group.
module acis_fp_round
  import acis_fu_pkg::*;
#(
  parameter int unsigned Width      = 32,
  parameter int unsigned Bits       = 32,
  parameter bit          ShiftRight = 1'b1,            // exp_i may be below the smallest exponent
  parameter int unsigned Regs1      = 0,
  parameter int unsigned Regs2      = 0,
  localparam int unsigned Exp       = (Width == 64) ? 13 : 10
) (
  input  logic                  clk_i,
  input  logic                  en_i,
  input  logic                  sign_i,
  input  logic signed [Exp-1:0] exp_i,
  input  logic [Bits-1:0]       sig_i,
  input  special_e              special_i,
  input  logic                  is64_i,
  output logic [Width-1:0]      bits_o
);
  localparam int unsigned Group = (Bits > 64) ? 16 : 8;
  localparam int unsigned Groups = (Bits + Group - 1) / Group;
  localparam int unsigned All = Groups * Group;
  localparam int unsigned Fine = $clog2(Group);
  localparam int unsigned Coarse = $clog2(Groups + 1);

  // Step 1: distances, shift by groups.
  typedef struct packed {
    logic             sign;
    special_e         special;
    logic             is64;
    logic             right;
    logic [Fine-1:0]  distance;   // of a fine shift to the right
    logic [Exp-1:0]   field;      // biased exponent before the fine shift
    logic [Group-1:0] first;      // where the fine shift to the left searches
    logic [All-1:0]   sig;
    logic             sticky;
  } shifted_t;
  shifted_t s1_d, s1_q;
  logic [Exp-1:0] room;           // exponents above the smallest
  logic [Exp-1:0] below;
  logic [All-1:0] sig, search;
  logic [Coarse-1:0] leftGroups, rightGroups;
  logic [Coarse+Fine-1:0] rightDistance;
  always_comb begin
    sig = '0;
    sig[All-1 -: Bits] = sig_i;
    room = exp_i + (is64_i ? Exp'(1022) : Exp'(126));
    below = -room;
    s1_d.right = ShiftRight && room[Exp-1];

    search = sig;
    if (!room[Exp-1] && room < Exp'(All))
      search[All - 1 - 32'(room)] = 1'b1;
    leftGroups = Coarse'(Groups - 1);
    for (int unsigned g = 0; g < Groups; ++g)
      if (search[g*Group +: Group] != '0)
        leftGroups = Coarse'(Groups - 1 - g);

    rightDistance = (below > Exp'(All)) ? (Coarse + Fine)'(All) : (Coarse + Fine)'(below);
    rightGroups = rightDistance[Fine +: Coarse];
    s1_d.distance = rightDistance[Fine-1:0];

    s1_d.sign = sign_i;
    s1_d.special = special_i;
    s1_d.is64 = is64_i;
    // Below the smallest exponent the first bit ends up on it, or is 0.
    s1_d.field = s1_d.right ? Exp'(1)
               : exp_i + (is64_i ? Exp'(1023) : Exp'(127)) - Exp'({leftGroups, Fine'(0)});
    search = search << {leftGroups, Fine'(0)};
    s1_d.first = search[All-1 -: Group];
    s1_d.sig = s1_d.right ? sig >> {rightGroups, Fine'(0)} : sig << {leftGroups, Fine'(0)};
    s1_d.sticky = s1_d.right && (sig & ~({All{1'b1}} << {rightGroups, Fine'(0)})) != '0;
  end
  acis_pipe #(.Width($bits(shifted_t)), .Depth(Regs1)) u_step1
    (.clk_i, .en_i, .d_i(s1_d), .q_o(s1_q));

  // Step 2: shift inside a group.
  typedef struct packed {
    logic           sign;
    special_e       special;
    logic           is64;
    logic [Exp-1:0] field;
    logic [All:0]   sig;          // with the sticky bit
  } normal_t;
  normal_t s2_d, s2_q;
  logic [Fine-1:0] left;
  always_comb begin
    left = '1;
    for (int unsigned i = 0; i < Group; ++i)
      if (s1_q.first[i])
        left = Fine'(Group - 1 - i);
    s2_d.sign = s1_q.sign;
    s2_d.special = s1_q.special;
    s2_d.is64 = s1_q.is64;
    s2_d.field = s1_q.right ? s1_q.field : s1_q.field - Exp'(left);
    s2_d.sig = s1_q.right
             ? {s1_q.sig >> s1_q.distance,
                s1_q.sticky || (s1_q.sig & ~({All{1'b1}} << s1_q.distance)) != '0}
             : {s1_q.sig << left, 1'b0};
  end
  acis_pipe #(.Width($bits(normal_t)), .Depth(Regs2)) u_step2
    (.clk_i, .en_i, .d_i(s2_d), .q_o(s2_q));

  // Step 3
  acis_fp_pack #(.Width(Width), .Bits(All + 1)) u_pack (
    .sign_i(s2_q.sign), .field_i(s2_q.field), .sig_i(s2_q.sig), .special_i(s2_q.special),
    .is64_i(s2_q.is64), .bits_o
  );
endmodule

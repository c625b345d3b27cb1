// Normalises, rounds and packs: the value sig_i * 2^(e - Bits + 1), whose last bit may be
// sticky; room_i is e less the smallest exponent of the type. Four steps with registers
// behind the first three; the last is not registered.
//
// The first 1 is searched by groups of bits first, then inside its group; the shift goes the
// same way. A shift to the left ends at the smallest exponent: the place where it is counts as
// a 1 in the search, so that the shorter of both distances is found at once.
module acis_fp_round
  import acis_fu_pkg::*;
#(
  parameter int unsigned Width      = 32,
  parameter int unsigned Bits       = 32,
  parameter bit          ShiftRight = 1'b1,            // room_i may be negative
  parameter int unsigned Regs1      = 0,
  parameter int unsigned Regs2      = 0,
  parameter int unsigned Regs3      = 0,
  localparam int unsigned Exp       = (Width == 64) ? 13 : 10
) (
  input  logic                  clk_i,
  input  logic                  en_i,
  input  logic                  sign_i,
  input  logic signed [Exp-1:0] room_i,
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

  // Step 1: distances in groups.
  typedef struct packed {
    logic                   sign;
    special_e               special;
    logic                   is64;
    logic                   right;
    logic [Coarse+Fine-1:0] distance;    // to the right, or the room to the left
    logic [Coarse-1:0]      groups;      // to the left
    logic [Exp-1:0]         field;       // biased exponent before the shift to the left
    logic [Bits-1:0]        sig;
  } searched_t;
  searched_t s1_d, s1_q;
  logic [Exp-1:0] distance;
  logic [All-1:0] unshifted;
  logic [Groups-1:0] occupied;
  always_comb begin
    s1_d.sign = sign_i;
    s1_d.special = special_i;
    s1_d.is64 = is64_i;
    s1_d.sig = sig_i;
    s1_d.right = ShiftRight && room_i[Exp-1];
    distance = s1_d.right ? -room_i : room_i;
    s1_d.distance = (distance > Exp'(All)) ? (Coarse + Fine)'(All) : (Coarse + Fine)'(distance);
    // Below the smallest exponent the first bit ends up on it, or is 0.
    s1_d.field = s1_d.right ? Exp'(1) : room_i + Exp'(1);

    unshifted = '0;
    unshifted[All-1 -: Bits] = sig_i;
    for (int unsigned g = 0; g < Groups; ++g)
      occupied[Groups-1-g] = unshifted[All-1-g*Group -: Group] != '0
                          || room_i[Exp-1:Fine] == (Exp - Fine)'(g);
  end
  acis_lzc #(.Width(Groups), .CountBits(Coarse)) u_coarse
    (.bits_i(occupied), .count_o(s1_d.groups));
  acis_pipe #(.Width($bits(searched_t)), .Depth(Regs1)) u_step1
    (.clk_i, .en_i, .d_i(s1_d), .q_o(s1_q));

  // Step 2: shift by groups.
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
  shifted_t s2_d, s2_q;
  logic [All-1:0] sig;
  logic [Coarse-1:0] rightGroups;
  logic [Fine-1:0] fine;
  always_comb begin
    sig = '0;
    sig[All-1 -: Bits] = s1_q.sig;
    {rightGroups, fine} = s1_q.distance;
    s2_d.sign = s1_q.sign;
    s2_d.special = s1_q.special;
    s2_d.is64 = s1_q.is64;
    s2_d.right = s1_q.right;
    s2_d.distance = fine;
    s2_d.field = s1_q.right ? s1_q.field : s1_q.field - Exp'({s1_q.groups, Fine'(0)});
    s2_d.sig = s1_q.right ? sig >> {rightGroups, Fine'(0)} : sig << {s1_q.groups, Fine'(0)};
    s2_d.sticky = s1_q.right && (sig & ~({All{1'b1}} << {rightGroups, Fine'(0)})) != '0;
    // The end of the room, if it is in this group.
    s2_d.first = s2_d.sig[All-1 -: Group];
    if (rightGroups == s1_q.groups)
      s2_d.first = s2_d.first | ({1'b1, (Group - 1)'(0)} >> fine);
  end
  acis_pipe #(.Width($bits(shifted_t)), .Depth(Regs2)) u_step2
    (.clk_i, .en_i, .d_i(s2_d), .q_o(s2_q));

  // Step 3: shift inside a group.
  typedef struct packed {
    logic           sign;
    special_e       special;
    logic           is64;
    logic [Exp-1:0] field;
    logic [All:0]   sig;          // with the sticky bit
  } normal_t;
  normal_t s3_d, s3_q;
  logic [Fine:0] left;
  acis_lzc #(.Width(Group), .CountBits(Fine + 1)) u_fine (.bits_i(s2_q.first), .count_o(left));
  always_comb begin
    s3_d.sign = s2_q.sign;
    s3_d.special = s2_q.special;
    s3_d.is64 = s2_q.is64;
    s3_d.field = s2_q.right ? s2_q.field : s2_q.field - Exp'(left);
    s3_d.sig = s2_q.right
             ? {s2_q.sig >> s2_q.distance,
                s2_q.sticky || (s2_q.sig & ~({All{1'b1}} << s2_q.distance)) != '0}
             : {s2_q.sig << left, 1'b0};
  end
  acis_pipe #(.Width($bits(normal_t)), .Depth(Regs3)) u_step3
    (.clk_i, .en_i, .d_i(s3_d), .q_o(s3_q));

  // Step 4
  acis_fp_pack #(.Width(Width), .Bits(All + 1)) u_pack (
    .sign_i(s3_q.sign), .field_i(s3_q.field), .sig_i(s3_q.sig), .special_i(s3_q.special),
    .is64_i(s3_q.is64), .bits_o
  );
endmodule

// Our own instructions, in the custom opcode spaces.

class Number<int width, list<int> allowed = []> : Operand<"imm", "Imm", "Uimm", width> {
  let Allowed = allowed;
}

let Kind = "Custom", Extension = "Xacis" in {

// I format with an unsigned number in the lowest bits of the immediate, zeros above it.
class FormatN<bits<7> opcode, bits<3> funct3, string mnemonic, string text,
              list<Operand> operands> : Instr<mnemonic, text, operands> {
  let Inst{6-0} = opcode;
  let Inst{11-7} = rd;
  let Inst{14-12} = funct3;
  let Inst{19-15} = rs1;
  let Inst{31-20} = 0;
}

def AcisArg : FormatN<0x0b, 0, "acis.arg", "$imm, $rs1", [Number<5>, GprRs1]> {
  bits<5> imm;
  let Inst{24-20} = imm;
  let Inst{11-7} = 0;
  let Semantics = "arg[imm] = x[rs1]";
}
def AcisLaunch : Instr<"acis.launch", "$imm, $rs1, $rs2", [Number<7>, GprRs1, GprRs2]> {
  bits<7> imm;
  let Inst{6-0} = 0x0b;
  let Inst{11-7} = 0;
  let Inst{14-12} = 1;
  let Inst{19-15} = rs1;
  let Inst{24-20} = rs2;
  let Inst{31-25} = imm;
  let Semantics = "if (x[rs1]) launch(imm, x[rs1] iterations, x[rs2] ? x[rs2] : vf in the last)";
}
def AcisResult : FormatN<0x0b, 2, "acis.result", "$rd, $imm", [GprRd, Number<4>]> {
  bits<4> imm;
  let Inst{23-20} = imm;
  let Inst{19-15} = 0;
  let Semantics = "wait(grid idle); x[rd] = result[imm / 2] >> 32 * (imm % 2)";
}
def AcisSync : FormatFixed<0x0000300b, "acis.sync"> {
  let Semantics = "wait(grid idle and memory idle)";
}
def AcisTile : FormatR<0x0b, 4, 0, "acis.tile"> {
  let Semantics = [{t = streamin(x[rs2], 4 bytes);
tilesSkipped += max(0, t - x[rs1]); x[rd] = t}];
}
def Streamin : FormatN<0x2b, 0, "streamin", "$rd, $rs1, $imm",
                       [GprRd, GprRs1, Number<3, [0, 1, 2, 4, 5, 6]>]> {
  bits<3> imm;
  let Inst{22-20} = imm;
  let Semantics = [{n = 2^(imm % 4) bytes; t = streamin(x[rs1], n);
x[rd] = imm >= 4 ? sext(t) : zext(t)}];
}
def Streamout : Instr<"streamout", "$rs2, $rs1, $imm", [GprRs2, GprRs1, Number<2, [0, 1, 2]>]> {
  bits<2> imm;
  let Inst{6-0} = 0x2b;
  let Inst{11-7} = 0;
  let Inst{8-7} = imm;
  let Inst{14-12} = 1;
  let Inst{19-15} = rs1;
  let Inst{24-20} = rs2;
  let Inst{31-25} = 0;
  let Semantics = "streamout(x[rs1], low 2^imm bytes of x[rs2])";
}
def StreamoutV : FormatR<0x2b, 2, 1, "streamout.v", "$vs2, $rs1", [VregVs2, GprRs1]> {
  let Inst{24-20} = vs2;
  let Inst{11-7} = 0;
  let Semantics = [{q = x[rs1]; for p of vpemask: for e < vl:
  streamout(q, v[p][vs2][e]); q += sew / 8}];
}
// One element for all lanes of a beat: dense rows that every lane multiplies with.
class VectorBroadcast<bits<7> log2, int size>
    : FormatR<0x5b, 2, log2, "vlb" # size # ".v", "$vd, ($rs1)", [VregVd, GprRs1]> {
  let Inst{11-7} = vd;
  let Inst{24-20} = 0;
  let Semantics = "v[p][vd][e] = mem" # size # "[x[rs1] + p * vpestride + e / vf * " #
                  !srl(size, 3) # "], in the background";
}
def Vlb8V : VectorBroadcast<0, 8>;
def Vlb16V : VectorBroadcast<1, 16>;
def Vlb32V : VectorBroadcast<2, 32>;
def Vlb64V : VectorBroadcast<3, 64>;
def SpvaccXv : FormatR<0x5b, 0, 0, "spvacc.xv", "$vd, $vs2", [VregVd, VregVs2]> {
  let Inst{11-7} = vd;
  let Inst{24-20} = vs2;
  let Inst{19-15} = 0;
  let Semantics = [{for b < vl: for each lane l: i = beat b of the stream, lane l;
  v[p][vd] beat 0 lane l += i < limit ? v[p][vs2] beat i lane l : 0}];
}
def SpvaccVx : FormatR<0x5b, 1, 0, "spvacc.vx", "$vd, $rs1, $vs2", [VregVd, GprRs1, VregVs2]> {
  let Inst{11-7} = vd;
  let Inst{24-20} = vs2;
  let Semantics = [{for b < vl: for each lane l: i = beat b of the stream, lane l;
  if (i < limit) v[p][vd] beat i lane l += v[p][vs2] beat x[rs1] lane l}];
}

} // Xacis

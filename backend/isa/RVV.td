// The part of RVV 1.0 that the overlay executes: unmasked, unit stride.

let Extension = "RVV" in {

let Kind = "Scalar" in
def Vsetvli : Instr<"vsetvli", "$rd, $rs1, $imm", [GprRd, GprRs1,
                    Operand<"imm", "Imm", "Uimm", 8>]> {
  bits<8> imm;
  let Inst{6-0} = 0b1010111;
  let Inst{11-7} = rd;
  let Inst{14-12} = 0b111;
  let Inst{19-15} = rs1;
  let Inst{27-20} = imm;
  let Inst{31-28} = 0b0000;
  let Semantics = [{vtype = imm; avl = rs1 ? x[rs1] : rd ? 2^32 - 1 : vl;
vl = min(avl, vlmax); x[rd] = vl}];
}

let Kind = "Vector" in {

class VectorMemory<bits<7> opcode, bits<3> width, string mnemonic, string text,
                   list<Operand> operands> : Instr<mnemonic, text, operands> {
  let Inst{6-0} = opcode;
  let Inst{14-12} = width;
  let Inst{19-15} = rs1;
  let Inst{31-20} = 0b000000100000; // one field, unit stride, unmasked
}
class VectorLoad<bits<3> width, int size>
    : VectorMemory<0b0000111, width, "vle" # size # ".v", "$vd, ($rs1)", [VregVd, GprRs1]> {
  let Inst{11-7} = vd;
  let Semantics = "v[p][vd][e] = mem" # size # "[x[rs1] + p * vpestride + e * " # !srl(size, 3) #
                  "], in the background";
}
def Vle8V : VectorLoad<0b000, 8>;
def Vle16V : VectorLoad<0b101, 16>;
def Vle32V : VectorLoad<0b110, 32>;
def Vle64V : VectorLoad<0b111, 64>;

class VectorStore<bits<3> width, int size>
    : VectorMemory<0b0100111, width, "vse" # size # ".v", "$vs3, ($rs1)", [VregVs3, GprRs1]> {
  let Inst{11-7} = vs3;
  let Semantics = "mem" # size # "[x[rs1] + p * vpestride + e * " # !srl(size, 3) #
                  "] = v[p][vs3][e], in the background";
}
def Vse8V : VectorStore<0b000, 8>;
def Vse16V : VectorStore<0b101, 16>;
def Vse32V : VectorStore<0b110, 32>;
def Vse64V : VectorStore<0b111, 64>;

class VectorOp<bits<6> funct6, bits<3> funct3, string mnemonic, string text,
               list<Operand> operands, string value> : Instr<mnemonic, text, operands> {
  let Inst{6-0} = 0b1010111;
  let Inst{11-7} = vd;
  let Inst{14-12} = funct3;
  let Inst{19-15} = rs1;
  let Inst{24-20} = vs2;
  let Inst{25} = 1; // unmasked
  let Inst{31-26} = funct6;
  let Semantics = "v[p][vd][e] = " # value;
}
class VectorVv<bits<6> funct6, bits<3> funct3, string mnemonic, string value>
    : VectorOp<funct6, funct3, mnemonic, "$vd, $vs2, $vs1", [VregVd, VregVs2, VregVs1], value> {
  let Inst{19-15} = vs1;
}
class VectorVx<bits<6> funct6, bits<3> funct3, string mnemonic, string value>
    : VectorOp<funct6, funct3, mnemonic, "$vd, $vs2, $rs1", [VregVd, VregVs2, GprRs1], value>;

def VmvVI : Instr<"vmv.v.i", "$vd, $imm", [VregVd, Simm5]> {
  bits<5> imm;
  let Inst{6-0} = 0b1010111;
  let Inst{11-7} = vd;
  let Inst{14-12} = 0b011;
  let Inst{19-15} = imm;
  let Inst{31-20} = 0b010111100000;
  let Semantics = "v[p][vd][e] = imm";
}
def VmvVX : VectorOp<0b010111, 0b100, "vmv.v.x", "$vd, $rs1", [VregVd, GprRs1], "x[rs1]"> {
  let Inst{24-20} = 0;
}
def VaddVv : VectorVv<0b000000, 0b000, "vadd.vv", "v[p][vs2][e] + v[p][vs1][e]">;
def VaddVx : VectorVx<0b000000, 0b100, "vadd.vx", "v[p][vs2][e] + x[rs1]">;
def VmulVv : VectorVv<0b100101, 0b010, "vmul.vv", "v[p][vs2][e] * v[p][vs1][e]">;
def VmulVx : VectorVx<0b100101, 0b110, "vmul.vx", "v[p][vs2][e] * x[rs1]">;
def VfaddVv : VectorVv<0b000000, 0b001, "vfadd.vv", "fadd(v[p][vs2][e], v[p][vs1][e])">;
def VfmulVv : VectorVv<0b100100, 0b001, "vfmul.vv", "fmul(v[p][vs2][e], v[p][vs1][e])">;

} // Vector
} // RVV

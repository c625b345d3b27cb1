// RV32I, M and the CSR instructions: encodings as published.

let Kind = "Scalar", Extension = "RV32I" in {

let Semantics = "x[rd] = imm" in
def Lui : FormatU<0b0110111, "lui">;
let Semantics = "x[rd] = pc + imm" in
def Auipc : FormatU<0b0010111, "auipc">;
let Semantics = "x[rd] = pc + 4; pc = pc + imm" in
def Jal : FormatJ<0b1101111, "jal">;
let Semantics = "t = (x[rs1] + imm) & ~1; x[rd] = pc + 4; pc = t" in
def Jalr : FormatI<0b1100111, 0b000, "jalr", "$rd, $imm($rs1)">;

class BranchInstr<bits<3> funct3, string mnemonic, string condition>
    : FormatB<0b1100011, funct3, mnemonic> {
  let Semantics = "if (" # condition # ") pc = pc + imm";
}
def Beq : BranchInstr<0b000, "beq", "x[rs1] == x[rs2]">;
def Bne : BranchInstr<0b001, "bne", "x[rs1] != x[rs2]">;
def Blt : BranchInstr<0b100, "blt", "s(x[rs1]) < s(x[rs2])">;
def Bge : BranchInstr<0b101, "bge", "s(x[rs1]) >= s(x[rs2])">;
def Bltu : BranchInstr<0b110, "bltu", "x[rs1] < x[rs2]">;
def Bgeu : BranchInstr<0b111, "bgeu", "x[rs1] >= x[rs2]">;

class LoadInstr<bits<3> funct3, string mnemonic, string value>
    : FormatI<0b0000011, funct3, mnemonic, "$rd, $imm($rs1)"> {
  let Semantics = "x[rd] = " # value;
}
def Lb : LoadInstr<0b000, "lb", "sext(mem8[x[rs1] + imm])">;
def Lh : LoadInstr<0b001, "lh", "sext(mem16[x[rs1] + imm])">;
def Lw : LoadInstr<0b010, "lw", "mem32[x[rs1] + imm]">;
def Lbu : LoadInstr<0b100, "lbu", "zext(mem8[x[rs1] + imm])">;
def Lhu : LoadInstr<0b101, "lhu", "zext(mem16[x[rs1] + imm])">;

class StoreInstr<bits<3> funct3, string mnemonic, int size>
    : FormatS<0b0100011, funct3, mnemonic> {
  let Semantics = "mem" # size # "[x[rs1] + imm] = x[rs2]";
}
def Sb : StoreInstr<0b000, "sb", 8>;
def Sh : StoreInstr<0b001, "sh", 16>;
def Sw : StoreInstr<0b010, "sw", 32>;

class ImmInstr<bits<3> funct3, string mnemonic, string value>
    : FormatI<0b0010011, funct3, mnemonic> {
  let Semantics = "x[rd] = " # value;
}
def Addi : ImmInstr<0b000, "addi", "x[rs1] + imm">;
def Slti : ImmInstr<0b010, "slti", "s(x[rs1]) < imm ? 1 : 0">;
def Sltiu : ImmInstr<0b011, "sltiu", "x[rs1] < u(imm) ? 1 : 0">;
def Xori : ImmInstr<0b100, "xori", "x[rs1] ^ imm">;
def Ori : ImmInstr<0b110, "ori", "x[rs1] | imm">;
def Andi : ImmInstr<0b111, "andi", "x[rs1] & imm">;

class ShiftInstr<bits<3> funct3, bits<7> upper, string mnemonic, string value>
    : Instr<mnemonic, "$rd, $rs1, $imm", [GprRd, GprRs1, Shamt]> {
  bits<5> imm;
  let Inst{6-0} = 0b0010011;
  let Inst{11-7} = rd;
  let Inst{14-12} = funct3;
  let Inst{19-15} = rs1;
  let Inst{24-20} = imm;
  let Inst{31-25} = upper;
  let Semantics = "x[rd] = " # value;
}
def Slli : ShiftInstr<0b001, 0b0000000, "slli", "x[rs1] << imm">;
def Srli : ShiftInstr<0b101, 0b0000000, "srli", "x[rs1] >> imm">;
def Srai : ShiftInstr<0b101, 0b0100000, "srai", "s(x[rs1]) >> imm">;

class RegInstr<bits<3> funct3, bits<7> funct7, string mnemonic, string value>
    : FormatR<0b0110011, funct3, funct7, mnemonic> {
  let Semantics = "x[rd] = " # value;
}
def Add : RegInstr<0b000, 0b0000000, "add", "x[rs1] + x[rs2]">;
def Sub : RegInstr<0b000, 0b0100000, "sub", "x[rs1] - x[rs2]">;
def Sll : RegInstr<0b001, 0b0000000, "sll", "x[rs1] << (x[rs2] & 31)">;
def Slt : RegInstr<0b010, 0b0000000, "slt", "s(x[rs1]) < s(x[rs2]) ? 1 : 0">;
def Sltu : RegInstr<0b011, 0b0000000, "sltu", "x[rs1] < x[rs2] ? 1 : 0">;
def Xor : RegInstr<0b100, 0b0000000, "xor", "x[rs1] ^ x[rs2]">;
def Srl : RegInstr<0b101, 0b0000000, "srl", "x[rs1] >> (x[rs2] & 31)">;
def Sra : RegInstr<0b101, 0b0100000, "sra", "s(x[rs1]) >> (x[rs2] & 31)">;
def Or : RegInstr<0b110, 0b0000000, "or", "x[rs1] | x[rs2]">;
def And : RegInstr<0b111, 0b0000000, "and", "x[rs1] & x[rs2]">;

let Semantics = "nothing: the scalar unit is in order" in
def Fence : Instr<"fence", "", []> {
  // Any predecessor and successor set: rd, rs1, fm, pred, succ are not looked at.
  bits<25> any;
  let Inst{6-0} = 0b0001111;
  let Inst{11-7} = any{4-0};
  let Inst{14-12} = 0b000;
  let Inst{31-15} = any{21-5};
}
let Semantics = "trap(\"ecall\")" in
def Ecall : FormatFixed<0x00000073, "ecall">;
let Semantics = "trap(\"ebreak\")" in
def Ebreak : FormatFixed<0x00100073, "ebreak">;
let Semantics = "end of the invocation; pc = pc + 4" in
def Wfi : FormatFixed<0x10500073, "wfi">;

} // RV32I

let Kind = "Scalar", Extension = "Zicsr" in {

class CsrInstr<bits<3> funct3, string mnemonic, string text, Operand source, string semantics>
    : FormatI<0b1110011, funct3, mnemonic, text, [GprRd, Csr, source]> {
  let Semantics = semantics;
}
def Csrrw : CsrInstr<0b001, "csrrw", "$rd, $imm, $rs1", GprRs1,
                     "t = csr[imm]; csr[imm] = x[rs1]; x[rd] = t">;
def Csrrs : CsrInstr<0b010, "csrrs", "$rd, $imm, $rs1", GprRs1,
                     "t = csr[imm]; if (rs1) csr[imm] = t | x[rs1]; x[rd] = t">;
def Csrrc : CsrInstr<0b011, "csrrc", "$rd, $imm, $rs1", GprRs1,
                     "t = csr[imm]; if (rs1) csr[imm] = t & ~x[rs1]; x[rd] = t">;
def Csrrwi : CsrInstr<0b101, "csrrwi", "$rd, $imm, $rs1", Uimm5,
                      "t = csr[imm]; csr[imm] = rs1; x[rd] = t">;
def Csrrsi : CsrInstr<0b110, "csrrsi", "$rd, $imm, $rs1", Uimm5,
                      "t = csr[imm]; if (rs1) csr[imm] = t | rs1; x[rd] = t">;
def Csrrci : CsrInstr<0b111, "csrrci", "$rd, $imm, $rs1", Uimm5,
                      "t = csr[imm]; if (rs1) csr[imm] = t & ~rs1; x[rd] = t">;

} // Zicsr

let Kind = "Scalar", Extension = "M" in {

class MulInstr<bits<3> funct3, string mnemonic, string value>
    : FormatR<0b0110011, funct3, 0b0000001, mnemonic> {
  let Semantics = "x[rd] = " # value;
}
def Mul : MulInstr<0b000, "mul", "x[rs1] * x[rs2]">;
def Mulh : MulInstr<0b001, "mulh", "(s(x[rs1]) * s(x[rs2])) >> 32">;
def Mulhsu : MulInstr<0b010, "mulhsu", "(s(x[rs1]) * x[rs2]) >> 32">;
def Mulhu : MulInstr<0b011, "mulhu", "(x[rs1] * x[rs2]) >> 32">;
def Div : MulInstr<0b100, "div",
    "x[rs2] == 0 ? -1 : overflow ? x[rs1] : s(x[rs1]) / s(x[rs2])">;
def Divu : MulInstr<0b101, "divu", "x[rs2] == 0 ? 2^32 - 1 : x[rs1] / x[rs2]">;
def Rem : MulInstr<0b110, "rem",
    "x[rs2] == 0 ? x[rs1] : overflow ? 0 : s(x[rs1]) % s(x[rs2])">;
def Remu : MulInstr<0b111, "remu", "x[rs2] == 0 ? x[rs1] : x[rs1] % x[rs2]">;

} // M

// Classes of the ISA description. acis-tblgen reads the records and writes the C++
// tables, the SystemVerilog package and docs/isa.md.

//===- Instructions -------------------------------------------------------===//

// An operand. Its bits stand in Inst under the operand's name, or, if they are not
// contiguous, wherever Inst names them.
class Operand<string name, string role, string kind, int width, bit isSigned = 0> {
  string Name = name;
  string Role = role;       // field of Decoded: Rd, Rs1, Rs2, Imm
  string Kind = kind;       // OperandKind
  int Bits = width;
  bit Signed = isSigned;
  list<int> Allowed = [];   // values below 64; empty: any
}

def GprRd : Operand<"rd", "Rd", "Gpr", 5>;
def GprRs1 : Operand<"rs1", "Rs1", "Gpr", 5>;
def GprRs2 : Operand<"rs2", "Rs2", "Gpr", 5>;
def VregVd : Operand<"vd", "Rd", "Vreg", 5>;
def VregVs1 : Operand<"vs1", "Rs1", "Vreg", 5>;
def VregVs2 : Operand<"vs2", "Rs2", "Vreg", 5>;
def VregVs3 : Operand<"vs3", "Rd", "Vreg", 5>; // of a store, in the place of vd
def Simm12 : Operand<"imm", "Imm", "Simm", 12, 1>;
def Simm5 : Operand<"imm", "Imm", "Simm", 5, 1>;
def Shamt : Operand<"imm", "Imm", "Uimm", 5>;
def Upper : Operand<"imm", "Imm", "Upper", 32, 1>;
def Branch12 : Operand<"imm", "Imm", "Branch", 13, 1>;
def Branch20 : Operand<"imm", "Imm", "Branch", 21, 1>;
def Csr : Operand<"imm", "Imm", "Csr", 12>;
def Uimm5 : Operand<"rs1", "Rs1", "Uimm", 5>;

class Instr<string mnemonic, string text, list<Operand> operands> {
  string Mnemonic = mnemonic;
  string Text = text;
  list<Operand> Operands = operands;
  string Extension;
  string Kind;                // Scalar, Vector, Custom
  string Semantics;           // pseudo-code, see the conventions in docs/isa.md
  bits<32> Inst;
  bits<5> rd;
  bits<5> rs1;
  bits<5> rs2;
  bits<5> vd;
  bits<5> vs1;
  bits<5> vs2;
  bits<5> vs3;
}

class FormatR<bits<7> opcode, bits<3> funct3, bits<7> funct7, string mnemonic,
              string text = "$rd, $rs1, $rs2", list<Operand> operands = [GprRd, GprRs1, GprRs2]>
    : Instr<mnemonic, text, operands> {
  let Inst{6-0} = opcode;
  let Inst{11-7} = rd;
  let Inst{14-12} = funct3;
  let Inst{19-15} = rs1;
  let Inst{24-20} = rs2;
  let Inst{31-25} = funct7;
}

class FormatI<bits<7> opcode, bits<3> funct3, string mnemonic,
              string text = "$rd, $rs1, $imm", list<Operand> operands = [GprRd, GprRs1, Simm12]>
    : Instr<mnemonic, text, operands> {
  bits<12> imm;
  let Inst{6-0} = opcode;
  let Inst{11-7} = rd;
  let Inst{14-12} = funct3;
  let Inst{19-15} = rs1;
  let Inst{31-20} = imm;
}

class FormatS<bits<7> opcode, bits<3> funct3, string mnemonic,
              string text = "$rs2, $imm($rs1)", list<Operand> operands = [GprRs2, GprRs1, Simm12]>
    : Instr<mnemonic, text, operands> {
  bits<12> imm;
  let Inst{6-0} = opcode;
  let Inst{11-7} = imm{4-0};
  let Inst{14-12} = funct3;
  let Inst{19-15} = rs1;
  let Inst{24-20} = rs2;
  let Inst{31-25} = imm{11-5};
}

class FormatB<bits<7> opcode, bits<3> funct3, string mnemonic>
    : Instr<mnemonic, "$rs1, $rs2, $imm", [GprRs1, GprRs2, Branch12]> {
  bits<13> imm;
  let Inst{6-0} = opcode;
  let Inst{7} = imm{11};
  let Inst{11-8} = imm{4-1};
  let Inst{14-12} = funct3;
  let Inst{19-15} = rs1;
  let Inst{24-20} = rs2;
  let Inst{30-25} = imm{10-5};
  let Inst{31} = imm{12};
}

class FormatU<bits<7> opcode, string mnemonic> : Instr<mnemonic, "$rd, $imm", [GprRd, Upper]> {
  bits<32> imm;
  let Inst{6-0} = opcode;
  let Inst{11-7} = rd;
  let Inst{31-12} = imm{31-12};
}

class FormatJ<bits<7> opcode, string mnemonic> : Instr<mnemonic, "$rd, $imm", [GprRd, Branch20]> {
  bits<21> imm;
  let Inst{6-0} = opcode;
  let Inst{11-7} = rd;
  let Inst{19-12} = imm{19-12};
  let Inst{20} = imm{11};
  let Inst{30-21} = imm{10-1};
  let Inst{31} = imm{20};
}

// Every bit fixed.
class FormatFixed<bits<32> word, string mnemonic> : Instr<mnemonic, "", []> {
  let Inst = word;
}

//===- Operations of a functional unit ------------------------------------===//

// In the order of their codes; `unit` is a UnitClass.
class Op<string mnemonic, string unit, int operands, string semantics> {
  string Mnemonic = mnemonic;
  string Unit = unit;
  int Operands = operands;
  string Semantics = semantics;
}

//===- Context words ------------------------------------------------------===//

// Kinds: Uint; Sint (two's complement); Bool; Arg (an index, all ones for none).
class Field<string member, int width, string kind, string meaning> {
  string Member = member;   // in the C++ struct
  int Width = width;
  string Kind = kind;
  string Meaning = meaning;
}

// Fields are packed from bit 0 up, the record is padded to whole 32-bit words.
class ContextRecord<string name, string summary, list<Field> fields> {
  string Name = name;
  string Summary = summary;
  list<Field> Fields = fields;
}

//===- Signals of ports that C++ reads ------------------------------------===//

// Fields are packed from bit 0 up, without padding.
class Signals<string name, string type, string summary, list<Field> fields> {
  string Name = name;
  string Type = type;       // in SystemVerilog
  string Summary = summary;
  list<Field> Fields = fields;
}

//===- Numbers that C++, SystemVerilog and the manual share ---------------===//

// A number: isa::<record> in C++, acis_isa_pkg::<record> in SystemVerilog, with so many bits
// (0: unsigned and int unsigned). Texts of all records name it as @<record>@.
class Constant<int value, string meaning, int width = 0> {
  string Header = "Numbers";   // of C++
  int Value = value;
  string Meaning = meaning;
  int Width = width;
}

// Codes of one kind: enum class isa::<name>, `type` of acis_isa_pkg with so many bits. Num<name>s
// is one more than its last code.
class Enumeration<string name, string type, int width, string summary> {
  string Header = "Numbers";   // of C++
  string Name = name;
  string Type = type;
  int Width = width;
  string Summary = summary;
}

// A code with a name, <name> in C++ and <record> in SystemVerilog. One that stands for `count`
// codes in a row has a name that ends in 0; SystemVerilog has the last of them, too.
class Code<Enumeration enumeration, string name, int value, string meaning, int count = 1> {
  Enumeration Enum = enumeration;
  string Name = name;
  int Value = value;
  string Meaning = meaning;
  int Count = count;
}

// A register that CSR instructions reach: isa::<record>, acis_isa_pkg::<record>. As RISC-V has
// it, bits 11 and 10 of the number are set if it cannot be written.
class CsrRegister<string name, int number, string access, string meaning> {
  string Name = name;
  int Number = number;
  string Access = access;   // "read", "read, write"
  string Meaning = meaning;
}

// Why a run ends, in the words of every engine: isa::<record>() in C++ makes the text, with a
// parameter for each {name} in it, in the order in which they appear. {name} is a decimal number,
// {name:hex} one of 8 hexadecimal digits, {name:hex3} of 3, {name:text} a text.
class TrapReason<string text> {
  string Text = text;
  int Code = 0;             // 0: none
}

// One that the scalar unit of the RTL reports by code: trap_e of acis_isa_pkg.
class ScalarTrap<int number, string text> : TrapReason<text> {
  let Code = number;
}

// Text of docs/isa.md before the tables of a chapter.
class Chapter<string title, string text> {
  string Title = title;
  string Text = text;
}

// acis_isa_pkg.sv: numbers, opcodes, codes and context words for the RTL.
#include "backend/isa/acis-tblgen/Emitters.h"
#include "backend/isa/acis-tblgen/Records.h"
#include "backend/isa/acis-tblgen/Shared.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace acis::tblgen {

namespace {

std::string hex32(uint32_t value) { return "32'h" + utohexstr(value, /*LowerCase=*/true, 8); }

/// A field's name; words of the language get an underscore.
std::string fieldName(const Field &field) {
  std::string name = identifier(field.member);
  bool keyword = StringSwitch<bool>(name)
                     .Cases({"type", "reg", "bit", "byte", "int", "wire", "with", "context"}, true)
                     .Default(false);
  return keyword ? name + "_" : name;
}

void emitInstrConstants(const RecordKeeper &records, raw_ostream &os) {
  os << "  // Instructions: word & Mask == Match.\n";
  for (const Instr &instr : readInstrs(records)) {
    os << "  parameter logic [31:0] " << instr.name << "Mask = " << hex32(instr.mask) << ";\n";
    os << "  parameter logic [31:0] " << instr.name << "Match = " << hex32(instr.match) << ";\n";
  }
}

void emitOpEnum(const RecordKeeper &records, unsigned width, raw_ostream &os) {
  std::vector<const Record *> ops = inOrder(records, "Op");
  os << "\n  // Operations of a functional unit.\n  typedef enum logic [" << width - 1 << ":0] {\n";
  for (unsigned code = 0; code < ops.size(); ++code)
    os << "    " << ops[code]->getName() << " = " << width << "'d" << code
       << (code + 1 < ops.size() ? ",\n" : "\n");
  os << "  } op_e;\n";
}

void emitConstants(const RecordKeeper &records, raw_ostream &os) {
  os << "\n  // Numbers\n";
  for (const Constant &constant : readConstants(records)) {
    os << "  parameter ";
    if (constant.width == 0)
      os << "int unsigned " << constant.name << " = " << constant.value;
    else
      os << "logic [" << constant.width - 1 << ":0] " << constant.name << " = " << constant.width
         << "'h" << utohexstr(constant.value, /*LowerCase=*/true);
    os << "; // " << constant.meaning << "\n";
  }
}

/// Names and values of an enum.
using Labels = std::vector<std::pair<std::string, unsigned>>;

void emitEnum(StringRef summary, StringRef type, unsigned width, const Labels &labels,
              raw_ostream &os) {
  os << "\n  // " << summary << "\n  typedef enum logic [" << width - 1 << ":0] {\n";
  for (const auto &[name, value] : labels)
    os << "    " << name << " = " << width << "'d" << value
       << (name == labels.back().first ? "\n" : ",\n");
  os << "  } " << type << ";\n";
}

void emitEnumerations(const RecordKeeper &records, raw_ostream &os) {
  for (const Enumeration &enumeration : readEnumerations(records)) {
    Labels labels;
    for (const Code &code : enumeration.codes) {
      labels.emplace_back(code.record, code.value);
      if (code.count > 1)
        labels.emplace_back(lastName(code.record, code.count), code.value + code.count - 1);
    }
    emitEnum(enumeration.summary, enumeration.type, enumeration.width, labels, os);
    os << "  parameter int unsigned Num" << enumeration.name << "s = " << numCodes(enumeration)
       << ";\n";
  }
}

void emitTrapEnum(const RecordKeeper &records, raw_ostream &os) {
  Labels labels;
  for (const Trap &trap : readTraps(records))
    if (trap.code)
      labels.emplace_back(trap.name, trap.code);
  emitEnum("Why the scalar unit traps.", "trap_e", 5, labels, os);
}

void emitCsrs(const RecordKeeper &records, raw_ostream &os) {
  os << "\n  // Numbers of CSRs\n";
  for (const Csr &csr : readCsrs(records))
    os << "  parameter logic [11:0] " << csr.record << " = 12'h"
       << utohexstr(csr.number, /*LowerCase=*/true) << ";\n";
}

/// A packed struct starts at the highest bit, so the fields come in reverse.
void emitStruct(const ContextRecord &context, raw_ostream &os) {
  std::string type = StringRef(context.name).lower();
  os << "\n  // " << context.summary << "\n";
  os << "  parameter int unsigned " << context.name << "Words = " << context.words << ";\n";
  os << "  typedef struct packed {\n";
  if (unsigned padding = context.words * 32 - context.bits)
    os << "    logic [" << padding - 1 << ":0] padding;\n";
  for (const Field &field : reverse(context.fields))
    os << "    logic " << (field.kind == "Sint" ? "signed " : "") << "[" << field.width - 1
       << ":0] " << fieldName(field) << "; // bit " << field.offset << "\n";
  os << "  } " << type << "_record_t;\n";
}

/// Signals of a port, of which one bit needs no range.
void emitSignalStruct(const SignalRecord &signals, raw_ostream &os) {
  os << "\n  // " << signals.summary << "\n  typedef struct packed {\n";
  for (const Field &field : reverse(signals.fields)) {
    os << "    logic ";
    if (field.width > 1)
      os << "[" << field.width - 1 << ":0] ";
    os << fieldName(field) << "; // " << field.meaning << "\n";
  }
  os << "  } " << signals.type << ";\n";
}

} // namespace

void emitSystemVerilog(const RecordKeeper &records, raw_ostream &os) {
  os << "// The instruction set and the context words of the overlay.\n"
        "// Generated by acis-tblgen from backend/isa/*.td.\n\npackage acis_isa_pkg;\n\n";
  emitInstrConstants(records, os);
  std::vector<ContextRecord> contexts = readContextRecords(records);
  for (const ContextRecord &context : contexts)
    for (const Field &field : context.fields)
      if (context.name == "Slot" && field.member == "op")
        emitOpEnum(records, field.width, os);
  emitConstants(records, os);
  emitEnumerations(records, os);
  emitTrapEnum(records, os);
  emitCsrs(records, os);
  for (const ContextRecord &context : contexts)
    emitStruct(context, os);
  for (const SignalRecord &signals : readSignals(records))
    emitSignalStruct(signals, os);
  os << "\nendpackage\n";
}

} // namespace acis::tblgen

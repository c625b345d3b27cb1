// docs/isa.md: prose from Manual.td, tables from all the other records.
#include "backend/isa/acis-tblgen/Emitters.h"
#include "backend/isa/acis-tblgen/Records.h"
#include "backend/isa/acis-tblgen/Shared.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace acis::tblgen {

namespace {

/// Text for a table cell: "|" would end it, a line break becomes <br>.
std::string cell(StringRef text) {
  std::string result;
  for (char c : text)
    result += c == '|' ? "\\|" : c == '\n' ? "<br>" : std::string(1, c);
  return result;
}

/// A line of pseudo-code in a table. Leading blanks would be lost, so they are kept
/// as non-breaking ones.
std::string code(StringRef text) {
  std::string result;
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines) {
    if (!result.empty())
      result += "<br>";
    StringRef rest = line.ltrim(' ');
    for (size_t i = rest.size(); i < line.size(); ++i)
      result += "&nbsp;";
    result += "`" + cell(rest) + "`";
  }
  return result;
}

/// The 32 bits from the highest: fixed bits as digits, operands as name[high:low].
std::string encoding(const Instr &instr) {
  std::string result;
  for (int bit = 31; bit >= 0;) {
    const Operand *owner = nullptr;
    const Segment *place = nullptr;
    for (const Operand &operand : instr.operands)
      for (const Segment &segment : operand.segments)
        if (static_cast<int>(segment.instrBit + segment.width) - 1 == bit) {
          owner = &operand;
          place = &segment;
        }
    if (!result.empty())
      result += ' ';
    if (owner) {
      unsigned high = place->operandBit + place->width - 1;
      result += owner->name;
      if (place->operandBit != 0 || high + 1 != owner->bits)
        result += "[" + utostr(high) +
                  (place->width > 1 ? ":" + utostr(place->operandBit) : std::string()) + "]";
      bit -= static_cast<int>(place->width);
      continue;
    }
    auto isOperand = [&](int b) {
      for (const Operand &operand : instr.operands)
        for (const Segment &segment : operand.segments)
          if (b >= int(segment.instrBit) && b < int(segment.instrBit + segment.width))
            return true;
      return false;
    };
    // Fixed bits, with a gap where a field of the standard formats ends.
    do {
      result += instr.mask >> bit & 1 ? (instr.match >> bit & 1 ? '1' : '0') : '-';
      --bit;
    } while (bit >= 0 && !isOperand(bit) && !is_contained({24, 19, 14, 11, 6}, bit));
  }
  return result;
}

void emitTitle(const RecordKeeper &records, StringRef name, raw_ostream &os) {
  os << "\n## " << records.getDef(name)->getValueAsString("Title") << "\n";
}

void emitText(const RecordKeeper &records, StringRef name, raw_ostream &os) {
  os << "\n" << StringRef(textWithNumbers(records.getDef(name), "Text")).trim() << "\n";
}

void emitChapter(const RecordKeeper &records, StringRef name, raw_ostream &os) {
  emitTitle(records, name, os);
  emitText(records, name, os);
}

std::string operandText(const Instr &instr) {
  std::string result;
  for (char c : instr.text)
    if (c != '$')
      result += c;
  return instr.mnemonic + (result.empty() ? "" : " " + result);
}

void emitInstrTables(const std::vector<Instr> &instrs, raw_ostream &os) {
  std::string extension;
  for (const Instr &instr : instrs) {
    if (instr.extension != extension) {
      extension = instr.extension;
      os << "\n### " << extension
         << "\n\n| instruction | bits 31 to 0 | meaning |\n|---|---|---|\n";
    }
    os << "| `" << operandText(instr) << "` | `" << encoding(instr) << "` | "
       << code(instr.semantics) << " |\n";
  }
}

void emitOpTable(const RecordKeeper &records, raw_ostream &os) {
  os << "\n| code | operation | unit class | operands | result |\n|---|---|---|---|---|\n";
  unsigned number = 0;
  for (const Record *op : inOrder(records, "Op"))
    os << "| " << number++ << " | `" << op->getValueAsString("Mnemonic") << "` | "
       << op->getValueAsString("Unit").lower() << " | " << op->getValueAsInt("Operands") << " | "
       << code(op->getValueAsString("Semantics")) << " |\n";
}

/// Codes of context words stand in their chapter, all others with the numbers.
bool isOfContexts(const Enumeration &enumeration) {
  return enumeration.name == "Type" || enumeration.name == "Source" || enumeration.name == "Input";
}

void emitCodeTable(const RecordKeeper &records, bool ofContexts, raw_ostream &os) {
  os << "\n| kind | code | name | meaning |\n|---|---|---|---|\n";
  for (const Enumeration &enumeration : readEnumerations(records)) {
    if (isOfContexts(enumeration) != ofContexts)
      continue;
    for (const Code &code : enumeration.codes) {
      os << "| " << StringRef(enumeration.name).lower() << " | " << code.value;
      if (code.count > 1)
        os << ".." << code.value + code.count - 1;
      os << " | " << code.name;
      if (code.count > 1)
        os << ".." << lastName(code.name, code.count);
      os << " | " << cell(code.meaning) << " |\n";
    }
  }
}

void emitNumberTable(const RecordKeeper &records, raw_ostream &os) {
  os << "\n| number | value | meaning |\n|---|---|---|\n";
  for (const Constant &constant : readConstants(records))
    os << "| `" << constant.name << "` | " << shown(constant) << " | " << cell(constant.meaning)
       << " |\n";
}

void emitCsrTable(const RecordKeeper &records, raw_ostream &os) {
  os << "\n| CSR | number | access | meaning |\n|---|---|---|---|\n";
  for (const Csr &csr : readCsrs(records))
    os << "| `" << csr.name << "` | 0x" << utohexstr(csr.number) << " | " << csr.access << " | "
       << cell(csr.meaning) << " |\n";
}

void emitTrapTable(const RecordKeeper &records, raw_ostream &os) {
  os << "\n| code | trap | text |\n|---|---|---|\n";
  for (const Trap &trap : readTraps(records)) {
    os << "| " << (trap.code ? utostr(trap.code) : "-") << " | " << trap.name << " | `";
    for (const TrapPiece &piece : trap.pieces)
      os << (piece.name.empty() ? cell(piece.words) : "<" + piece.name + ">");
    os << "` |\n";
  }
}

void emitRecordTables(const std::vector<ContextRecord> &contexts, raw_ostream &os) {
  for (const ContextRecord &context : contexts) {
    os << "\n### Record " << context.name << " (" << context.words
       << (context.words == 1 ? " word)\n\n" : " words)\n\n") << context.summary
       << "\n\n| bits | field | kind | meaning |\n|---|---|---|---|\n";
    for (const Field &field : context.fields) {
      os << "| " << field.offset;
      if (field.width > 1)
        os << ".." << field.offset + field.width - 1;
      os << " | `" << field.member << "` | " << StringRef(field.kind).lower() << " | "
         << cell(field.meaning) << " |\n";
    }
  }
}

} // namespace

void emitManual(const RecordKeeper &records, raw_ostream &os) {
  os << "# The instruction set of the overlay\n\n"
        "<!-- Generated by acis-tblgen from backend/isa/*.td; `ninja acis-isa-doc` writes it. "
        "-->\n";
  emitChapter(records, "Conventions", os);
  emitChapter(records, "Instructions", os);
  emitInstrTables(readInstrs(records), os);
  emitTitle(records, "MachineState", os);
  emitCsrTable(records, os);
  emitText(records, "MachineState", os);
  emitChapter(records, "Numbers", os);
  emitNumberTable(records, os);
  emitCodeTable(records, /*ofContexts=*/false, os);
  emitChapter(records, "Traps", os);
  emitTrapTable(records, os);
  emitChapter(records, "Operations", os);
  emitOpTable(records, os);
  emitChapter(records, "ContextWords", os);
  emitCodeTable(records, /*ofContexts=*/true, os);
  emitRecordTables(readContextRecords(records), os);
}

} // namespace acis::tblgen

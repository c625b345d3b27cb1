// From TableGen's records to plain data.
#include "backend/isa/acis-tblgen/Records.h"

#include "backend/isa/acis-tblgen/Shared.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Error.h"

using namespace llvm;

namespace acis::tblgen {

std::vector<const Record *> inOrder(const RecordKeeper &records, StringRef name) {
  std::vector<const Record *> result(records.getAllDerivedDefinitions(name));
  llvm::sort(result, LessRecordByID());
  return result;
}

std::string identifier(StringRef member) {
  std::string result;
  for (char c : member)
    if (c == '.' || c == '[')
      result += '_';
    else if (c != ']')
      result += c;
  return result;
}

namespace {

std::string text(const Record *record, StringRef field) {
  return record->getValueAsString(field).str();
}

/// Operand bits in ascending order, runs that stand together joined.
std::vector<Segment> segmentsOf(const Record *record, const BitsInit &inst, StringRef name) {
  std::vector<Segment> segments;
  for (unsigned bit = 0; bit < inst.getNumBits(); ++bit) {
    auto *var = dyn_cast<VarBitInit>(inst.getBit(bit));
    if (!var || cast<VarInit>(var->getBitVar())->getName() != name)
      continue;
    unsigned operandBit = var->getBitNum();
    if (!segments.empty()) {
      Segment &last = segments.back();
      if (last.operandBit + last.width == operandBit && last.instrBit + last.width == bit) {
        ++last.width;
        continue;
      }
    }
    segments.push_back({operandBit, bit, 1});
  }
  llvm::sort(segments,
             [](const Segment &a, const Segment &b) { return a.operandBit < b.operandBit; });
  for (unsigned i = 1; i < segments.size(); ++i)
    if (segments[i - 1].operandBit + segments[i - 1].width != segments[i].operandBit)
      PrintFatalError(record, "operand '" + name + "' has bits in two places or in none");
  if (segments.empty())
    PrintFatalError(record, "operand '" + name + "' has no place in Inst");
  return segments;
}

Operand readOperand(const Record *record, const BitsInit &inst, const Record *operand) {
  Operand result{text(operand, "Name"),
                 text(operand, "Role"),
                 text(operand, "Kind"),
                 static_cast<unsigned>(operand->getValueAsInt("Bits")),
                 operand->getValueAsBit("Signed"),
                 0,
                 {}};
  for (int64_t value : operand->getValueAsListOfInts("Allowed")) {
    if (value < 0 || value > 63)
      PrintFatalError(record, "allowed values are 0 to 63");
    result.allowed |= uint64_t(1) << value;
  }
  result.segments = segmentsOf(record, inst, result.name);
  const Segment &last = result.segments.back();
  if (last.operandBit + last.width != result.bits)
    PrintFatalError(record, "operand '" + result.name + "' has " +
                                Twine(last.operandBit + last.width) + " bits in Inst, its class " +
                                Twine(result.bits));
  return result;
}

Instr readInstr(const Record *record) {
  Instr instr{record->getName().str(),
              text(record, "Mnemonic"),
              text(record, "Text"),
              text(record, "Extension"),
              text(record, "Kind"),
              text(record, "Semantics"),
              0,
              0,
              {}};
  const BitsInit &inst = *record->getValueAsBitsInit("Inst");
  for (unsigned bit = 0; bit < 32; ++bit)
    if (auto *fixed = dyn_cast<BitInit>(inst.getBit(bit))) {
      instr.mask |= uint32_t(1) << bit;
      instr.match |= uint32_t(fixed->getValue()) << bit;
    } else if (!isa<VarBitInit>(inst.getBit(bit))) {
      PrintFatalError(record, "bit " + Twine(bit) + " of Inst is not set");
    }
  for (const Record *operand : record->getValueAsListOfDefs("Operands"))
    instr.operands.push_back(readOperand(record, inst, operand));
  return instr;
}

/// Fields one behind the other; bits: of all of them.
std::vector<Field> readFields(const Record *record, unsigned &bits) {
  std::vector<Field> fields;
  bits = 0;
  for (const Record *field : record->getValueAsListOfDefs("Fields")) {
    auto width = static_cast<unsigned>(field->getValueAsInt("Width"));
    if (width < 1 || width > 64)
      PrintFatalError(field, "a field has 1 to 64 bits");
    fields.push_back({text(field, "Member"), text(field, "Kind"), textWithNumbers(field, "Meaning"),
                      bits, width});
    bits += width;
  }
  return fields;
}

} // namespace

std::vector<Instr> readInstrs(const RecordKeeper &records) {
  std::vector<Instr> instrs;
  std::vector<const Record *> definitions = inOrder(records, "Instr");
  instrs.reserve(definitions.size());
  for (const Record *record : definitions)
    instrs.push_back(readInstr(record));
  for (unsigned a = 0; a < instrs.size(); ++a)
    for (unsigned b = 0; b < a; ++b) {
      uint32_t common = instrs[a].mask & instrs[b].mask;
      if ((instrs[a].match & common) == (instrs[b].match & common))
        PrintFatalError(definitions[a], "a word can be this and '" + instrs[b].name + "'");
    }
  return instrs;
}

std::vector<ContextRecord> readContextRecords(const RecordKeeper &records) {
  std::vector<ContextRecord> result;
  for (const Record *record : inOrder(records, "ContextRecord")) {
    ContextRecord context{text(record, "Name"), text(record, "Summary"), {}, 0, 0};
    context.fields = readFields(record, context.bits);
    context.words = (context.bits + 31) / 32;
    result.push_back(std::move(context));
  }
  return result;
}

std::vector<SignalRecord> readSignals(const RecordKeeper &records) {
  std::vector<SignalRecord> result;
  for (const Record *record : inOrder(records, "Signals")) {
    SignalRecord signals{
        text(record, "Name"), text(record, "Type"), text(record, "Summary"), {}, 0};
    signals.fields = readFields(record, signals.bits);
    result.push_back(std::move(signals));
  }
  return result;
}

} // namespace acis::tblgen

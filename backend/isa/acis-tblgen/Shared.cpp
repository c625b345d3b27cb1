// From TableGen's records to what the languages share.
#include "backend/isa/acis-tblgen/Shared.h"

#include "backend/isa/acis-tblgen/Records.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Error.h"

using namespace llvm;

namespace acis::tblgen {

namespace {

std::string text(const Record *record, StringRef field) {
  return record->getValueAsString(field).str();
}

/// The most that so many bits hold; 0 bits are those of unsigned.
uint64_t mostOf(unsigned width) {
  return width == 0 ? 0xffffffff : width >= 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
}

unsigned readWidth(const Record *record, unsigned least, unsigned most) {
  const int64_t width = record->getValueAsInt("Width");
  if (width < least || width > most)
    PrintFatalError(record, "'" + record->getName() + "' has " + Twine(width) +
                                " bits; allowed are " + Twine(least) + " to " + Twine(most));
  return unsigned(width);
}

Constant readConstant(const Record *record) {
  Constant constant{record->getName().str(), text(record, "Header"), text(record, "Meaning"),
                    uint64_t(record->getValueAsInt("Value")), readWidth(record, 0, 63)};
  if (record->getValueAsInt("Value") < 0 || constant.value > mostOf(constant.width))
    PrintFatalError(record,
                    "'" + record->getName() + "' is " + Twine(record->getValueAsInt("Value")) +
                        "; " + Twine(constant.width ? constant.width : 32) + " bits hold 0 to " +
                        Twine(mostOf(constant.width)) + ": give it more bits or another value");
  return constant;
}

/// `kind` as messages have it. A number may be that of one record only.
void checkTwice(const Record *record, StringRef kind, unsigned number, StringRef other) {
  PrintFatalError(record, kind + " " + Twine(number) + " is that of '" + other +
                              "'; take one that is free");
}

Code readCode(const Record *record, const Enumeration &enumeration) {
  const int64_t value = record->getValueAsInt("Value"), count = record->getValueAsInt("Count");
  Code code{record->getName().str(), text(record, "Name"), textWithNumbers(record, "Meaning"),
            unsigned(value), unsigned(count)};
  if (value < 0 || count < 1 || uint64_t(value + count - 1) > mostOf(enumeration.width))
    PrintFatalError(record, "'" + record->getName() + "' takes codes " + Twine(value) + " to " +
                                Twine(value + count - 1) + "; the " + Twine(enumeration.width) +
                                " bits of '" + enumeration.name + "' hold 0 to " +
                                Twine(mostOf(enumeration.width)));
  if (count > 1 && !StringRef(code.name).ends_with("0"))
    PrintFatalError(record, "'" + code.name + "' stands for " + Twine(count) +
                                " codes, so its name has to end in 0");
  for (const Code &other : enumeration.codes)
    if (code.value < other.value + other.count && other.value < code.value + code.count)
      checkTwice(record, "code", std::max(code.value, other.value), other.record);
  return code;
}

/// `description`: what stands between the braces.
TrapPiece readPlace(const Record *record, StringRef description) {
  auto [name, format] = description.split(':');
  TrapPiece piece{"", name.str(), format == "text", 0};
  bool known = format.empty() || piece.isText;
  if (format.consume_front("hex")) {
    piece.digits = 8;
    known = format.empty() ||
            (!format.getAsInteger(10, piece.digits) && piece.digits >= 1 && piece.digits <= 16);
  }
  bool isName = !name.empty() && all_of(name, [](char c) { return isAlpha(c); });
  if (!isName || !known)
    PrintFatalError(record,
                    "'{" + description +
                        "}' is no parameter; allowed are {name}, {name:hex}, {name:hex1} to "
                        "{name:hex16}, {name:text}");
  return piece;
}

Trap readTrap(const Record *record) {
  Trap trap{record->getName().str(), unsigned(record->getValueAsInt("Code")), {}};
  if (record->getValueAsInt("Code") < 0 || trap.code > 31)
    PrintFatalError(record, "a trap's code has 5 bits: 1 to 31, or 0 for none");
  const std::string all = textWithNumbers(record, "Text");
  StringRef rest = all;
  if (rest.empty() || rest.ends_with("."))
    PrintFatalError(record, "a trap's text is not empty and has no full stop");
  while (!rest.empty()) {
    const size_t open = rest.find('{'), close = rest.find('}');
    if (open != 0) {
      trap.pieces.push_back({rest.take_front(open).str(), "", false, 0});
      rest = rest.drop_front(std::min(open, rest.size()));
      continue;
    }
    if (close == StringRef::npos)
      PrintFatalError(record, "'{' without '}' in the trap's text");
    TrapPiece piece = readPlace(record, rest.slice(1, close));
    for (const TrapPiece &other : trap.pieces)
      if (other.name == piece.name)
        PrintFatalError(record, "parameter '" + piece.name + "' is there twice");
    trap.pieces.push_back(std::move(piece));
    rest = rest.drop_front(close + 1);
  }
  return trap;
}

} // namespace

std::vector<Constant> readConstants(const RecordKeeper &records) {
  std::vector<Constant> result;
  for (const Record *record : inOrder(records, "Constant")) {
    result.push_back(readConstant(record));
    result.back().meaning = textWithNumbers(record, "Meaning");
  }
  return result;
}

std::vector<Enumeration> readEnumerations(const RecordKeeper &records) {
  std::vector<Enumeration> result;
  for (const Record *record : inOrder(records, "Enumeration")) {
    Enumeration enumeration{text(record, "Name"),    text(record, "Header"),
                            text(record, "Type"),    textWithNumbers(record, "Summary"),
                            readWidth(record, 1, 8), {}};
    for (const Record *code : inOrder(records, "Code"))
      if (code->getValueAsDef("Enum") == record)
        enumeration.codes.push_back(readCode(code, enumeration));
    if (enumeration.codes.empty())
      PrintFatalError(record, "'" + enumeration.name + "' has no codes");
    result.push_back(std::move(enumeration));
  }
  return result;
}

std::vector<Csr> readCsrs(const RecordKeeper &records) {
  std::vector<Csr> result;
  for (const Record *record : inOrder(records, "CsrRegister")) {
    const int64_t number = record->getValueAsInt("Number");
    Csr csr{record->getName().str(), text(record, "Name"), text(record, "Access"),
            textWithNumbers(record, "Meaning"), unsigned(number)};
    if (number < 0 || number > 0xfff)
      PrintFatalError(record, "a CSR has a number of 12 bits, not " + Twine(number));
    if (csr.access != "read" && csr.access != "read, write")
      PrintFatalError(record, "access '" + csr.access + "'; allowed are 'read' and 'read, write'");
    if ((number >> 10 == 3) != (csr.access == "read"))
      PrintFatalError(record, "CSR 0x" + utohexstr(csr.number, /*LowerCase=*/true) + " is '" +
                                  csr.access +
                                  "'; numbers from 0xc00 are those of registers that are not "
                                  "written");
    for (const Csr &other : result)
      if (other.number == csr.number)
        checkTwice(record, "CSR", csr.number, other.record);
    result.push_back(std::move(csr));
  }
  return result;
}

std::vector<Trap> readTraps(const RecordKeeper &records) {
  std::vector<Trap> result;
  for (const Record *record : inOrder(records, "TrapReason")) {
    Trap trap = readTrap(record);
    for (const Trap &other : result)
      if (trap.code != 0 && other.code == trap.code)
        checkTwice(record, "code", trap.code, other.name);
    result.push_back(std::move(trap));
  }
  return result;
}

unsigned numCodes(const Enumeration &enumeration) {
  unsigned most = 0;
  for (const Code &code : enumeration.codes)
    most = std::max(most, code.value + code.count);
  return most;
}

std::string lastName(StringRef name, unsigned count) {
  return count > 1 ? (name.drop_back() + Twine(count - 1)).str() : name.str();
}

std::string shown(const Constant &constant) {
  const bool isAddress = constant.width == 32 || constant.width == 12;
  return isAddress ? "0x" + utohexstr(constant.value, /*LowerCase=*/true, constant.width / 4)
                   : utostr(constant.value);
}

std::string textWithNumbers(const Record *record, StringRef field) {
  std::string result;
  StringRef rest = record->getValueAsString(field);
  while (true) {
    auto [before, after] = rest.split('@');
    result += before;
    if (before.size() == rest.size())
      return result;
    auto [name, behind] = after.split('@');
    const Record *named = record->getRecords().getDef(name);
    if (name.size() == after.size() || !named || !named->isSubClassOf("Constant"))
      PrintFatalError(record,
                      "'@" + name + "@' names no Constant; a text has a number as @<record>@");
    result += shown(readConstant(named));
    rest = behind;
  }
}

} // namespace acis::tblgen

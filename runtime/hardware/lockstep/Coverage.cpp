// See Coverage.h. Fields and their kinds are those of the generated table, so that a new field
// is asked for without a change here.
#include "runtime/hardware/lockstep/Coverage.h"

#include "runtime/engine/scalar/Decoder.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

namespace acis {
namespace {

using isa::Source;

enum class FieldKind : uint8_t { Uint, Sint, Bool, Arg };

constexpr const char *stallNames[NumStalls] = {"stream in",    "stream out", "memory read",
                                               "memory write", "interlock",  "vreg",
                                               "drain",        "launch"};

bool endsWith(std::string_view text, std::string_view tail) { return text.ends_with(tail); }
bool isSource(std::string_view field) {
  return endsWith(field, ".source") || field == "regData" || field.starts_with("link[");
}

const char *sourceName(uint64_t value) {
  static constexpr const char *names[] = {"none", "res",   "stream", "vrf0",
                                          "vrf1", "memIn", "imm0",   "imm1"};
  return value < 8 ? names[value] : value < 16 ? "link" : "register";
}

constexpr const char *typeNames[] = {"i8", "i16", "i32", "i64", "f32", "f64"};

/// The class of a value.
std::string classOf(std::string_view field, FieldKind kind, uint64_t value) {
  if (isSource(field))
    return sourceName(value);
  if (field == "op")
    return std::string(isa::mnemonic(isa::Op(value)));
  if (field == "type" || field == "from")
    return typeNames[value];
  switch (kind) {
  case FieldKind::Bool:
    return value ? "1" : "0";
  case FieldKind::Arg:
    return value == isa::NoArg ? "none" : "some";
  case FieldKind::Sint:
    return int64_t(value) < 0 ? "negative" : value == 0 ? "0" : "positive";
  case FieldKind::Uint:
    break;
  }
  if (field.starts_with("vregs")) // a mask
    return value == 0 ? "0" : "more";
  if (endsWith(field, ".first") && value == isa::FirstOfRow)
    return "row";
  return value == 0 ? "0" : value == 1 ? "1" : "more";
}

std::vector<std::string> classesOf(std::string_view field, FieldKind kind, unsigned width) {
  std::vector<std::string> classes;
  if (isSource(field)) {
    for (unsigned s = 0; s <= 8; ++s)
      classes.push_back(sourceName(s));
    classes.push_back("register");
    return classes;
  }
  if (field == "op") {
#define ACIS_OP(Name, Mnemonic, Class, Operands) classes.push_back(Mnemonic);
#include "backend/isa/Ops.def"
    return classes;
  }
  if (field == "type" || field == "from")
    return {std::begin(typeNames), std::end(typeNames)};
  switch (kind) {
  case FieldKind::Bool:
    return {"0", "1"};
  case FieldKind::Arg:
    return {"none", "some"};
  case FieldKind::Sint:
    return {"negative", "0", "positive"};
  case FieldKind::Uint:
    break;
  }
  if (width == 1)
    return {"0", "1"};
  if (field.starts_with("vregs"))
    return {"0", "more"};
  if (endsWith(field, ".first"))
    return {"0", "1", "more", "row"};
  return {"0", "1", "more"};
}

/// Classes that a loaded context cannot have.
bool impossible(std::string_view record, std::string_view field, std::string_view value,
                const Overlay &overlay) {
  const bool isDelay = endsWith(field, ".delay");
  struct {
    const char *record, *field, *value;
  } static constexpr never[] = {
      // At least one slot, one stage and one iteration of the inner loop; two widths of lanes.
      {"loop", "ii", "0"},
      {"loop", "stages", "0"},
      {"loop", "innerCount", "0"},
      {"loop", "laneBits", "0"},
      {"loop", "laneBits", "1"},
      // The loop's result is stored in full.
      {"loop", "streamOut.format.isSigned", "1"},
      {"pe", "memOut.format.isSigned", "1"},
      // Loops do not give element sizes of 0 to ports in use; ports out of use are not counted.
      {"loop", "streamIn.format.bytes", "0"},
      {"loop", "streamOut.format.bytes", "0"},
      {"pe", "memIn.format.bytes", "0"},
      {"pe", "memOut.format.bytes", "0"},
  };
  for (const auto &entry : never)
    if (record == entry.record && field == entry.field && value == entry.value)
      return true;
  if (isDelay && overlay.operandDelay < 3 && value == "more")
    return true;
  if (record != "slot")
    return false;
  // Everything that is used needs a source, except predicates and links.
  if (isSource(field) && value == "none" && !endsWith(field, "predicate.source") &&
      !field.starts_with("link["))
    return true;
  if (field.starts_with("link[") && value != "none") {
    const unsigned port = unsigned(field[5] - '0');
    return std::none_of(overlay.links.begin(), overlay.links.end(),
                        [&](const Link &link) { return link.port == port; });
  }
  return false;
}

/// Visits the fields that mean something in the record: (name, kind, value).
template <typename F> void visitLoop(const isa::LoopContext &record, F visit) {
#define ACIS_LOOP_FIELD(Member, Width, Kind)                                                       \
  visit(#Member, FieldKind::Kind, uint64_t(record.Member), Width);
#include "backend/isa/ContextFields.def"
}
template <typename F> void visitPop(const isa::PortRead &record, F visit) {
#define ACIS_POP_FIELD(Member, Width, Kind)                                                        \
  visit(#Member, FieldKind::Kind, uint64_t(record.Member), Width);
#include "backend/isa/ContextFields.def"
}
struct PeRecord {
  uint16_t numAddresses = 0;
  isa::MemAddress memIn, memOut;
};
template <typename F> void visitPe(const PeRecord &record, F visit) {
#define ACIS_PE_FIELD(Member, Width, Kind)                                                         \
  visit(#Member, FieldKind::Kind,                                                                  \
        FieldKind::Kind == FieldKind::Sint ? uint64_t(int64_t(record.Member))                      \
                                           : uint64_t(record.Member),                              \
        Width);
#include "backend/isa/ContextFields.def"
}
template <typename F> void visitAddress(const isa::VrfAddress &record, F visit) {
#define ACIS_ADDRESS_FIELD(Member, Width, Kind)                                                    \
  visit(#Member, FieldKind::Kind,                                                                  \
        FieldKind::Kind == FieldKind::Sint ? uint64_t(int64_t(record.Member))                      \
                                           : uint64_t(record.Member),                              \
        Width);
#include "backend/isa/ContextFields.def"
}
template <typename F> void visitSlot(const isa::Slot &record, F visit) {
#define ACIS_SLOT_FIELD(Member, Width, Kind)                                                       \
  visit(#Member, FieldKind::Kind, uint64_t(record.Member), Width);
#include "backend/isa/ContextFields.def"
}

/// Whether a field of a slot is looked at: its element is on.
bool means(const isa::Slot &slot, const isa::PeContext &pe, std::string_view field) {
  auto indexed = [&](uint8_t address) {
    return address < pe.addresses.size() && pe.addresses[address].indexed;
  };
  const unsigned operands = slot.op == isa::Op::Nop ? 0 : isa::numOperands(slot.op);
  if (field.starts_with("a."))
    return operands > 0;
  if (field.starts_with("b."))
    return operands > 1 && !(slot.accumulate && operands == 2);
  if (field.starts_with("c."))
    return operands > 2 && !slot.accumulate;
  if (field == "type" || field == "from" || field == "stage" || field == "accumulate" ||
      field == "result")
    return slot.op != isa::Op::Nop;
  if (field.starts_with("read[0].index"))
    return slot.read[0].on && indexed(slot.read[0].address);
  if (field.starts_with("read[1].index"))
    return slot.read[1].on && indexed(slot.read[1].address);
  if (field.starts_with("write.index"))
    return slot.write.on && indexed(slot.write.address);
  if (field.starts_with("read[0]."))
    return slot.read[0].on || field == "read[0].on";
  if (field.starts_with("read[1]."))
    return slot.read[1].on || field == "read[1].on";
  if (field.starts_with("write."))
    return slot.write.on || field == "write.on";
  if (field.starts_with("memIn."))
    return slot.memIn.on || field == "memIn.on";
  if (field.starts_with("memOut."))
    return slot.memOut.on || field == "memOut.on";
  if (field.starts_with("streamOut."))
    return slot.streamOut.on || field == "streamOut.on";
  if (field == "reg" || field == "regData")
    return slot.regWrite;
  return true;
}

std::string key(const char *record, std::string_view field, const std::string &value) {
  return std::string(record) + ": " + std::string(field) + " = " + value;
}

} // namespace

Coverage::Coverage(const Overlay &overlay) {
  for (unsigned i = 0; i < scalar::NumOpcodes; ++i)
    expect("instruction: " + std::string(scalar::mnemonic(scalar::Opcode(i))));
  for (const char *name : stallNames)
    expect(std::string("stall: ") + name);
  auto expectFields = [&](const char *record) {
    return [this, record, &overlay](const char *field, FieldKind kind, uint64_t, unsigned width) {
      for (const std::string &value : classesOf(field, kind, width))
        if (!impossible(record, field, value, overlay))
          expect(key(record, field, value));
    };
  };
  visitLoop({}, expectFields("loop"));
  visitPop({}, expectFields("pop"));
  visitPe({}, expectFields("pe"));
  visitAddress({}, expectFields("address"));
  visitSlot({}, expectFields("slot"));
}

void Coverage::addCounters(const Counters &counters) {
  for (const auto &[mnemonic, count] : counters.instructions)
    if (count != 0)
      hit("instruction: " + mnemonic);
  for (unsigned i = 0; i < NumStalls; ++i)
    if (counters.stalls[i] != 0)
      hit(std::string("stall: ") + stallNames[i]);
}

void Coverage::addContext(const isa::LoopContext &context) {
  auto hitFields = [&](const char *record) {
    return [this, record](const char *field, FieldKind kind, uint64_t value, unsigned) {
      hit(key(record, field, classOf(field, kind, value)));
    };
  };
  visitLoop(context, [&](std::string_view field, FieldKind kind, uint64_t value, unsigned) {
    if ((field.starts_with("streamIn.") && field != "streamIn.on" && !context.streamIn.on) ||
        (field.starts_with("streamOut.") && field != "streamOut.on" && !context.streamOut.on))
      return;
    hit(key("loop", field, classOf(field, kind, value)));
  });
  for (const isa::PortRead &pop : context.streamInSlots)
    visitPop(pop, hitFields("pop"));
  for (const isa::PeContext &pe : context.pes) {
    const PeRecord record{uint16_t(pe.addresses.size()), pe.memIn, pe.memOut};
    visitPe(record, [&](std::string_view field, FieldKind kind, uint64_t value, unsigned) {
      if ((field.starts_with("memIn.") && field != "memIn.on" && !pe.memIn.on) ||
          (field.starts_with("memOut.") && field != "memOut.on" && !pe.memOut.on))
        return;
      hit(key("pe", field, classOf(field, kind, value)));
    });
    for (const isa::VrfAddress &address : pe.addresses)
      visitAddress(address, hitFields("address"));
    for (const isa::Slot &slot : pe.slots)
      visitSlot(slot, [&](std::string_view field, FieldKind kind, uint64_t value, unsigned) {
        if (means(slot, pe, field))
          hit(key("slot", field, classOf(field, kind, value)));
      });
  }
}

unsigned Coverage::missed() const {
  return unsigned(
      std::count_if(hits.begin(), hits.end(), [](const auto &entry) { return entry.second == 0; }));
}

std::string Coverage::report() const {
  std::map<std::string, std::pair<unsigned, unsigned>> groups; // hit, all
  std::string left;
  for (const auto &[what, count] : hits) {
    auto &group = groups[what.substr(0, what.find(':'))];
    group.first += count != 0;
    ++group.second;
    if (count == 0)
      left += "  not hit: " + what + "\n";
  }
  std::string text = "coverage: " + std::to_string(classes() - missed()) + " of " +
                     std::to_string(classes()) + " classes\n";
  for (const auto &[name, numbers] : groups)
    text += "  " + name + ": " + std::to_string(numbers.first) + " of " +
            std::to_string(numbers.second) + "\n";
  return text + left;
}

} // namespace acis

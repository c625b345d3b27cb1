// Ranges of the fields of a context.
#include "backend/isa/ContextCheck.h"

#include "backend/overlay/Overlay.h"

#include <iterator>

namespace acis::isa {

namespace {

constexpr Op allOps[] = {
#define ACIS_OP(Name, Mnemonic, Class, Operands) Op::Name,
#include "backend/isa/Ops.def"
};
constexpr unsigned numOps = std::size(allOps);
static_assert(std::tuple_size_v<decltype(Slot::link)> == Overlay::MaxLinks,
              "sources name as many in-links as there are");

/// Collects the first error; `where` names the field that is looked at.
class Checker {
public:
  Checker(const LoopContext &context, const Overlay &overlay)
      : context(context), overlay(overlay) {}

  Status status;

  void atMost(std::string_view field, uint64_t value, uint64_t most) {
    if (value > most)
      fail(field, value, "at most " + std::to_string(most));
  }

  void loop() {
    place = "context";
    atMost("ii", context.ii, overlay.contextSlots);
    if (context.ii == 0)
      fail("ii", 0, "at least 1");
    atMost("stages", context.stages, overlay.stages);
    if (context.stages == 0)
      fail("stages", 0, "at least 1");
    if (context.innerCount == 0)
      fail("inner count", 0, "at least 1");
    if (context.laneBits != 32 && context.laneBits != 64)
      fail("lane bits", context.laneBits, "32 or 64");
    else if (!overlay.isWide())
      atMost("lane bits", context.laneBits, 32);
    atMost("argument count", context.numArgs, overlay.arguments);
    atMost("result count", context.numResults, MaxResults);
    stream("stream input", context.streamIn);
    stream("stream output", context.streamOut);
  }

  void slots() {
    for (size_t s = 0; s < context.streamInSlots.size(); ++s) {
      place = "context slot " + std::to_string(s);
      stage("stream input stage", context.streamInSlots[s].stage);
    }
    for (size_t i = 0; i < context.pes.size() && status; ++i)
      pe(static_cast<unsigned>(i));
  }

private:
  const LoopContext &context;
  const Overlay &overlay;
  std::string place;
  uint32_t linksIn = 0, linksOut = 0; ///< masks of the PE looked at
  size_t numAddresses = 0;

  void fail(std::string_view field, uint64_t value, const std::string &allowed) {
    if (status)
      status = Error{place, std::string(field) + " is " + std::to_string(value) + ", allowed is " +
                                allowed};
  }

  void format(std::string_view field, const ElementFormat &format) {
    unsigned bytes = format.bytes;
    if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
      fail(std::string(field) + " element size", bytes, "1, 2, 4 or 8");
    else
      atMost(std::string(field) + " element size", bytes, context.laneBits / 8);
  }
  void argument(std::string_view field, uint8_t arg) {
    if (arg >= context.numArgs)
      fail(std::string(field) + " argument", arg,
           "below the argument count " + std::to_string(context.numArgs));
  }
  void stream(std::string_view field, const StreamPort &port) {
    if (!port.on)
      return;
    format(field, port.format);
    argument(field, port.arg);
  }
  void memory(std::string_view field, const MemAddress &address) {
    if (!address.on)
      return;
    format(field, address.format);
    argument(field, address.arg);
  }
  void stage(std::string_view field, unsigned value) { atMost(field, value, context.stages - 1); }

  void source(std::string_view field, Source value) {
    unsigned number = static_cast<unsigned>(value);
    if (number >= unsigned(Source::Reg0))
      atMost(std::string(field) + " register", number - unsigned(Source::Reg0),
             overlay.routeRegs - 1);
    else if (number >= unsigned(Source::Link0) &&
             !(linksIn >> (number - unsigned(Source::Link0)) & 1))
      fail(std::string(field) + " in-link", number - unsigned(Source::Link0),
           "a link that ends at the PE");
    else if (value == Source::Vrf1 && overlay.vrfReadPorts < 2)
      fail(std::string(field) + " register-file port", 1, "0");
  }

  void operand(std::string_view field, const Operand &operand) {
    source(field, operand.source);
    atMost(std::string(field) + " delay", operand.delay, overlay.operandDelay - 1);
  }

  void address(const VrfAddress &a, size_t index) {
    std::string name = "address " + std::to_string(index);
    if (context.scalar && a.limit) {
      unsigned perBeat = overlay.lanes * 32 / context.laneBits;
      atMost(name + " last element", uint32_t(a.base) * perBeat + a.lane + a.limit,
             overlay.vrfBeats * perBeat);
    } else {
      atMost(name + " base + limit", uint32_t(a.base) + a.limit, overlay.vrfBeats);
    }
    if (a.arg != NoArg)
      argument(name, a.arg);
    unsigned vf = overlay.lanes * 32 / context.laneBits;
    atMost(name + " lane", a.lane, vf - 1);
    atMost(name + " shift", a.shift, context.laneBits - 1);
    atMost(name + " bits", a.bits, context.laneBits);
  }
  void addressIndex(std::string_view field, unsigned index) {
    if (index >= numAddresses)
      fail(std::string(field) + " address", index,
           "below the address count " + std::to_string(numAddresses));
  }

  void pe(unsigned number) {
    const PeContext &pe = context.pes[number];
    std::string name = "context PE " + std::to_string(number);
    place = name;
    linksIn = linksOut = 0;
    for (const Link &link : overlay.links) {
      linksOut |= link.from == number ? 1u << link.port : 0;
      linksIn |= link.to == number ? 1u << link.inPort : 0;
    }
    memory("memory input", pe.memIn);
    memory("memory output", pe.memOut);
    numAddresses = pe.addresses.size();
    atMost("address count", numAddresses, MaxAddresses);
    for (size_t i = 0; i < numAddresses; ++i)
      address(pe.addresses[i], i);
    for (size_t s = 0; s < pe.slots.size() && status; ++s) {
      place = name + " slot " + std::to_string(s);
      slot(pe.slots[s]);
    }
  }

  void slot(const Slot &s) {
    operation(s);
    for (size_t i = 0; i < s.read.size(); ++i) {
      stage("read stage", s.read[i].stage);
      operand("read index", s.read[i].index);
      if (s.read[i].on) {
        atMost("register-file read port", i, overlay.vrfReadPorts - 1);
        addressIndex("read", s.read[i].address);
      }
    }
    stage("write stage", s.write.stage);
    operand("write index", s.write.index);
    operand("write data", s.write.data);
    operand("write predicate", s.write.predicate);
    if (s.write.on)
      addressIndex("write", s.write.address);
    stage("memory input stage", s.memIn.stage);
    portWrite("memory output", s.memOut);
    portWrite("stream output", s.streamOut);
    if (s.streamOut.predicate.source != Source::None && !context.scalar)
      fail("stream output predicate", static_cast<unsigned>(s.streamOut.predicate.source),
           "none in a loop of lanes");
    if (s.regWrite)
      atMost("register", s.reg, overlay.routeRegs - 1);
    source("register data", s.regData);
    for (unsigned i = 0; i < s.link.size(); ++i) {
      source("link data", s.link[i]);
      if (s.link[i] != Source::None && !(linksOut >> i & 1))
        fail("out-link", i, "a link that starts at the PE");
    }
  }

  void operation(const Slot &s) {
    atMost("operation", static_cast<unsigned>(s.op), numOps - 1);
    atMost("type", static_cast<unsigned>(s.type), NumTypes - 1);
    atMost("source type", static_cast<unsigned>(s.from), NumTypes - 1);
    stage("stage", s.stage);
    operand("operand a", s.a);
    operand("operand b", s.b);
    operand("operand c", s.c);
    for (uint8_t arg : s.immArg)
      if (arg != NoArg)
        argument("constant", arg);
    if (s.result != NoArg && s.result >= context.numResults)
      fail("result", s.result, "below the result count " + std::to_string(context.numResults));
  }

  void portWrite(std::string_view field, const PortWrite &port) {
    stage(std::string(field) + " stage", port.stage);
    operand(field, port.data);
    operand(std::string(field) + " predicate", port.predicate);
  }
};

} // namespace

Status checkLoop(const LoopContext &context, const Overlay &overlay) {
  Checker checker(context, overlay);
  checker.loop();
  return checker.status;
}

Status checkSlots(const LoopContext &context, const Overlay &overlay) {
  Checker checker(context, overlay);
  checker.slots();
  return checker.status;
}

} // namespace acis::isa

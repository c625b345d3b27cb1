#include "backend/object/ContextText.h"

#include <cstdio>

namespace acis::object {

using namespace isa;

namespace {

std::string number(uint64_t value) { return std::to_string(value); }

std::string hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

void add(std::string &line, const std::string &part) {
  if (!line.empty())
    line += "; ";
  line += part;
}

std::string stage(unsigned value) { return "[" + number(value) + "] "; }

std::string formatName(const ElementFormat &format) {
  std::string text = number(format.bytes) + (format.isSigned ? "-byte signed" : "-byte");
  return format.splat ? text + " splat" : text;
}

std::string immediate(const Slot &slot, unsigned which) {
  unsigned arg = slot.immArg[which];
  return arg == NoArg ? "#" + hex(slot.imm[which]) : "args[" + number(arg) + "]";
}

std::string unit(const Slot &slot) {
  std::string text = stage(slot.stage) + std::string(mnemonic(slot.op)) + "." + typeName(slot.type);
  if (slot.op == Op::Sext || slot.op == Op::Sitofp || slot.op == Op::Uitofp ||
      slot.op == Op::Fptosi || slot.op == Op::Fptoui || slot.op == Op::Fpconv)
    text += "." + typeName(slot.from);
  const Operand *operands[] = {&slot.a, &slot.b, &slot.c};
  unsigned count = numOperands(slot.op);
  for (unsigned i = 0; i < count; ++i) {
    bool partial = slot.accumulate && i == count - 1;
    text += (i ? ", " : " ") +
            (partial ? "acc(" + immediate(slot, 1) + ")" : format(*operands[i], slot));
  }
  if (slot.op == Op::Lane || slot.op == Op::Slide)
    text += " by " + immediate(slot, 0);
  if (slot.result != NoArg)
    text += " -> result " + number(slot.result);
  return text;
}

} // namespace

std::string sourceName(Source source) {
  static const char *const names[] = {"-",    "res",   "stream", "vrf0",
                                      "vrf1", "memin", "imm0",   "imm1"};
  unsigned value = static_cast<unsigned>(source);
  if (value < 8)
    return names[value];
  return value < 16 ? "link" + number(value - 8) : "reg" + number(value - 16);
}

std::string typeName(Type type) {
  static const char *const names[] = {"i8", "i16", "i32", "i64", "f32", "f64"};
  return names[static_cast<unsigned>(type)];
}

std::string format(const Operand &operand, const Slot &slot) {
  if (operand.source == Source::Imm0 || operand.source == Source::Imm1)
    return immediate(slot, operand.source == Source::Imm1);
  std::string text = sourceName(operand.source);
  if (operand.delay)
    text += "~" + number(operand.delay);
  if (operand.first == isa::FirstOfRow)
    text += " first in a row " + immediate(slot, operand.init);
  else if (operand.first)
    text += " first " + number(operand.first) + " of " + immediate(slot, operand.init);
  return text;
}

std::vector<std::string> describeLoop(const LoopContext &loop) {
  std::vector<std::string> lines;
  lines.push_back((loop.scalar ? "scalar, II " : "II ") + number(loop.ii) + ", " +
                  number(loop.stages) + " stages, " + number(loop.laneBits) + "-bit lanes, inner " +
                  number(loop.innerCount) + ", " + number(loop.numArgs) + " arguments, " +
                  number(loop.numResults) + " results");
  std::string streams;
  if (loop.streamIn.on)
    add(streams, "stream in: " + formatName(loop.streamIn.format) + " from args[" +
                     number(loop.streamIn.arg) + "]");
  if (loop.streamOut.on)
    add(streams, "stream out: " + formatName(loop.streamOut.format) + " at args[" +
                     number(loop.streamOut.arg) + "]");
  if (!streams.empty())
    lines.push_back(streams);
  std::string pops;
  for (size_t s = 0; s < loop.streamInSlots.size(); ++s)
    if (loop.streamInSlots[s].on)
      add(pops, stage(loop.streamInSlots[s].stage) + "pop in slot " + number(s));
  if (!pops.empty())
    lines.push_back(pops);
  if (loop.vregsRead || loop.vregsWritten)
    lines.push_back("registers read " + hex(loop.vregsRead) + ", written " +
                    hex(loop.vregsWritten));
  return lines;
}

std::string describeSlot(const Slot &slot) {
  std::string text;
  for (unsigned port = 0; port < slot.read.size(); ++port)
    if (const VrfRead &read = slot.read[port]; read.on) {
      std::string index =
          read.index.source == Source::None ? "" : " index " + format(read.index, slot);
      add(text, stage(read.stage) + "vrf" + number(port) + " = @" + number(read.address) + index);
    }
  if (slot.memIn.on)
    add(text, stage(slot.memIn.stage) + "memin");
  if (slot.op != Op::Nop)
    add(text, unit(slot));
  if (slot.write.on) {
    std::string part = stage(slot.write.stage) + "@" + number(slot.write.address) + " = " +
                       format(slot.write.data, slot);
    if (slot.write.index.source != Source::None)
      part += " index " + format(slot.write.index, slot);
    if (slot.write.predicate.source != Source::None)
      part += " if " + format(slot.write.predicate, slot);
    add(text, slot.write.interlock ? part + " interlock" : part);
  }
  if (slot.memOut.on) {
    std::string part = stage(slot.memOut.stage) + "memout = " + format(slot.memOut.data, slot);
    if (slot.memOut.predicate.source != Source::None)
      part += " if " + format(slot.memOut.predicate, slot);
    add(text, part);
  }
  if (slot.streamOut.on) {
    std::string part =
        stage(slot.streamOut.stage) + "streamout = " + format(slot.streamOut.data, slot);
    if (slot.streamOut.predicate.source != Source::None)
      part += " if " + format(slot.streamOut.predicate, slot);
    add(text, part);
  }
  if (slot.regWrite)
    add(text, "reg" + number(slot.reg) + " = " + sourceName(slot.regData));
  for (unsigned port = 0; port < slot.link.size(); ++port)
    if (slot.link[port] != Source::None)
      add(text, "out" + number(port) + " = " + sourceName(slot.link[port]));
  return text;
}

std::string describeAddress(const VrfAddress &address, bool scalar) {
  std::string text = "beats " + number(address.base) + " + [0, " + number(address.limit) + ")";
  if (scalar)
    text = "elements from beat " + number(address.base) + ", lane " + number(address.lane) +
           " + [0, " + number(address.limit) + ")";
  if (address.arg != NoArg)
    text += " at args[" + number(address.arg) + "]";
  if (address.stride0 || address.stride1)
    text += " + " + std::to_string(address.stride0) + " * i0 + " + std::to_string(address.stride1) +
            " * i1";
  if (address.indexed) {
    text += address.uniform ? " + lane " + number(address.lane) + " of index" : " + index";
    if (address.shift || address.bits)
      text += " (bits " + number(address.shift) + " .. " +
              (address.bits ? number(address.shift + address.bits - 1) : "top") + ")";
  }
  return address.zeroOutside ? text + ", zero outside" : text;
}

std::string describeMemory(const MemAddress &address) {
  return formatName(address.format) + " at args[" + number(address.arg) + "] + " +
         std::to_string(address.offset) + " + " + std::to_string(address.stride0) + " * i0 + " +
         std::to_string(address.stride1) + " * i1";
}

std::vector<std::string> describe(const LoopContext &loop) {
  std::vector<std::string> lines = describeLoop(loop);
  for (size_t p = 0; p < loop.pes.size(); ++p) {
    const PeContext &pe = loop.pes[p];
    std::vector<std::string> body;
    body.reserve(pe.addresses.size() + 2);
    for (size_t a = 0; a < pe.addresses.size(); ++a)
      body.push_back("  @" + number(a) + ": " + describeAddress(pe.addresses[a], loop.scalar));
    if (pe.memIn.on)
      body.push_back("  memin: " + describeMemory(pe.memIn));
    if (pe.memOut.on)
      body.push_back("  memout: " + describeMemory(pe.memOut));
    for (size_t s = 0; s < pe.slots.size(); ++s)
      if (std::string text = describeSlot(pe.slots[s]); !text.empty())
        body.push_back("  slot " + number(s) + ": " + text);
    if (body.empty())
      continue;
    lines.push_back("pe " + number(p) + ":");
    lines.insert(lines.end(), body.begin(), body.end());
  }
  return lines;
}

} // namespace acis::object

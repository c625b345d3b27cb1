// Arrays of an op whose sizes are known at run time.
#include "compiler/rewriter/MpiCalls.h"
#include "compiler/rewriter/OpMaker.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace acis::rewriter {
namespace {

/// Bytes of an array in the register file; bytes of all arrays of unknown size in a message, so
/// that four ranks fit one of a switch with its default limit.
constexpr uint64_t MostArrayBytes = 16 * 1024, MostUnknownBytes = 12 * 1024;

} // namespace

void OpMaker::countBuffers() {
  llvm::StringRef first = candidate.first.info->name;
  std::vector<std::string> names;
  if (received && received->isSized()) {
    names.push_back("acis_received");
    numbers.push_back(buffers.countOf(candidate.first, candidate.first.info->recvCount,
                                      first == "Allgather" || first == "Alltoall", *received));
  }
  if (sent && sent->isSized()) {
    llvm::StringRef second = candidate.second.info->name;
    names.push_back("acis_sent");
    if (second == "Scatter")
      refuse("what a Scatter sends is known on the root only");
    std::string count =
        buffers.countOf(candidate.second,
                        second == "Reduce_scatter_block" ? candidate.second.info->recvCount
                                                         : candidate.second.info->sendCount,
                        second == "Alltoall" || second == "Reduce_scatter_block", *sent);
    // Its arguments mean what they mean before a body that is put there.
    if (done.call && !count.empty()) {
      memory.aliases[name("count")] = "long long " + name("count") + " = " + count + ";";
      count = name("count");
    }
    numbers.push_back(count);
  }
  for (const auto &[text, name] : memory.values) {
    names.push_back(name);
    numbers.push_back("(long long)" + text);
  }
  if (llvm::is_contained(numbers, ""))
    refuse("the count of a collective is none that can be computed twice");
  if (!names.empty())
    handler.numbers(name("numbers"), names);
}

std::string OpMaker::numberOf(bool isSentOn) const {
  bool isSecond = isSentOn && received && received->isSized();
  return name("numbers") + (isSecond ? "[1]" : "[0]");
}

void OpMaker::takeSized(const std::vector<const Place *> &places) {
  uint64_t in = 0, out = 0;
  for (const Place *place : places) {
    in += place != received;
    out += place->isWritten && place != sent;
  }
  uint64_t most = MostUnknownBytes - std::min(MostUnknownBytes / 2, handler.memoryBytes());
  most = std::min(MostArrayBytes, most / std::max<uint64_t>({in, out, 1}) / 64 * 64);
  for (const Place *place : places)
    // What only the first collective gives takes no room in the message.
    takeSized(*place,
              place == received && (!place->isWritten || place == sent) ? MostArrayBytes : most);
}

void OpMaker::takeSized(const Place &place, uint64_t room) {
  bool isStream = &place == received, isSentOn = &place == sent;
  if (!place.rowCount || !memory.numbersIn(place.element))
    return refuse("'" + place.text + "' is not an array of numbers");
  uint64_t size = context.getTypeSizeInChars(place.element).getQuantity();
  uint64_t rows = room / size / place.rowCount;
  if (!rows)
    return refuse("a row of '" + place.text + "' is larger than the room for an array");
  QualType row = place.type->isPointerType() ? place.type->getPointeeType()
                                             : context.getAsArrayType(place.type)->getElementType();
  Cargo cargo;
  cargo.name = place.name;
  cargo.base = "(void *)" + place.guarded;
  cargo.type = context.getConstantArrayType(row.getUnqualifiedType(), llvm::APInt(64, rows),
                                            nullptr, ArraySizeModifier::Normal, 0);
  cargo.element = place.element;
  cargo.count = rows * place.rowCount;
  cargo.object = objectOf(place.text);
  std::string bytes = std::to_string(size), full = std::to_string(cargo.count * size);
  std::string touched = ranges.touched.at(&place), written = ranges.written.at(&place);
  handler.declare(cargo, "", isShared(cargo));
  std::string sentBytes = numberOf(true) + " * " + bytes, sentRoom = full;
  if (isStream) {
    Cargo stream = cargo;
    stream.size = numberOf(false) + " * " + bytes;
    stream.used =
        "acis_room(" + stream.size + ", " + full + ", acis_bytes(" + touched + ", " + bytes + "))";
    sentRoom = stream.size;
    if (place.isWritten && !isSentOn)
      handler.clear(cargo); // so that nothing of another job is in what comes back
    handler.received(stream, "acis_received");
  } else {
    cargo.used = "acis_bytes(" +
                 (isSentOn ? "acis_join(" + touched + ", acis_range(0, " + numberOf(true) + " - 1))"
                           : touched) +
                 ", " + bytes + ")";
    handler.inbound(cargo);
  }
  if (isSentOn) {
    cargo.size = sentBytes;
    cargo.used = "acis_room(" + sentBytes + ", " + sentRoom + ", acis_bytes(" + written + ", " +
                 bytes + "))";
    keep(cargo, true, "acis_sent");
  } else if (place.isWritten) {
    cargo.used = "acis_bytes(" + written + ", " + bytes + ")";
    keep(cargo, false, std::to_string(cargo.count));
  }
}

std::string OpMaker::sizesText() const {
  std::string text;
  if (!numbers.empty()) {
    text += "  long long " + name("numbers") + "[] = {";
    for (size_t i = 0; i < numbers.size(); i++)
      text += (i ? ", " : "") + numbers[i];
    text += "};\n";
  }
  if (ranges.count == 0)
    return text;
  std::string used = std::to_string(ranges.count);
  text += "  ACIS_Range " + name("used") + "[" + used + "];\n  {\n";
  std::string number = std::to_string(std::max(1u, ranges.ranges));
  return text + "    ACIS_Range acis_v[" + number + "], acis_next[" + number +
         "];\n    ACIS_Turns acis_turn = acis_turns(acis_v, acis_next, " + number +
         ");\n    while (acis_next_turn(&acis_turn, " + name("used") + ", " + used + ")) {\n" +
         ranges.text + "    }\n  }\n";
}

} // namespace acis::rewriter

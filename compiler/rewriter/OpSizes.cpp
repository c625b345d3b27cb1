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
  auto count = [&](const std::string &counted, const std::string &text) {
    numberNames.push_back(counted);
    numbers.push_back(text);
  };
  if (hasCount(firstBuffer))
    count("acis_received", buffers.countOf(candidate.first, candidate.first.info->recvCount,
                                           first == "Allgather" || first == "Alltoall", *received));
  if (!firstBuffer.start.empty())
    count("acis_from", firstBuffer.start);
  if (hasCount(secondBuffer)) {
    llvm::StringRef second = candidate.second.info->name;
    if (second == "Scatter")
      refuse("what a Scatter sends is known on the root only");
    std::string sentCount =
        buffers.countOf(candidate.second,
                        second == "Reduce_scatter_block" ? candidate.second.info->recvCount
                                                         : candidate.second.info->sendCount,
                        second == "Alltoall" || second == "Reduce_scatter_block", *sent);
    // Its arguments mean what they mean before a body that is put there.
    if (done.call && !sentCount.empty()) {
      memory.aliases[name("count")] = "long long " + name("count") + " = " + sentCount + ";";
      sentCount = name("count");
    }
    count("acis_sent", sentCount);
  }
  if (!secondBuffer.start.empty())
    count("acis_to", secondBuffer.start);
  if (done.call && !secondBuffer.start.empty())
    refuse("the buffer of the second collective is a part of an array, behind a function");
  for (const auto &[text, valueName] : memory.values)
    count(valueName, "(long long)" + text);
  if (llvm::is_contained(numbers, ""))
    refuse("the count of a collective is none that can be computed twice");
  if (!numberNames.empty())
    handler.numbers(name("numbers"), numberNames);
}

std::string OpMaker::numberOf(const std::string &counted) const {
  auto found = llvm::find(numberNames, counted);
  return name("numbers") + "[" + std::to_string(found - numberNames.begin()) + "]";
}

/// The array lies in the op's memory as it is before the call; then what the first collective gives
/// comes over it. What is sent is taken out of it at the end.
void OpMaker::takeParts(const Cargo &whole, const Place &place, const std::string &touched,
                        const std::string &written, bool isWritten) {
  bool isStream = &place == received, isSentOn = &place == sent;
  uint64_t size = context.getTypeSizeInChars(whole.element).getQuantity();
  std::string bytes = std::to_string(size), full = std::to_string(whole.count * size);
  auto region = [&](bool isFirst) {
    std::string start = (isFirst ? firstBuffer : secondBuffer).start;
    return std::pair(start.empty() ? std::string("0") : numberOf(isFirst ? "acis_from" : "acis_to"),
                     numberOf(isFirst ? "acis_received" : "acis_sent"));
  };
  // -1 where the buffer is not within the array, as far as that is known.
  auto part = [&](bool isFirst) {
    auto [from, count] = region(isFirst);
    Cargo cargo = whole;
    cargo.base = "(void *)(" + (isFirst ? firstBuffer : secondBuffer).text + ")";
    cargo.size = count + " * " + bytes;
    cargo.used = "(" + from + " < 0 ? -1 : acis_room((" + from + " + " + count + ") * " + bytes +
                 ", " + full + ", " + cargo.size + "))";
    return cargo;
  };
  Cargo cargo = whole;
  handler.declare(cargo, "", isShared(cargo));
  if (!touched.empty()) {
    std::string range = touched;
    for (bool isFirst : {true, false})
      if (isFirst ? isStream : isSentOn) {
        auto [from, count] = region(isFirst);
        range =
            "acis_join(" + range + ", acis_range(" + from + ", " + from + " + " + count + " - 1))";
      }
    cargo.used = "acis_bytes(" + range + ", " + bytes + ")";
  }
  handler.inbound(cargo);
  if (isStream)
    handler.received(part(true), "acis_received", firstBuffer.start.empty() ? "" : "acis_from");
  if (isSentOn)
    keep(part(false), true, "acis_sent", secondBuffer.start.empty() ? "" : "acis_to");
  if (isWritten) {
    if (!written.empty())
      cargo.used = "acis_bytes(" + written + ", " + bytes + ")";
    keep(cargo, false, std::to_string(cargo.count));
  }
}

void OpMaker::takeSized(const std::vector<const Place *> &places) {
  uint64_t in = 0, out = 0;
  for (const Place *place : places) {
    in += place != received || !firstBuffer.start.empty();
    out += place->isWritten && (place != sent || !secondBuffer.start.empty());
  }
  uint64_t most = MostUnknownBytes - std::min(MostUnknownBytes / 2, handler.memoryBytes());
  most = std::min(MostArrayBytes, most / std::max<uint64_t>({in, out, 1}) / 64 * 64);
  for (const Place *place : places)
    // What only the first collective gives takes no room in the message.
    takeSized(*place,
              place == received && firstBuffer.start.empty() && (!place->isWritten || place == sent)
                  ? MostArrayBytes
                  : most);
}

void OpMaker::takeSized(const Place &place, uint64_t room) {
  bool isStream = &place == received, isSentOn = &place == sent;
  if (!place.rowCount || !memory.numbersIn(place.element))
    return refuse("'" + place.text + "' is not an array of numbers");
  uint64_t size = context.getTypeSizeInChars(place.element).getQuantity();
  uint64_t rows = room / size / place.rowCount;
  if (!rows)
    return refuse("a row of '" + place.text + "' is larger than the room for an array");
  QualType row = place.hasOpenRows ? place.element
                 : place.type->isPointerType()
                     ? place.type->getPointeeType()
                     : context.getAsArrayType(place.type)->getElementType();
  Cargo cargo;
  cargo.name = place.name;
  cargo.base = "(void *)" + place.guarded;
  cargo.type = memory.flat(context.getConstantArrayType(
      row.getUnqualifiedType(), llvm::APInt(64, rows), nullptr, ArraySizeModifier::Normal, 0));
  cargo.element = place.element;
  cargo.count = rows * place.rowCount;
  cargo.object = objectOf(place.text);
  std::string bytes = std::to_string(size), full = std::to_string(cargo.count * size);
  std::string touched = ranges.touched.at(&place), written = ranges.written.at(&place);
  if ((isStream && !firstBuffer.start.empty()) || (isSentOn && !secondBuffer.start.empty()))
    return takeParts(cargo, place, touched, written, place.isWritten);
  handler.declare(cargo, "", isShared(cargo));
  std::string sentBytes = numberOf("acis_sent") + " * " + bytes, sentRoom = full;
  if (isStream) {
    Cargo stream = cargo;
    stream.size = numberOf("acis_received") + " * " + bytes;
    stream.used =
        "acis_room(" + stream.size + ", " + full + ", acis_bytes(" + touched + ", " + bytes + "))";
    sentRoom = stream.size;
    if (place.isWritten && !isSentOn)
      handler.clear(cargo); // so that nothing of another job is in what comes back
    handler.received(stream, "acis_received");
  } else {
    cargo.used =
        "acis_bytes(" +
        (isSentOn ? "acis_join(" + touched + ", acis_range(0, " + numberOf("acis_sent") + " - 1))"
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

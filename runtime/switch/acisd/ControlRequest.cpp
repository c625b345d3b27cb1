#include "runtime/switch/acisd/ControlRequest.h"

#include <algorithm>

namespace acis::acisd {

using nlohmann::json;

json controlError(const std::string &what) { return {{"error", what}}; }

ControlRequest ControlRequest::parse(std::span<const uint8_t> bytes) {
  ControlRequest request;
  auto refuse = [&](const std::string &what) {
    request.state = State::Refused;
    request.reply = controlError(what);
    return request;
  };
  if (bytes.size() > MostBytes)
    return refuse("a command of more than " + std::to_string(MostBytes) + " bytes");
  const auto end = std::find(bytes.begin(), bytes.end(), '\n');
  if (end - bytes.begin() > ptrdiff_t(MostLine))
    return refuse("a line of more than " + std::to_string(MostLine) + " bytes");
  if (end == bytes.end())
    return request;
  request.command = json::parse(bytes.begin(), end, nullptr, /*allow_exceptions=*/false);
  if (!request.command.is_object())
    return refuse("the line is no JSON object");
  const auto size = request.command.find("bytes");
  const uint64_t wanted =
      size != request.command.end() && size->is_number_unsigned() ? size->get<uint64_t>() : 0;
  if (wanted > MostBytes)
    return refuse("content of " + std::to_string(wanted) + " bytes; at most " +
                  std::to_string(MostBytes) + " are allowed");
  const auto content = bytes.subspan(size_t(end - bytes.begin()) + 1);
  if (content.size() < wanted)
    return request;
  request.state = State::Complete;
  request.content.assign(content.begin(), content.begin() + ptrdiff_t(wanted));
  return request;
}

} // namespace acis::acisd

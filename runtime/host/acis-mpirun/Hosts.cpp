#include "runtime/host/acis-mpirun/Hosts.h"

#include <charconv>

namespace acis::tools {

namespace {

constexpr std::string_view Blank = " \t\r";

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(Blank);
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(Blank) - first + 1);
}

Error notUnderstood(std::string_view text) {
  return {"", "'" + std::string(text) + "' is no host; write node0, node0:2 or node0 slots=2"};
}

bool isName(std::string_view text) {
  return !text.empty() && text.front() != '-' &&
         text.find_first_of(" \t:=,/\\'\"$`;&|<>()") == std::string_view::npos;
}

Result<Host> parseHost(std::string_view text) {
  Host host;
  std::string_view name = text, slots;
  bool isCounted = false;
  if (const size_t colon = text.find(':'); colon != std::string_view::npos) {
    name = text.substr(0, colon);
    slots = text.substr(colon + 1);
    isCounted = true;
  } else if (const size_t end = text.find_first_of(Blank); end != std::string_view::npos) {
    constexpr std::string_view Slots = "slots=";
    name = text.substr(0, end);
    slots = trimmed(text.substr(end));
    if (!slots.starts_with(Slots))
      return notUnderstood(text);
    slots.remove_prefix(Slots.size());
    isCounted = true;
  }
  if (!isName(name))
    return notUnderstood(text);
  host.name = name;
  if (isCounted) {
    const auto [end, code] = std::from_chars(slots.data(), slots.data() + slots.size(), host.slots);
    if (code != std::errc() || end != slots.data() + slots.size() || host.slots == 0)
      return notUnderstood(text);
  }
  return host;
}

} // namespace

Result<std::vector<Host>> parseHosts(std::string_view text) {
  std::vector<Host> hosts;
  for (size_t from = 0; from <= text.size();) {
    const size_t to = std::min(text.find(',', from), text.size());
    Result<Host> host = parseHost(trimmed(text.substr(from, to - from)));
    if (!host)
      return host.error();
    hosts.push_back(std::move(*host));
    from = to + 1;
  }
  return hosts;
}

Result<std::vector<Host>> parseHostFile(std::string_view text) {
  std::vector<Host> hosts;
  unsigned number = 0;
  for (size_t from = 0; from < text.size();) {
    const size_t to = std::min(text.find('\n', from), text.size());
    std::string_view line = text.substr(from, to - from);
    from = to + 1;
    ++number;
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty())
      continue;
    Result<Host> host = parseHost(line);
    if (!host)
      return Error{std::to_string(number), host.error().what};
    hosts.push_back(std::move(*host));
  }
  if (hosts.empty())
    return Error{"", "names no host; write one a line, as node0:2"};
  return hosts;
}

std::string hostList(const std::vector<Host> &hosts) {
  std::string text;
  for (const Host &host : hosts)
    text += (text.empty() ? "" : ",") + host.name + ":" + std::to_string(host.slots);
  return text;
}

} // namespace acis::tools

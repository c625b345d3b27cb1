#include "runtime/switch/forward/Rule.h"

#include <algorithm>
#include <charconv>

#include <arpa/inet.h>

namespace acis::forward {

namespace {

constexpr unsigned V4Bits = 96; ///< of Address::ip before an IPv4 address

std::optional<unsigned> number(std::string_view text, unsigned most) {
  unsigned value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || code != std::errc() || end != text.data() + text.size() || value > most)
    return std::nullopt;
  return value;
}

Result<Prefix> parsePrefix(std::string_view text) {
  const size_t slash = text.find('/');
  const std::string address(text.substr(0, slash));
  Prefix prefix;
  const bool isV4 = inet_pton(AF_INET, address.c_str(), prefix.first.ip.data() + 12) == 1;
  if (isV4)
    prefix.first.ip[10] = prefix.first.ip[11] = 0xff;
  const unsigned most = isV4 ? 32 : 128;
  const std::optional<unsigned> bits =
      slash == text.npos ? most : number(text.substr(slash + 1), most);
  if (!bits || (!isV4 && inet_pton(AF_INET6, address.c_str(), prefix.first.ip.data()) != 1))
    return Error{"", "'" + std::string(text) + "' is no prefix such as 10.0.2.0/24 or fd00:2::/64"};
  prefix.bits = *bits + (isV4 ? V4Bits : 0);
  for (unsigned bit = prefix.bits; bit < 128; ++bit)
    prefix.first.ip[bit / 8] &= uint8_t(~(0x80 >> bit % 8));
  return prefix;
}

} // namespace

bool Prefix::contains(const wire::Address &address) const {
  const unsigned whole = bits / 8, rest = bits % 8;
  if (!std::equal(first.ip.begin(), first.ip.begin() + whole, address.ip.begin()))
    return false;
  return rest == 0 || ((first.ip[whole] ^ address.ip[whole]) & (0xff00 >> rest & 0xff)) == 0;
}

std::string Prefix::str() const {
  char text[INET6_ADDRSTRLEN];
  const bool isV4 = first.isV4() && bits >= V4Bits;
  inet_ntop(isV4 ? AF_INET : AF_INET6, first.ip.data() + (isV4 ? 12 : 0), text, sizeof text);
  return std::string(text) + "/" + std::to_string(isV4 ? bits - V4Bits : bits);
}

bool Match::covers(const Datagram &datagram, std::string_view ingress) const {
  return (!port || *port == datagram.to.port) && (!to || to->contains(datagram.to)) &&
         (!from || from->contains(datagram.from)) && (in.empty() || in == ingress);
}

std::string Match::str() const {
  std::string text;
  auto add = [&](std::string_view name, const std::string &value) {
    text += (text.empty() ? "" : ",") + std::string(name) + "=" + value;
  };
  if (port)
    add("udp", std::to_string(*port));
  if (to)
    add("to", to->str());
  if (from)
    add("from", from->str());
  if (!in.empty())
    add("in", in);
  return text;
}

Result<Match> parseMatch(std::string_view text) {
  Match match;
  const auto wrong = [&](const std::string &what) {
    return Error{"rule '" + std::string(text) + "'", what};
  };
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view item = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), item.size() + 1));
    const size_t equals = item.find('=');
    const std::string_view name = item.substr(0, equals);
    const std::string_view value = equals == item.npos ? "" : item.substr(equals + 1);
    if (name == "udp" && !match.port) {
      const std::optional<unsigned> port = number(value, 65'535);
      if (!port)
        return wrong("'" + std::string(value) + "' is no UDP port; 0 to 65535 are");
      match.port = uint16_t(*port);
    } else if ((name == "to" && !match.to) || (name == "from" && !match.from)) {
      Result<Prefix> prefix = parsePrefix(value);
      if (!prefix)
        return wrong(prefix.error().what);
      (name == "to" ? match.to : match.from) = *prefix;
    } else if (name == "in" && match.in.empty() && !value.empty()) {
      match.in = value;
    } else {
      return wrong("found '" + std::string(item) +
                   "'; udp=PORT, to=PREFIX, from=PREFIX and in=PORT are allowed, each once");
    }
  }
  if (!match.port && !match.to && !match.from)
    return wrong(
        "udp=PORT, to=PREFIX or from=PREFIX is needed; all that passes is not for a handler");
  return match;
}

} // namespace acis::forward

#include "runtime/switch/wire/Address.h"

#include <arpa/inet.h>
#include <cstring>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace acis::wire {

namespace {
constexpr std::array<uint8_t, 12> v4Prefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
}

bool Address::isV4() const { return std::equal(v4Prefix.begin(), v4Prefix.end(), ip.begin()); }

std::string Address::str() const {
  char text[INET6_ADDRSTRLEN] = "?";
  if (isV4()) {
    inet_ntop(AF_INET, ip.data() + 12, text, sizeof text);
    return std::string(text) + ":" + std::to_string(port);
  }
  inet_ntop(AF_INET6, ip.data(), text, sizeof text);
  return "[" + std::string(text) + "]:" + std::to_string(port);
}

unsigned toSystem(const Address &address, sockaddr_storage &out) {
  out = {};
  if (address.isV4()) {
    auto &v4 = reinterpret_cast<sockaddr_in &>(out);
    v4.sin_family = AF_INET;
    v4.sin_port = htons(address.port);
    std::memcpy(&v4.sin_addr, address.ip.data() + 12, 4);
    return sizeof v4;
  }
  auto &v6 = reinterpret_cast<sockaddr_in6 &>(out);
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(address.port);
  std::memcpy(&v6.sin6_addr, address.ip.data(), 16);
  return sizeof v6;
}

Address fromSystem(const sockaddr_storage &in) {
  Address address;
  if (in.ss_family == AF_INET) {
    const auto &v4 = reinterpret_cast<const sockaddr_in &>(in);
    std::copy(v4Prefix.begin(), v4Prefix.end(), address.ip.begin());
    std::memcpy(address.ip.data() + 12, &v4.sin_addr, 4);
    address.port = ntohs(v4.sin_port);
  } else {
    const auto &v6 = reinterpret_cast<const sockaddr_in6 &>(in);
    std::memcpy(address.ip.data(), &v6.sin6_addr, 16);
    address.port = ntohs(v6.sin6_port);
  }
  return address;
}

Result<Address> parseAddress(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == text.size())
    return Error{"", "found address '" + std::string(text) + "'; expected host:port, or [v6]:port"};
  std::string host(text.substr(0, colon)), port(text.substr(colon + 1));
  if (host.size() > 2 && host.front() == '[' && host.back() == ']')
    host = host.substr(1, host.size() - 2);
  addrinfo hints{};
  hints.ai_socktype = SOCK_DGRAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo *found = nullptr;
  if (int code = getaddrinfo(host.c_str(), port.c_str(), &hints, &found); code != 0)
    return Error{"", "address '" + std::string(text) + "': " + gai_strerror(code)};
  sockaddr_storage storage{};
  std::memcpy(&storage, found->ai_addr, found->ai_addrlen);
  freeaddrinfo(found);
  return fromSystem(storage);
}

} // namespace acis::wire

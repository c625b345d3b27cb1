// An IP address and a UDP port as a value.
#pragma once

#include "backend/support/Result.h"

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

struct sockaddr_storage;

namespace acis::wire {

struct Address {
  std::array<uint8_t, 16> ip{}; ///< IPv4 as ::ffff:a.b.c.d
  uint16_t port = 0;

  bool isV4() const;
  bool isV4Loopback() const { return isV4() && ip[12] == 127; }
  bool isV4Multicast() const { return isV4() && ip[12] >= 224 && ip[12] < 240; }
  std::string str() const;
  auto operator<=>(const Address &) const = default;
};

/// "host:port" or "[v6]:port"; names are looked up.
Result<Address> parseAddress(std::string_view text);

/// To and from the system's form; returns its length.
unsigned toSystem(const Address &address, sockaddr_storage &out);
Address fromSystem(const sockaddr_storage &in);

struct AddressHash {
  size_t operator()(const Address &a) const {
    return std::hash<std::string_view>()(
               {reinterpret_cast<const char *>(a.ip.data()), a.ip.size()}) *
               31 +
           a.port;
  }
};

} // namespace acis::wire

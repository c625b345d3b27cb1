// Which datagrams of those that pass go through a handler.
#pragma once

#include "runtime/switch/forward/Frame.h"

#include <optional>
#include <string>
#include <string_view>

namespace acis::forward {

/// Addresses that begin alike.
struct Prefix {
  wire::Address first;
  unsigned bits = 0; ///< of the 128 of Address::ip
  bool contains(const wire::Address &address) const;
  std::string str() const;
  bool operator==(const Prefix &) const = default;
};

/// All that is given has to hold.
struct Match {
  std::optional<uint16_t> port; ///< that the datagram goes to
  std::optional<Prefix> to, from;
  std::string in; ///< the switch's port that it comes in by; "": any

  bool covers(const Datagram &datagram, std::string_view port) const;
  /// As it is written, in a fixed order: a rule's name.
  std::string str() const;
};

/// "udp=9100,to=10.0.2.0/24,from=10.0.1.0/24,in=eth1", in any order, each at most once. UDP's port
/// or a prefix has to be there.
Result<Match> parseMatch(std::string_view text);

} // namespace acis::forward

// What links have carried. SimGrid's own counter takes a message for one that uses its links while
// its first byte is still on its way, too, which is most of the time of a short one.
#pragma once

#include <simgrid/s4u.hpp>

#include <unordered_map>
#include <vector>

namespace acis::cluster {

class LinkLoad {
public:
  /// Counts from now on what crosses the links. Once in an engine's life, and `this` outlives it:
  /// the engine's network model calls it for each message.
  void track(simgrid::s4u::Engine &engine, const std::vector<simgrid::s4u::Link *> &links);

  /// Bytes of messages that have begun, by link.
  double begun(size_t link) const { return loads[link].bytes; }
  /// Bytes that have left by now if each message left as fast as its link allows, after those
  /// before.
  double left(size_t link) const;

private:
  struct Load {
    double bytes = 0;
    double end = 0; ///< when the last byte leaves
    double bandwidth = 0;
  };
  void add(double size, const simgrid::s4u::Link *link);

  std::vector<Load> loads;
  std::unordered_map<const simgrid::s4u::Link *, size_t> numbers;
};

} // namespace acis::cluster

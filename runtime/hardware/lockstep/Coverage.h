// What lock-step runs have exercised: instructions that retired, causes of stalls that were
// counted, and for every field of the context words the classes of values in loops that ran.
#pragma once

#include "runtime/engine/device/Device.h"
#include "runtime/engine/loader/Image.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace acis {

/// A field's classes: each code of `op`, `type` and `from`; kinds of sources; 0 and 1 of flags;
/// 0, 1 and more of numbers; below 0, 0 and above of signed ones; argument or none.
class Coverage {
public:
  explicit Coverage(const Overlay &overlay);

  void addCounters(const Counters &counters);
  /// A context of which an iteration ran.
  void addContext(const isa::LoopContext &context);

  unsigned classes() const { return unsigned(hits.size()); }
  unsigned missed() const;
  /// Numbers by group, then what was not hit, one line each. What the overlay or the encoding
  /// does not have (Coverage.cpp says why) is not counted.
  std::string report() const;

private:
  void expect(const std::string &what) { hits[what]; }
  void hit(const std::string &what) {
    if (const auto found = hits.find(what); found != hits.end())
      ++found->second;
  }
  std::map<std::string, uint64_t> hits; ///< by "group: name"
};

} // namespace acis

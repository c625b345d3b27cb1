// See Stepped.h.
#include "runtime/engine/device/Stepped.h"

#include <string>

namespace acis {

const char *CycleState::name(unsigned value) {
  static constexpr const char *names[X0] = {"cause of no progress",
                                            "invocation runs",
                                            "pc",
                                            "launches waiting",
                                            "loops running",
                                            "vector transfers",
                                            "fold cycles left",
                                            "live iterations",
                                            "held by interlock",
                                            "slot",
                                            "i0",
                                            "i1",
                                            "input shifter beats",
                                            "input FIFO beats",
                                            "input aligner bytes",
                                            "input commands",
                                            "output packer bytes",
                                            "output FIFO beats",
                                            "output commands"};
  static const auto numbered = [] {
    std::array<std::string, NumValues - X0> made;
    for (unsigned i = 0; i < made.size(); ++i)
      made[i] = i < 32 ? "x" + std::to_string(i) : "result word " + std::to_string(i - 32);
    return made;
  }();
  return value < X0 ? names[value] : numbered[value - X0].c_str();
}

} // namespace acis

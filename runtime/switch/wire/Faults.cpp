#include "runtime/switch/wire/Faults.h"

#include <string>

namespace acis::wire {

Result<FaultRates> parseFaults(std::string_view text) {
  FaultRates rates;
  while (!text.empty()) {
    const std::string item(text.substr(0, text.find(',')));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    const size_t equals = item.find('=');
    const std::string name = item.substr(0, equals);
    char *end = nullptr;
    const std::string digits = equals == std::string::npos ? "" : item.substr(equals + 1);
    const double value = std::strtod(digits.c_str(), &end);
    const bool number = !digits.empty() && *end == 0 && value >= 0;
    double *rate = name == "loss"        ? &rates.loss
                   : name == "duplicate" ? &rates.duplicate
                   : name == "reorder"   ? &rates.reorder
                   : name == "corrupt"   ? &rates.corrupt
                   : name == "delay"     ? &rates.delay
                                         : nullptr;
    if (number && rate && value <= 1)
      *rate = value;
    else if (number && name == "seed")
      rates.seed = uint64_t(value);
    else if (number && name == "delay-time")
      rates.delayTime = Time(value * double(Microsecond));
    else
      return Error{"", "found fault '" + item +
                           "'; expected loss, duplicate, reorder, corrupt or delay = 0 to 1, "
                           "delay-time = microseconds, or seed = number"};
  }
  return rates;
}

} // namespace acis::wire

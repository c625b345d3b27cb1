// See Metrics.h.
#include "runtime/switch/acisd/Metrics.h"

#include <cstdint>

namespace acis::acisd {

using nlohmann::json;

namespace {

/// A label's value: backslash, quote and line feed are escaped.
std::string label(const std::string &text) {
  std::string out;
  for (char c : text)
    out += c == '\\' || c == '"' ? std::string{'\\', c} : c == '\n' ? "\\n" : std::string{c};
  return out;
}

std::string ofPort(const json &port) {
  return "listen=\"" + label(port["listen"].get<std::string>()) + "\"";
}

std::string number(const json &value) { return " " + std::to_string(value.get<uint64_t>()) + "\n"; }

} // namespace

std::string metricsText(const json &status) {
  std::string out;
  for (const auto &[name, value] : status["counters"].items())
    out += "acis_" + name + number(value);
  static constexpr const char *names[][2] = {{"received", "packets_received"},
                                             {"bytesReceived", "bytes_received"},
                                             {"processed", "packets_processed"},
                                             {"sent", "packets_sent"},
                                             {"bytesSent", "bytes_sent"},
                                             {"droppedTrap", "packets_trapped"},
                                             {"droppedTooLong", "answers_too_long"},
                                             {"replaced", "replacements"},
                                             {"cycles", "cycles"}};
  for (const auto &[key, metric] : names) {
    const std::string full = std::string("acis_port_") + metric;
    out += "# TYPE " + full + " counter\n";
    for (const json &port : status["handlers"])
      out += full + "{" + ofPort(port) + ",handler=\"" + label(port["handler"].get<std::string>()) +
             "\"}" + number(port[key]);
  }
  const std::string perWorker = "acis_port_worker_packets_received";
  out += "# TYPE " + perWorker + " counter\n";
  for (const json &port : status["handlers"])
    for (size_t worker = 0; worker < port["workerReceived"].size(); ++worker)
      out += perWorker + "{" + ofPort(port) + ",worker=\"" + std::to_string(worker) + "\"}" +
             number(port["workerReceived"][worker]);
  return out;
}

} // namespace acis::acisd

// See Lateness.h.
#include "runtime/sim/acis-sim/Lateness.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace acis::cluster {
namespace {

constexpr double Longest = 1e9; ///< microseconds

Result<std::vector<double>> readCall(std::string line, uint32_t ranks) {
  std::replace(line.begin(), line.end(), ',', ' ');
  std::vector<double> out;
  const char *at = line.c_str();
  for (;;) {
    at += std::strspn(at, " \t\r");
    if (!*at)
      break;
    char *end = nullptr;
    const double value = std::strtod(at, &end);
    const std::string word(at, std::strcspn(at, " \t\r"));
    if (end != at + word.size() || !(value >= 0 && value <= Longest))
      return Error{"", "found '" + word.substr(0, 40) + "'; expected microseconds from 0 to 1e9"};
    out.push_back(value * 1e-6);
    at = end;
  }
  if (out.size() != ranks)
    return Error{"", "found " + std::to_string(out.size()) + " values; expected " +
                         std::to_string(ranks) + ", one for each rank"};
  return out;
}

} // namespace

Result<std::vector<std::vector<double>>> readLateness(const std::string &path, uint32_t ranks) {
  std::ifstream file(path);
  std::vector<std::vector<double>> out;
  size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.empty() || line[0] == '#')
      continue;
    Result<std::vector<double>> call = readCall(std::move(line), ranks);
    if (!call)
      return Error{path + ":" + std::to_string(number), call.error().what};
    out.push_back(std::move(*call));
  }
  if (!file.eof() || out.empty())
    return Error{path, file.eof() ? "has no calls; expected a line for each" : "cannot be read"};
  return out;
}

} // namespace acis::cluster

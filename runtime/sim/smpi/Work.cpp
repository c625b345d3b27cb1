// See Work.h.
#include "runtime/sim/smpi/Work.h"

#include "runtime/io/Files.h"

#include <simgrid/s4u.hpp>

#include <algorithm>
#include <cstdio>
#include <map>

namespace acis::cluster {
namespace {

namespace s4u = simgrid::s4u;

/// Seconds that each actor has computed since it was asked last. SMPI makes an execution of what it
/// has measured.
std::map<aid_t, double> &computed() {
  static std::map<aid_t, double> all;
  return all;
}

void observe(const s4u::Activity &activity) {
  if (dynamic_cast<const s4u::Exec *>(&activity) && s4u::Actor::is_maestro() == 0)
    computed()[s4u::this_actor::get_pid()] +=
        activity.get_finish_time() - activity.get_start_time();
}

} // namespace

Work::Work(Options given) : options(std::move(given)) {
  if (!options.record.empty())
    s4u::Activity::on_completion_cb(observe);
}

double Work::endOf(uint32_t rank, uint64_t step, const std::string &call) {
  ++ended;
  if (!options.record.empty())
    rows.push_back({step, rank, call, std::exchange(computed()[s4u::this_actor::get_pid()], 0)});
  if (!options.times)
    return 0;
  const std::optional<double> seconds = options.times->of(step, rank, call);
  if (!seconds && missing.count++ == 0)
    missing.first = "step " + std::to_string(step) + " of rank " + std::to_string(rank) +
                    ", which ends with " + call;
  return seconds.value_or(0) * options.scale;
}

Status Work::writeRecord() const {
  if (options.record.empty())
    return {};
  std::vector<Row> sorted = rows;
  std::sort(sorted.begin(), sorted.end(), [](const Row &a, const Row &b) {
    return std::pair(a.step, a.rank) < std::pair(b.step, b.rank);
  });
  std::string text = "step,rank,call,us\n";
  for (const Row &row : sorted) {
    char line[128];
    std::snprintf(line, sizeof line, "%llu,%u,%s,%.3f\n", (unsigned long long)row.step, row.rank,
                  row.call.c_str(), row.seconds * 1e6);
    text += line;
  }
  return io::writeFile(options.record,
                       {reinterpret_cast<const uint8_t *>(text.data()), text.size()});
}

} // namespace acis::cluster

#include "runtime/switch/wire/Steering.h"

namespace acis::wire {

std::string Policy::wrong() const {
  if (mostStaleness < staleness)
    return "staleness is " + std::to_string(staleness) + ", but at most " +
           std::to_string(mostStaleness) + " is allowed";
  if (unsigned(extra) > unsigned(Extra::LastArrival))
    return "extra work until " + std::to_string(unsigned(extra)) + "; allowed: 0 to 2";
  if (deadline > MostDeadline)
    return "a deadline of " + seconds(deadline) + "; at most " + seconds(MostDeadline) +
           " is allowed";
  if (utility > Whole)
    return "the utility of extra work is " + std::to_string(double(utility) / Whole) +
           "; 0 to 1 is allowed";
  if (window < 1 || window > MostWindow || every < 1)
    return "a deadline from " + std::to_string(window) + " iterations, anew after " +
           std::to_string(every) + "; allowed: 1 to " + std::to_string(MostWindow) +
           ", and at least 1";
  return "";
}

std::vector<uint8_t> Report::write() const {
  io::Writer writer;
  const std::vector<uint8_t> join = group.write();
  writer.put(uint16_t(join.size())).raw(join);
  writer.put(use)
      .put(policy.staleness)
      .put(policy.mostStaleness)
      .put(policy.quorum)
      .put(uint8_t(policy.extra))
      .put(policy.deadline)
      .put(policy.utility)
      .put(policy.window)
      .put(policy.every)
      .text(trouble)
      .put(uint16_t(records.size()));
  for (const Record &record : records)
    writer.put(record.position).put(record.rank).put(record.done).put(uint8_t(record.left));
  return writer.take();
}

std::optional<Report> Report::read(std::span<const uint8_t> bytes) {
  io::Reader reader(bytes);
  const std::string join = reader.text();
  const std::optional<Join> group =
      Join::read({reinterpret_cast<const uint8_t *>(join.data()), join.size()});
  Report report;
  report.use = reader.get<uint64_t>();
  Policy &policy = report.policy;
  policy.staleness = reader.get<uint32_t>();
  policy.mostStaleness = reader.get<uint32_t>();
  policy.quorum = reader.get<uint32_t>();
  policy.extra = Policy::Extra(reader.get<uint8_t>());
  policy.deadline = reader.get<uint64_t>();
  policy.utility = reader.get<uint32_t>();
  policy.window = reader.get<uint32_t>();
  policy.every = reader.get<uint32_t>();
  report.trouble = reader.text();
  const unsigned count = reader.get<uint16_t>();
  if (!group || group->size > MostMembers || count > group->size || !policy.wrong().empty())
    return std::nullopt;
  report.group = *group;
  const Level &own = group->levels.front();
  for (unsigned i = 0; i < count; ++i) {
    Record record;
    record.position = reader.get<uint32_t>();
    record.rank = reader.get<uint32_t>();
    record.done = reader.get<uint64_t>();
    const uint8_t left = reader.get<uint8_t>();
    record.left = left;
    if (left > 1 || record.position < own.first || record.position - own.first >= own.size)
      return std::nullopt;
    report.records.push_back(record);
  }
  return reader.complete() ? std::optional(report) : std::nullopt;
}

std::vector<uint8_t> Order::write() const {
  return io::Writer()
      .put(allowed)
      .put(floor)
      .put(signalled)
      .put(deadline)
      .put(staleness)
      .put(slowest)
      .put(slowestDone)
      .text(failure)
      .take();
}

std::optional<Order> Order::read(std::span<const uint8_t> bytes) {
  io::Reader reader(bytes);
  Order order;
  order.allowed = reader.get<uint64_t>();
  order.floor = reader.get<uint64_t>();
  order.signalled = reader.get<uint64_t>();
  order.deadline = reader.get<uint64_t>();
  order.staleness = reader.get<uint32_t>();
  order.slowest = reader.get<uint32_t>();
  order.slowestDone = reader.get<uint64_t>();
  order.failure = reader.text();
  return reader.complete() ? std::optional(order) : std::nullopt;
}

} // namespace acis::wire

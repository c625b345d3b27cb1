#include "runtime/switch/wire/Steering.h"

#include <algorithm>

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
  if (settled > imbalance)
    return "tasks are moved until the imbalance is " + std::to_string(double(settled) / Whole) +
           ", but from " + std::to_string(double(imbalance) / Whole) + " on";
  return "";
}

namespace {

/// Of a record.
enum : uint8_t { Left = 1, HasLoad = 2, Waits = 4, AllBits = 7 };

void write(io::Writer &writer, const Record &record) {
  const Load &load = record.load;
  const bool hasLoad = load != Load();
  writer.put(record.position).put(record.rank).put(record.done);
  writer.put(uint8_t(record.left * Left | hasLoad * HasLoad | load.waits * Waits));
  if (hasLoad)
    writer.put(load.queued)
        .put(load.taskTime)
        .put(load.answered)
        .put(load.given)
        .put(load.taken)
        .put(load.rounds);
}

/// False: the bits are none.
bool read(io::Reader &reader, Record &record) {
  record.position = reader.get<uint32_t>();
  record.rank = reader.get<uint32_t>();
  record.done = reader.get<uint64_t>();
  const uint8_t bits = reader.get<uint8_t>();
  record.left = bits & Left;
  Load &load = record.load;
  load.waits = bits & Waits;
  if (bits & HasLoad) {
    load.queued = reader.get<uint32_t>();
    load.taskTime = reader.get<uint64_t>();
    for (uint32_t *field : {&load.answered, &load.given, &load.taken, &load.rounds})
      *field = reader.get<uint32_t>();
  }
  return bits <= AllBits && ((bits & HasLoad) || !(bits & Waits));
}

} // namespace

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
      .put(policy.imbalance)
      .put(policy.settled)
      .put(uint8_t(policy.survive))
      .text(trouble)
      .put(uint16_t(records.size()));
  for (const Record &record : records)
    acis::wire::write(writer, record);
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
  policy.imbalance = reader.get<uint32_t>();
  policy.settled = reader.get<uint32_t>();
  const uint8_t survive = reader.get<uint8_t>();
  policy.survive = survive;
  report.trouble = reader.text();
  const unsigned count = reader.get<uint16_t>();
  if (!group || group->size > MostMembers || count > group->size || survive > 1 ||
      !policy.wrong().empty())
    return std::nullopt;
  report.group = *group;
  const Level &own = group->levels.front();
  for (unsigned i = 0; i < count; ++i) {
    Record record;
    if (!acis::wire::read(reader, record) || record.position < own.first ||
        record.position - own.first >= own.size)
      return std::nullopt;
    report.records.push_back(record);
  }
  return reader.complete() ? std::optional(report) : std::nullopt;
}

std::vector<uint8_t> Order::write() const {
  io::Writer writer;
  writer.put(allowed)
      .put(floor)
      .put(signalled)
      .put(deadline)
      .put(staleness)
      .put(slowest)
      .put(slowestDone)
      .put(rounds)
      .put(busiest)
      .text(failure)
      .put(uint16_t(gives.size()));
  for (const Give &give : gives)
    writer.put(give.position).put(give.total);
  return writer.take();
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
  order.rounds = reader.get<uint32_t>();
  order.busiest = reader.get<uint32_t>();
  order.failure = reader.text();
  const unsigned count = reader.get<uint16_t>();
  if (count > Report::MostMembers)
    return std::nullopt;
  for (unsigned i = 0; i < count; ++i) {
    Give give;
    give.position = reader.get<uint32_t>();
    give.total = reader.get<uint32_t>();
    order.gives.push_back(give);
  }
  return reader.complete() ? std::optional(order) : std::nullopt;
}

std::vector<uint8_t> PartialSum::write() const {
  io::Writer writer;
  writer.put(uint16_t(who.size()));
  for (size_t at = 0; at < who.size(); at += 8) {
    uint8_t bits = 0;
    for (size_t i = at; i < std::min(at + 8, who.size()); ++i)
      bits |= uint8_t(who[i] << (i - at));
    writer.put(bits);
  }
  return writer.raw(elements).take();
}

std::optional<PartialSum> PartialSum::read(std::span<const uint8_t> bytes) {
  io::Reader reader(bytes);
  PartialSum sum;
  const size_t members = reader.get<uint16_t>();
  for (size_t at = 0; at < members && !reader.ranOut(); at += 8) {
    const uint8_t bits = reader.get<uint8_t>();
    for (size_t i = at; i < std::min(at + 8, members); ++i)
      sum.who.push_back(bits >> (i - at) & 1);
  }
  const std::span<const uint8_t> rest = reader.rest();
  if (reader.ranOut() || members == 0 || rest.size() % sizeof(double) != 0)
    return std::nullopt;
  sum.elements.assign(rest.begin(), rest.end());
  return sum;
}

} // namespace acis::wire

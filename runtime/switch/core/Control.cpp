#include "runtime/switch/core/Control.h"

#include <algorithm>

namespace acis::sw {

using namespace wire;

namespace {

/// Of what is remembered of a context that a session has used.
constexpr int64_t bytesOfUse = 64;

bool isEnd(const Report &report) {
  return std::all_of(report.records.begin(), report.records.end(),
                     [](const Record &record) { return record.left; });
}

} // namespace

void Control::packet(const Packet &packet) {
  packet.header.type == PacketType::Report ? report(packet) : ofMember(packet);
}

void Control::report(const Packet &packet) {
  const std::optional<Report> report = Report::read(packet.payload);
  if (!report)
    return drop(count.malformed, "malformed");
  const auto at = table.find({packet.job, packet.header.context});
  const auto last = used.find({packet.session, packet.header.context});
  const bool isOver = last != used.end() && report->use <= last->second;
  if (isEnd(*report) && (isOver || at == table.end()))
    return confirmEnd(packet);
  if (isOver || ended.contains(packet.session))
    return drop(count.old, "of an earlier use");
  Group *group = at == table.end() ? begin(packet, *report) : &at->second;
  Child *child = group ? childOf(*group, packet, *report) : nullptr;
  if (!child)
    return;
  ++count.reports;
  child->number = packet.header.number;
  child->left = isEnd(*report) && report->records.size() == child->place.size;
  if (child->echo.hear(packet.header, services.now()))
    take(*group, *report);
  else if (!(packet.header.flags & flag::Answer) && !group->pace)
    group->above.ask(services.now()); // the member wants to know who it waits for
  changed(*group);
}

/// A member that has not heard that the group has ended with it.
void Control::confirmEnd(const Packet &packet) {
  Header header;
  header.type = PacketType::Order;
  header.context = packet.header.context;
  header.window = packet.header.slot;
  header.flags = flag::Answer;
  if (!(packet.header.flags & flag::Answer))
    services.send(packet.session, header, Order{}.write());
}

std::string Control::admit(const Packet &packet, const Report &report) const {
  if (table.size() >= limits.groups)
    return "the switch holds " + std::to_string(table.size()) + " control groups, its limit";
  if (report.group.levels.size() > 1 && !services.hasParent())
    return "the group has members on other switches, but no switch is above this one";
  return "";
}

void Control::refuse(const Packet &packet, const std::string &why) {
  ++count.refused;
  Header header;
  header.type = PacketType::Order;
  header.context = packet.header.context;
  header.slot = 1;
  header.window = packet.header.slot;
  header.flags = flag::Answer;
  Order order;
  order.failure = why;
  services.send(packet.session, header, order.write());
}

Control::Group *Control::begin(const Packet &packet, const Report &report) {
  std::string refusal = admit(packet, report);
  Group group;
  group.join = report.group;
  group.join.levels.erase(group.join.levels.begin());
  group.policy = report.policy;
  const bool isTop = group.join.levels.empty();
  group.own = isTop ? Level{0, 1, 0, report.group.size} : group.join.levels.front();
  const Level &first = report.group.levels.front();
  group.charged =
      int64_t(sizeof(Group) + first.children * sizeof(Child) + group.own.size * sizeof(Record));
  if (refusal.empty() && !services.charge(packet.job, group.charged))
    refusal = "the job has no memory left in the switch";
  if (!refusal.empty()) {
    refuse(packet, refusal);
    return nullptr;
  }
  group.children.resize(first.children);
  group.records.resize(group.own.size);
  group.spoken.resize(group.own.size);
  if (isTop) {
    group.pace = std::make_unique<control::Pace>(group.policy, report.group.size);
    group.moves = std::make_unique<control::Moves>(group.pace->policy(), report.group.size);
    group.sums = std::make_unique<control::Sums>(group.pace->policy(), report.group.size);
  } else
    group.first = versions + 1;
  ++count.begun;
  return &table.emplace(Key(packet.job, packet.header.context), std::move(group)).first->second;
}

bool Control::isOfGroup(const Group &group, const Report &report) {
  const Level &place = report.group.levels.front();
  return place.children == group.children.size() && report.group.size == group.join.size &&
         report.group.fingerprint == group.join.fingerprint &&
         std::equal(report.group.levels.begin() + 1, report.group.levels.end(),
                    group.join.levels.begin(), group.join.levels.end()) &&
         place.first >= group.own.first && place.size <= group.own.size &&
         place.first - group.own.first <= group.own.size - place.size;
}

/// Who says this, if it is not old and of this group. Who says something else than others ends the
/// group; but of one that is being left it may be the next use of the context, and is asked again.
Control::Child *Control::childOf(Group &group, const Packet &packet, const Report &report) {
  const auto known = std::find_if(group.children.begin(), group.children.end(),
                                  [&](const Child &c) { return c.session == packet.session; });
  if (known != group.children.end() &&
      (packet.header.number <= known->number || report.use != known->use || known->gone)) {
    drop(count.old, "old, or of another use");
    return nullptr;
  }
  const Level &place = report.group.levels.front();
  const std::string who = services.session(packet.session)->name();
  Child *child = isOfGroup(group, report) ? &group.children[place.index] : nullptr;
  if (child && child->gone && known == group.children.end() && group.policy.survive) {
    refuse(packet, who + " has left this group, or was taken for dead");
    return nullptr;
  }
  if (child && child->session == 0 && known == group.children.end()) {
    child->session = packet.session;
    child->place = place;
    child->use = report.use;
    if (group.version > 0)
      child->echo.tell(group.version, services.now());
  }
  const bool fits = child && child->session == packet.session && child->place == place;
  if (fits && report.policy == group.policy)
    return child;
  if (std::any_of(group.children.begin(), group.children.end(),
                  [](const Child &c) { return c.left; })) {
    drop(count.old, "group is being left");
    return nullptr;
  }
  trouble(group, who + (fits ? " asks for another policy than others"
                             : " describes another group of this context than others"));
  changed(group);
  return fits ? child : nullptr;
}

void Control::take(Group &group, const Report &report) {
  bool isNew = false;
  for (const Record &record : report.records) {
    const uint32_t i = record.position - group.own.first;
    isNew |= !group.spoken[i] || group.records[i] != record;
    group.spoken[i] = true;
    group.records[i] = record;
    if (!group.pace)
      continue;
    group.pace->report(record, services.now());
    group.moves->report(record, services.now());
    if (record.left)
      group.sums->leave(record.position);
  }
  if (!report.trouble.empty())
    trouble(group, report.trouble);
  if (isNew && !group.pace)
    group.above.tell(++versions, services.now());
}

void Control::trouble(Group &group, const std::string &what) {
  if (!group.trouble.empty())
    return;
  group.trouble = what;
  if (group.pace)
    group.pace->fail(what);
  else
    group.above.tell(++versions, services.now());
}

/// Something may have to be said.
void Control::changed(Group &group) {
  group.due = 0;
  if (!group.pace)
    return;
  group.moves->decide();
  const uint64_t version = group.pace->version() + group.moves->version();
  if (version != group.version) {
    group.version = version;
    spread(group);
  }
  const uint32_t busiest = group.order.busiest;
  group.order = group.pace->order(); // who is slowest is news without a version
  group.order.busiest = busiest;
  group.moves->describe(group.order);
}

/// There is a new order.
void Control::spread(Group &group) {
  for (Child &child : group.children)
    if (child.session != 0 && !child.gone)
      child.echo.tell(group.version, services.now());
}

void Control::fromAbove(const Packet &packet) {
  if (isOfMember(packet.header.type))
    return ofMember(packet);
  if (packet.header.type != PacketType::Order)
    return;
  const auto at = table.find({packet.job, packet.header.context});
  const std::optional<Order> order = Order::read(packet.payload);
  if (at == table.end() || !order)
    return;
  Group &group = at->second;
  if (group.pace || packet.header.window < group.first)
    return; // of an earlier use
  const bool isNew = group.above.hear(packet.header, services.now());
  if (packet.header.slot >= group.version)
    group.order = *order;
  if (isNew) {
    group.version = packet.header.slot;
    spread(group);
  }
  group.due = 0;
}

void Control::batchEnded() {
  for (auto at = table.begin(); at != table.end();) {
    const auto here = at++;
    if (here->second.due <= services.now())
      serve(here->first, here->second);
    if (isOver(here->second))
      end(here);
  }
}

void Control::linkOpened(JobId job) {
  for (auto at = table.lower_bound({job, 0}); at != table.end() && at->first.first == job; ++at)
    at->second.due = 0;
}

/// Says what is due.
void Control::serve(Key key, Group &group) {
  const Time now = services.now();
  group.due = Never;
  if (group.pace) {
    group.due = group.pace->tick(now);
    const Time due = std::min(group.due, serveMembers(key, group));
    changed(group);
    group.due = due;
  } else {
    if (group.above.due() <= now)
      sendUp(key, group);
    group.due = group.above.due();
  }
  for (Child &child : group.children) {
    if (child.session == 0 || child.gone)
      continue;
    if (child.echo.due() <= now)
      sendDown(key.second, group, child);
    group.due = std::min(group.due, child.echo.due());
  }
}

void Control::sendDown(uint32_t context, Group &group, Child &child) {
  Header header;
  header.type = PacketType::Order;
  header.context = context;
  child.echo.stamp(header, services.now());
  ++count.orders;
  services.send(child.session, header, group.order.write());
}

void Control::sendUp(Key key, Group &group) {
  Header header;
  header.type = PacketType::Report;
  header.context = key.second;
  Report report;
  report.group = group.join;
  report.use = group.first;
  report.policy = group.policy;
  report.trouble = group.trouble;
  for (size_t i = 0; i < group.records.size(); ++i)
    if (group.spoken[i])
      report.records.push_back(group.records[i]);
  group.above.stamp(header, services.now());
  services.sendAbove(key.first, header, report.write());
}

/// All below have left, and know that it is known here and above.
bool Control::isOver(const Group &group) const {
  for (size_t i = 0; i < group.records.size(); ++i)
    if (!group.spoken[i] || !group.records[i].left)
      return false;
  return group.pace || group.above.isConfirmed();
}

/// Members that do not hear of it are told by confirmEnd().
void Control::end(std::map<Key, Group>::iterator at) {
  auto &[key, group] = *at;
  for (Child &child : group.children)
    if (child.session != 0 && !child.gone) {
      if (child.echo.due() != Never)
        sendDown(key.second, group, child);
      if (used.insert_or_assign({child.session, key.second}, child.use).second)
        services.charge(key.first, bytesOfUse);
    }
  services.charge(key.first, -group.charged);
  table.erase(at);
}

/// Bye without having left is leaving.
void Control::sessionEnded(SessionId session, JobId job) {
  ended.insert(session);
  for (auto at = table.lower_bound({job, 0}); at != table.end() && at->first.first == job; ++at)
    for (Child &child : at->second.children) {
      if (child.session != session || child.gone)
        continue;
      child.gone = child.left = true;
      Report report;
      for (uint32_t i = 0; i < child.place.size; ++i) {
        Record record = at->second.records[child.place.first - at->second.own.first + i];
        record.position = child.place.first + i;
        record.left = true;
        report.records.push_back(record);
      }
      take(at->second, report);
      changed(at->second);
    }
}

Plugin::Death Control::death(SessionId session, JobId job) const {
  Death death = Death::Nothing;
  for (auto at = table.lower_bound({job, 0}); at != table.end() && at->first.first == job; ++at)
    for (const Child &child : at->second.children)
      if (child.session == session && !child.left) {
        if (!at->second.policy.survive)
          return Death::Fatal;
        death = Death::Leaves;
      }
  return death;
}

bool Control::isDrained(JobId job) const {
  for (auto at = table.lower_bound({job, 0}); at != table.end() && at->first.first == job; ++at)
    if (!at->second.pace && !at->second.above.isConfirmed())
      return false;
  return true;
}

void Control::jobEnded(JobId job) {
  std::erase_if(table, [&](const auto &item) { return item.first.first == job; });
  std::erase_if(ended, [&](SessionId id) {
    const SessionInfo *info = services.session(id);
    return !info || info->job == job;
  });
  std::erase_if(used, [&](const auto &item) {
    const SessionInfo *info = services.session(item.first.first);
    return !info || info->job == job;
  });
}

Time Control::tick() {
  batchEnded();
  Time next = Never;
  for (const auto &[key, group] : table)
    next = std::min(next, group.due);
  return next;
}

void Control::statistics(Statistics &out) const {
  uint64_t missed = 0, measured = 0, moved = 0, sums = 0, partials = 0;
  for (const auto &[key, group] : table)
    if (group.pace) {
      missed += group.pace->missedDeadlines();
      measured += group.pace->measured();
      moved += group.moves->moved();
      sums += group.sums->made();
      partials += group.sums->partial();
    }
  out.insert(out.end(), {{"control_groups", table.size()},
                         {"control_groups_begun", count.begun},
                         {"control_groups_refused", count.refused},
                         {"control_reports", count.reports},
                         {"control_orders", count.orders},
                         {"control_old", count.old},
                         {"control_malformed", count.malformed},
                         {"control_tasks_moved", moved},
                         {"control_sums", sums},
                         {"control_sums_partial", partials},
                         {"control_iterations_measured", measured},
                         {"control_deadlines_missed", missed}});
}

std::vector<Control::Status> Control::groups() const {
  std::vector<Status> out;
  for (const auto &[key, group] : table) {
    Status status{key.first,    key.second, group.join.size, group.pace != nullptr,
                  group.policy, group.order};
    if (group.pace) {
      status.policy = group.pace->policy();
      status.measured = group.pace->measured();
      status.missedDeadlines = group.pace->missedDeadlines();
      status.moved = group.moves->moved();
      status.sums = group.sums->made();
      status.partials = group.sums->partial();
    }
    out.push_back(status);
  }
  return out;
}

std::string Control::change(JobId job, uint32_t context, const Policy &policy) {
  const auto at = table.find({job, context});
  if (at == table.end())
    return "job " + std::to_string(job) + " has no control group of context " +
           std::to_string(context) + " here";
  Group &group = at->second;
  if (!group.pace)
    return "the switch above decides for this group; ask that one";
  const std::string wrong = group.pace->change(policy, services.now());
  group.moves->policyChanged();
  changed(group);
  return wrong;
}

void Control::fingerprint(std::vector<uint64_t> &out) const {
  for (const auto &[key, group] : table) {
    out.insert(out.end(), {key.first, key.second, group.version, group.trouble.size()});
    for (const Child &child : group.children) {
      out.insert(out.end(), {child.session, child.gone});
      child.echo.fingerprint(out);
    }
    for (size_t i = 0; i < group.records.size(); ++i)
      out.insert(out.end(), {group.spoken[i], group.records[i].done, group.records[i].left});
    for (const Record &record : group.records)
      if (const Load &load = record.load; load != Load())
        out.insert(out.end(),
                   {load.queued, load.answered, load.given, load.taken, load.rounds, load.waits});
    if (group.pace) {
      group.pace->fingerprint(out);
      group.moves->fingerprint(out);
      group.sums->fingerprint(out);
    } else
      group.above.fingerprint(out);
  }
}

} // namespace acis::sw

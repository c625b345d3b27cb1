// Control groups of a session over UDP.
#include "runtime/host/client/UdpSession.h"

#include <cstring>

namespace acis::client {

using namespace wire;

Status UdpSession::isUsable(const HostControl *, uint32_t context) {
  const Result<HostControl *> group = session.usableControl(context);
  return group ? Status() : Status(group.error());
}

Status UdpSession::beginSum(uint32_t context, std::span<const double> share) {
  HostControl *group = session.control(context);
  if (Status usable = isUsable(group, context); !usable)
    return usable;
  const size_t most = (session.datagramBytes() - PartialSum::bytesOfWho(Report::MostMembers)) / 8;
  if (share.empty() || share.size() > most)
    return Error{"", "a share of " + std::to_string(share.size()) + " numbers; 1 to " +
                         std::to_string(most) + " are allowed, as many as a packet of the switch " +
                         "has room for (acisd --packet-bytes)"};
  if (!group->sum().isUnderWay()) {
    const auto *bytes = reinterpret_cast<const uint8_t *>(share.data());
    if (bytes)
      group->sum().give({bytes, bytes + 8 * share.size()}, systemTime());
    else
      group->sum().ask(8 * share.size(), systemTime());
    loop.step();
  }
  return {};
}

Status UdpSession::openControl(uint32_t context, std::span<const uint32_t> ranks,
                               const Policy &policy) {
  if (Status opened =
          loop.locked([&] { return session.openControl(context, ranks, policy, systemTime()); });
      !opened)
    return opened;
  Status heard = loop.waitFor(
      Time(options.openTimeout.count()), [&] { return session.control(context)->isHeard(); },
      [] { return std::string("the switch does not answer"); });
  const auto guard = loop.hold();
  const std::string failure = session.control(context)->order().failure;
  if (heard && failure.empty())
    return {};
  session.closeControl(context);
  return heard ? Status(Error{"", failure}) : heard;
}

Status UdpSession::beginIteration(uint32_t context, uint64_t iteration, Nanoseconds timeout,
                                  Nanoseconds waited) {
  Result<bool> begun = false;
  const auto isOver = [&] {
    begun = session.beginIteration(context, iteration, systemTime());
    return !begun || *begun;
  };
  const Status status = loop.waitFor(Time(timeout.count()), isOver, [&] {
    return "iteration " + std::to_string(iteration) + " may not begin within " +
           seconds(Time((waited + timeout).count())) + ": the switch waits for " +
           session.control(context)->slowestText();
  });
  return begun ? status : Status(begun.error());
}

Status UdpSession::endIteration(uint32_t context, uint64_t iteration) {
  return loop.locked([&] {
    const Status ended = session.endIteration(context, iteration, systemTime());
    loop.flush();
    return ended;
  });
}

Result<ControlState> UdpSession::control(uint32_t context) {
  const auto guard = loop.hold();
  loop.step();
  return session.controlState(context);
}

size_t UdpSession::taskBytes() const {
  const auto guard = loop.hold();
  return session.datagramBytes();
}

Status UdpSession::putTask(uint32_t context, std::span<const uint8_t> task) {
  return loop.locked([&]() -> Status {
    HostControl *group = session.control(context);
    if (Status usable = isUsable(group, context); !usable)
      return usable;
    if (task.size() > session.datagramBytes())
      return Error{"", "a task of " + std::to_string(task.size()) + " bytes; at most " +
                           std::to_string(session.datagramBytes()) +
                           " are moved, a packet of the switch (acisd --packet-bytes)"};
    group->tasks().put({task.begin(), task.end()}, systemTime());
    loop.step();
    return {};
  });
}

Result<NextTask> UdpSession::nextTask(uint32_t context, Nanoseconds timeout) {
  NextTask out;
  Status usable;
  const auto isOver = [&] { // may be asked again
    if (!usable || out.what != NextTask::What::None)
      return true;
    HostControl *group = session.control(context);
    usable = isUsable(group, context);
    if (!usable)
      return true;
    using Next = HostTasks::Next;
    const Next next = group->tasks().next(out.task, systemTime());
    out.what = next == Next::Task    ? NextTask::What::Task
               : next == Next::Ended ? NextTask::What::Ended
                                     : NextTask::What::None;
    group->pump(systemTime());
    if (next == Next::Wait)
      group->wait(systemTime());
    loop.flush();
    return next != Next::Wait;
  };
  const Status status = loop.waitFor(Time(timeout.count()), isOver, [&] {
    out.waitsFor = "rank " + std::to_string(session.control(context)->busiest());
    return std::string();
  });
  if (!usable)
    return usable.error();
  if (!status && out.waitsFor.empty())
    return status.error();
  return out;
}

Result<GroupSum> UdpSession::sum(uint32_t context, std::span<const double> share,
                                 Nanoseconds timeout) {
  if (Status begun = loop.locked([&] { return beginSum(context, share); }); !begun)
    return begun.error();
  GroupSum out;
  Status usable;
  const auto isOver = [&] {
    HostControl *group = session.control(context);
    usable = isUsable(group, context);
    return !usable || group->sum().isOver();
  };
  bool isLate = false;
  const Status status = loop.waitFor(Time(timeout.count()), isOver, [&] {
    isLate = true;
    return std::string();
  });
  if (!usable)
    return usable.error();
  if (!status && !isLate)
    return status.error();
  const auto guard = loop.hold();
  HostControl &group = *session.control(context);
  HostSum &made = group.sum();
  out = {made.number(), made.isMade(), group.isIn(), group.whoIsIn(), {}};
  if (made.isMade()) {
    out.values.resize(share.size());
    std::memcpy(out.values.data(), made.sum().elements.data(), 8 * share.size());
  }
  if (made.isOver())
    made.take();
  return out;
}

Status UdpSession::closeControl(uint32_t context, Nanoseconds timeout) {
  {
    const auto guard = loop.hold();
    HostControl *group = session.control(context);
    if (!group)
      return {};
    group->leave(systemTime());
  }
  Status left = loop.waitFor(
      Time(timeout.count()), [&] { return session.control(context)->hasLeft(); },
      [] { return std::string("the switch does not answer"); });
  const auto guard = loop.hold();
  session.closeControl(context);
  return left;
}

} // namespace acis::client

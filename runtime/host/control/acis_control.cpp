#include "runtime/host/control/acis_control.h"

#include "runtime/host/client/CSession.h"
#include "runtime/host/control/Group.h"

#include <algorithm>
#include <cmath>

using namespace acis;

namespace {

constexpr double defaultTimeout = 600;
constexpr double mostImbalance = 1000;
constexpr Nanoseconds slice = std::chrono::milliseconds(2);
/// With nothing else to do: after that who is waited for is asked again.
constexpr Nanoseconds longSlice = std::chrono::milliseconds(150);

const char *give(acis_control &group, const Status &status) {
  if (status)
    return nullptr;
  group.error = status.error().str();
  return group.error.c_str();
}

Error notAllowed(const char *field, double value, const std::string &allowed) {
  return {"", std::string(field) + " is " + std::to_string(value) + "; " + allowed + " is allowed"};
}

double timeoutOf(const acis_control_policy &given) {
  return given.timeout == 0 ? defaultTimeout : given.timeout;
}

/// What the text fields cannot hold is refused here, the rest by the session.
Result<wire::Policy> policyOf(const acis_control_policy &given) {
  const double timeout = timeoutOf(given);
  if (!(timeout > 0 && timeout <= 1e9))
    return notAllowed("timeout", timeout, "more than 0, to 1e9,");
  if (!(given.deadline >= 0 && given.deadline <= timeout))
    return notAllowed("deadline", given.deadline,
                      "0 to the timeout, " + std::to_string(timeout) + ",");
  if (!(given.imbalance >= 0 && given.imbalance <= mostImbalance))
    return notAllowed("imbalance", given.imbalance, "0 to 1000");
  if (!(given.settled >= 0 && given.settled <= given.imbalance))
    return notAllowed("settled", given.settled,
                      "0 to the imbalance, " + std::to_string(given.imbalance) + ",");
  if (!(given.utility >= 0 && given.utility <= 1))
    return notAllowed("utility", given.utility, "0 to 1");
  wire::Policy policy;
  policy.staleness = given.staleness;
  policy.mostStaleness = std::max(given.staleness, given.most_staleness);
  policy.quorum = given.quorum;
  policy.extra = wire::Policy::Extra(given.extra);
  policy.deadline = wire::Time(given.deadline * 1e9);
  policy.utility = uint32_t(std::lround(given.utility * wire::Policy::Whole));
  if (given.window != 0)
    policy.window = given.window;
  if (given.every != 0)
    policy.every = given.every;
  const double settled = given.settled == 0 ? given.imbalance / 2 : given.settled;
  policy.imbalance = uint32_t(std::lround(given.imbalance * wire::Policy::Whole));
  policy.settled = std::min(policy.imbalance, uint32_t(std::lround(settled * wire::Policy::Whole)));
  policy.survive = given.survive != 0;
  return policy;
}

} // namespace

Result<std::unique_ptr<acis_control>> acis::openGroup(Session &session, uint32_t context,
                                                      std::span<const uint32_t> ranks,
                                                      const acis_control_policy *given) {
  const acis_control_policy said = given ? *given : acis_control_policy{};
  Result<wire::Policy> policy = policyOf(said);
  if (!policy)
    return policy.error();
  if (Status opened = session.openControl(context, ranks, *policy); !opened)
    return opened.error();
  auto group = std::make_unique<acis_control>();
  group->session = &session;
  group->context = context;
  group->ranks.assign(ranks.begin(), ranks.end());
  group->timeout = Nanoseconds(int64_t(timeoutOf(said) * 1e9));
  return group;
}

acis_control *acis_control_open(acis_session *session, uint32_t context, const uint32_t *ranks,
                                size_t count, const acis_control_policy *policy,
                                const char **error) {
  thread_local std::string text;
  Result<std::unique_ptr<acis_control>> group =
      openGroup(*session->session, context, {ranks, count}, policy);
  if (group)
    return group->release();
  text = group.error().str();
  if (error)
    *error = text.c_str();
  return nullptr;
}

void acis_control_close(acis_control *group) {
  if (group)
    (void)group->session->closeControl(group->context, std::chrono::seconds(5));
  delete group;
}

const char *acis_control_begin(acis_control *group, uint64_t iteration) {
  if (!group->meanwhile)
    return give(*group, group->session->beginIteration(group->context, iteration, group->timeout));
  const auto start = std::chrono::steady_clock::now();
  for (;;) {
    const Nanoseconds waited = std::chrono::steady_clock::now() - start;
    Status begun = group->session->beginIteration(group->context, iteration, slice, waited);
    const bool isLate = waited >= group->timeout;
    // Only who waited for nothing but time tries again.
    const Result<ControlState> state = group->session->control(group->context);
    if (begun || isLate || !state || state->done != iteration)
      return give(*group, begun);
    group->meanwhile();
  }
}

const char *acis_control_end(acis_control *group, uint64_t iteration) {
  return give(*group, group->session->endIteration(group->context, iteration));
}

const char *acis_control_extra(acis_control *group, acis_token token, void *argument,
                               acis_extra_work *done) {
  const auto start = std::chrono::steady_clock::now();
  acis_extra_work work{};
  const char *problem = nullptr;
  for (bool more = true; more;) {
    const Result<ControlState> state = group->session->control(group->context);
    if (!state)
      problem = give(*group, state.error());
    if (!state || state->done == 0 || state->signalled >= state->done) {
      work.overruns = state && work.tokens > 0;
      break;
    }
    more = token(argument) != 0;
    ++work.tokens;
  }
  work.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (done)
    *done = work;
  return problem;
}

namespace {

/// Calls once(time to wait) until isOver() what it gives, the group's timeout has passed or there
/// is an error; in between other work is done.
template <typename Once, typename Over> auto waitFor(acis_control &group, Once once, Over isOver) {
  const auto end = std::chrono::steady_clock::now() + group.timeout;
  for (;;) {
    auto result = once(std::min(group.meanwhile ? slice : longSlice, group.timeout));
    if (!result || isOver(*result) || std::chrono::steady_clock::now() >= end)
      return result;
    if (group.meanwhile)
      group.meanwhile();
  }
}

std::string timeText(const acis_control &group) {
  return wire::seconds(wire::Time(group.timeout.count()));
}

} // namespace

size_t acis_control_task_bytes(const acis_control *group) { return group->session->taskBytes(); }

const char *acis_control_put(acis_control *group, const void *task, size_t bytes) {
  return give(*group,
              group->session->putTask(group->context, {static_cast<const uint8_t *>(task), bytes}));
}

const char *acis_control_next(acis_control *group, const void **task, size_t *bytes) {
  using What = NextTask::What;
  *task = nullptr;
  *bytes = 0;
  Result<NextTask> next = waitFor(
      *group, [&](Nanoseconds time) { return group->session->nextTask(group->context, time); },
      [](const NextTask &one) { return one.what != What::None; });
  if (!next)
    return give(*group, next.error());
  if (next->what == What::None)
    return give(*group, Error{"", "no task within " + timeText(*group) + ": " + next->waitsFor +
                                      " has tasks, or may put some"});
  if (next->what == What::Ended)
    return nullptr;
  group->task = std::move(next->task);
  *bytes = group->task.size();
  group->task.push_back(0); // never NULL
  *task = group->task.data();
  return nullptr;
}

const char *acis_control_sum(acis_control *group, const double *share, double *sum, size_t count,
                             acis_control_made *made, uint8_t *who) {
  if (!made)
    return give(*group, Error{"", "no room for who is in the sum: `made` is NULL"});
  Result<GroupSum> result = waitFor(
      *group,
      [&](Nanoseconds time) { return group->session->sum(group->context, {share, count}, time); },
      [&](const GroupSum &one) { return one.isMade || (!share && !one.who.empty()); });
  if (!result)
    return give(*group, result.error());
  *made = {result->number, 0, uint32_t(group->ranks.size()), result->isMine};
  if (!share && !result->isMade)
    return nullptr;
  for (size_t rank = 0; rank < result->who.size(); ++rank) {
    made->contributors += result->who[rank];
    if (who)
      who[rank] = result->who[rank];
  }
  if (result->isMade) {
    std::copy(result->values.begin(), result->values.end(), sum);
    return nullptr;
  }
  const auto missing = std::find(result->who.begin(), result->who.end(), false);
  const std::string why =
      result->isMine && missing != result->who.end()
          ? "rank " + std::to_string(group->ranks[size_t(missing - result->who.begin())]) +
                " has not given its share"
          : "the switch has not taken this member's share";
  return give(*group, Error{"", "sum " + std::to_string(made->number) + " is not made within " +
                                    timeText(*group) + ": " + why});
}

const char *acis_control_look(acis_control *group, acis_control_state *out) {
  const Result<ControlState> state = group->session->control(group->context);
  if (!state)
    return give(*group, state.error());
  *out = {state->done,
          state->allowed,
          state->floor,
          state->signalled,
          std::chrono::duration<double>(state->deadline).count(),
          state->staleness,
          state->slowest,
          state->slowestDone};
  return nullptr;
}

// What ranks do, step by step.
#include "runtime/switch/core/test/ExploreNodes.h"

#include <algorithm>

namespace acis::explore {

Step attach() { return {Do::Attach}; }
Step join(uint32_t context) { return {Do::Join, context}; }
Step start(Kind kind, uint32_t root, uint32_t context) { return {Do::Start, context, kind, root}; }
Step task(Kind first, uint32_t program) { return {Do::Task, 0, first, 0, program}; }
Step await() { return {Do::Await}; }
Step leave(uint32_t context) { return {Do::Free, context}; }
Step close() { return {Do::Close}; }
Step enlist() { return {Do::Enlist}; }
Step work() { return {Do::Work}; }
Step put(uint32_t task) { return {.what = Do::Put, .program = task}; }
Step run(uint32_t tasks) { return {.what = Do::Run, .count = tasks}; }
Step add() { return {Do::Add}; }
Step tryOne() { return {Do::Try}; }
Step ask() { return {Do::Ask}; }
Step die() { return {Do::Die}; }
Step dismiss() { return {Do::Dismiss}; }
Step alloc() { return {.what = Do::Alloc, .access = Access::Op::Alloc}; }
Step write(uint8_t value) {
  return {.what = Do::Access, .access = Access::Op::Put, .value = value};
}
Step increment() { return {.what = Do::Access, .access = Access::Op::Launch}; }
Step read(uint8_t value) { return {.what = Do::Access, .access = Access::Op::Get, .value = value}; }
Step fold(uint8_t value) {
  return {.what = Do::Access, .access = Access::Op::Fold, .value = value};
}
Step release() { return {.what = Do::Access, .access = Access::Op::Free}; }

/// A call with its buffers and what comes of it, as the last of the rank's calls.
Collective World::describe(Rank &rank, const Step &what) {
  const std::vector<uint32_t> &group = scene.groups[what.context];
  const auto n = int32_t(group.size());
  const auto me = int32_t(std::find(group.begin(), group.end(), rank.id) - group.begin());
  Rank::Call &made = rank.calls.emplace_back();
  made.kind = what.kind;
  made.in.assign(scene.count, me + 1);
  made.out.assign(scene.count, -1);
  const bool isRoot = uint32_t(me) == what.root;
  Collective call;
  call.kind = what.kind;
  call.context = what.context;
  call.op = ReduceOp::Sum;
  call.type = ElementType::Int32;
  call.count = what.kind == Kind::Barrier ? 0 : scene.count;
  call.root = what.root;
  call.send = made.in.data();
  call.recv = made.out.data();
  if (scene.inPlace && what.kind == Kind::Allreduce) {
    made.out = made.in;
    call.send = call.recv;
  }
  if (what.kind == Kind::Allreduce || (what.kind == Kind::Reduce && isRoot))
    made.want = n * (n + 1) / 2;
  if (what.kind == Kind::Scan)
    made.want = (me + 1) * (me + 2) / 2;
  if (what.kind == Kind::Bcast) {
    (isRoot ? call.recv : const_cast<void *&>(call.send)) = nullptr;
    if (!isRoot)
      made.want = int32_t(what.root) + 1;
  }
  return call;
}

void World::startCall(Rank &rank, const Step &what) {
  Result<Request> request = rank.session->start(describe(rank, what), rank.clock);
  rank.calls.back().request = request ? *request : 0;
}

void World::startAccess(Rank &rank, const Step &what) {
  static const std::vector<uint8_t> bytes = [] {
    std::vector<uint8_t> out(256);
    for (size_t i = 0; i < out.size(); ++i)
      out[i] = uint8_t(i);
    return out;
  }();
  const bool whole = what.access == Access::Op::Free;
  Access access;
  access.op = what.access;
  access.place = {rank.block, 0, whole ? 0u : 1u};
  if (what.access == Access::Op::Put)
    access.data = std::span(bytes).subspan(what.value, 1);
  if (what.access == Access::Op::Launch) {
    access.memory = access.place;
    access.place = {};
    access.stages = {1};
  }
  if (what.access == Access::Op::Fold) {
    access.nodes = 1;
    access.reduce = ReduceOp::Sum;
  }
  rank.asked.push_back({rank.session->memory().start(access, false), what});
  rank.session->tick(rank.clock);
}

/// False: some have no answer yet.
bool World::endAccesses(Rank &rank) {
  client::HostMemory &memory = rank.session->memory();
  for (; !rank.asked.empty(); rank.asked.pop_front()) {
    const auto &[slot, what] = rank.asked.front();
    if (!memory.isDone(slot))
      return false;
    const Outcome out = memory.take(slot);
    if (what.access == Access::Op::Alloc)
      rank.block = out.value;
    if (out.failure != Outcome::Failure::None)
      wrongAnswer = "rank " + std::to_string(rank.id) + " was refused: " + out.what;
    else if ((what.access == Access::Op::Get || what.access == Access::Op::Fold) &&
             (out.data.size() != 1 || out.data[0] != what.value))
      wrongAnswer = "rank " + std::to_string(rank.id) + " read " +
                    (out.data.empty() ? "nothing" : std::to_string(out.data[0])) + ", not " +
                    std::to_string(what.value);
  }
  return true;
}

/// What the task gives is what the rank would: the task's own bytes.
void World::startTask(Rank &rank, const Step &what) {
  Collective first = describe(rank, what);
  const Collective next = describe(rank, {.what = Do::Start, .kind = Kind::Allreduce});
  std::vector<int32_t> &in = rank.calls.back().in;
  SwitchTask task;
  task.program = what.program;
  task.outputBytes = uint32_t(4 * in.size());
  const auto *bytes = reinterpret_cast<const uint8_t *>(in.data());
  const std::vector<uint8_t> given(bytes, bytes + task.outputBytes);
  task.given = {{always()}, {given}};
  std::fill(in.begin(), in.end(), -7); // until the task is over
  task.ran = [&in](std::span<const uint8_t> output) {
    std::memcpy(in.data(), output.data(), output.size());
  };
  task.run = [&in, value = io::load<uint32_t>(given.data())] {
    std::fill(in.begin(), in.end(), int32_t(value));
  };
  task.next = &next;
  first.task = &task;
  (void)rank.session->weigh(first);
  Result<Request> request = rank.session->start(first, rank.clock);
  for (size_t back : {1, 2})
    rank.calls[rank.calls.size() - back].request = request ? *request : 0;
}

/// False: it has to wait.
bool World::begin(Rank &rank, const Step &what) {
  client::HostSession *session = rank.session.get();
  switch (what.what) {
  case Do::Attach:
    attachRank(rank);
    break;
  case Do::Join:
    (void)session->join(what.context, scene.groups[what.context], rank.clock);
    break;
  case Do::Start:
    startCall(rank, what);
    break;
  case Do::Task:
    startTask(rank, what);
    break;
  case Do::Await:
    break;
  case Do::Free:
    if (!session->idle(what.context))
      return false;
    session->leave(what.context, rank.clock);
    break;
  case Do::Close:
    if (!session->idle())
      return false;
    session->close(rank.clock);
    break;
  case Do::Enlist:
    (void)session->openControl(what.context, scene.groups[what.context], scene.policy, rank.clock);
    break;
  case Do::Work: {
    client::HostControl &group = *session->control(what.context);
    if (!group.mayBegin(group.done()))
      return false;
    group.done(group.done() + 1, rank.clock);
    session->tick(rank.clock);
    break;
  }
  case Do::Put:
    session->control(0)->tasks().put({uint8_t(what.program)}, rank.clock);
    session->tick(rank.clock);
    break;
  case Do::Run:
    return runOne(rank, what.count);
  case Do::Add: {
    std::vector<uint8_t> share(sizeof(double));
    io::store(share.data(), std::bit_cast<uint64_t>(double(rank.id + 1)));
    session->control(0)->sum().give(share, rank.clock);
    session->tick(rank.clock);
    break;
  }
  case Do::Try:
    (void)runOne(rank, 0);
    break;
  case Do::Ask:
    session->control(0)->sum().ask(sizeof(double), rank.clock);
    session->tick(rank.clock);
    break;
    rank.session->tick(rank.clock);
    break;
  case Do::Alloc:
  case Do::Access:
    startAccess(rank, what);
    break;
  case Do::Die:
    dieNow(rank);
    break;
  case Do::Dismiss:
    session->control(what.context)->leave(rank.clock);
    session->tick(rank.clock);
    break;
  }
  return true;
}

/// True: all queues have ended, or it has run enough. A task that is begun is over when something
/// else happens.
bool World::runOne(Rank &rank, uint32_t most) {
  if (most > 0 && rank.ran.size() >= most)
    return true;
  std::vector<uint8_t> task;
  const auto next = rank.session->control(0)->tasks().next(task, rank.clock);
  if (next == client::HostTasks::Next::Task) {
    rank.ran.push_back(task.at(0));
    idleRounds = 0;
  }
  rank.session->tick(rank.clock);
  return next == client::HostTasks::Next::Ended;
}

/// Of one number there is one sum, of those who are in it.
void World::endSum(Rank &rank) {
  client::HostSum &own = rank.session->control(0)->sum();
  const PartialSum sum = own.sum();
  if (!own.isMade())
    return own.take(); // it has only asked
  const auto [at, isNew] = sums.emplace(own.number(), sum);
  double want = 0, count = 0;
  for (size_t position = 0; position < sum.who.size(); ++position) {
    want += sum.who[position] ? double(position + 1) : 0;
    count += sum.who[position];
  }
  const auto value = std::bit_cast<double>(io::load<uint64_t>(sum.elements.data()));
  // Who leaves or dies gives no more.
  uint32_t could = 0;
  for (const Script &script : scene.scripts)
    could += script.back().what != Do::Die &&
             uint64_t(std::count_if(script.begin(), script.end(), [](const Step &step) {
               return step.what == Do::Add;
             })) > own.number();
  const double least = scene.policy.quorum ? std::min(scene.policy.quorum, could) : could;
  if (at->second.who != sum.who || at->second.elements != sum.elements || value != want ||
      count < least)
    wrongSum = "rank " + std::to_string(rank.id) + " got another sum " +
               std::to_string(own.number()) + " than others, or a wrong one";
  own.take();
}

bool World::mayDie(const Rank &rank) const {
  const Script &script = scene.scripts[rank.id];
  return scene.mayDie == rank.id && rank.done < script.size() && script[rank.done].what == Do::Run;
}

void World::dieNow(Rank &rank) {
  std::vector<uint8_t> task;
  client::HostTasks &tasks = rank.session->control(0)->tasks();
  while (tasks.next(task, rank.clock) == client::HostTasks::Next::Task)
    rank.lost.push_back(task.at(0));
  for (const std::vector<uint8_t> &given : tasks.given())
    rank.lost.push_back(given.at(0));
  rank.session.reset();
  rank.dead = true;
  rank.paused = false;
}

bool World::hasEnded(Rank &rank, const Step &what) {
  if (rank.dead)
    return true;
  client::HostSession &session = *rank.session;
  switch (what.what) {
  case Do::Attach:
    return session.state() == State::Attached;
  case Do::Join:
    return session.joinAnswer(what.context).has_value();
  case Do::Start:
  case Do::Task:
    return true;
  case Do::Alloc:
    return endAccesses(rank);
  case Do::Await:
    if (!endAccesses(rank))
      return false;
    return std::all_of(rank.calls.begin(), rank.calls.end(),
                       [&](const Rank::Call &call) { return session.isDone(call.request); });
  case Do::Free:
    return !session.isLeaving(what.context);
  case Do::Close:
    return session.state() == State::Closed;
  case Do::Enlist:
    return session.control(what.context)->isHeard();
  case Do::Work:
  case Do::Put:
  case Do::Run:
  case Do::Try:
  case Do::Die:
  case Do::Access:
    return true;
  case Do::Add:
  case Do::Ask:
    if (!session.control(0)->sum().isOver())
      return false;
    endSum(rank);
    return true;
  case Do::Dismiss:
    if (!session.control(what.context)->hasLeft())
      return false;
    session.closeControl(what.context);
    return true;
  }
  return true;
}

void World::attachRank(Rank &rank) {
  client::HostSession::Config config;
  config.link.who.id = rank.id;
  config.link.who.size = uint32_t(ranks.size());
  config.link.nonce = 100 * ++rank.sessions + rank.id;
  config.link.deadAfter = aLongTime;
  config.placement = {scene.leafOfRank, scene.parentOfSwitch};
  const auto node = uint16_t(rank.id);
  const uint16_t leaf = nodeOfSwitch(scene.leafOfRank.empty() ? 0 : scene.leafOfRank[rank.id]);
  rank.session = std::make_unique<client::HostSession>(
      config,
      [this, node, leaf](std::span<const uint8_t> bytes) {
        flights.push_back({node, leaf, {bytes.begin(), bytes.end()}});
      },
      [this, node](const Address &group, bool begin) {
        std::vector<uint16_t> &there = listeners[group];
        std::erase(there, node);
        if (begin)
          there.push_back(node);
        return true;
      });
  rank.session->tick(rank.clock);
}

} // namespace acis::explore

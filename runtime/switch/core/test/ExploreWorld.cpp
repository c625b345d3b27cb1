#include "runtime/switch/core/test/ExploreWorld.h"

#include "runtime/switch/wire/Across.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>

namespace acis::explore {

using namespace wire;
using Do = Step::Do;
using State = collective::ParentLink::State;

namespace {

/// Longer than any wait for a repetition, and than a switch remembers who has left.
constexpr Time leap = 3 * Second / 2;
constexpr Time aLongTime = 1'000'000 * Second;
/// Of mortals: more than an Alive that is lost and a timer that comes too early take together.
constexpr Time deadAfter = 5 * Second;

uint64_t mix(uint64_t h, uint64_t value) {
  h = (h ^ value) * 0xff51afd7ed558ccd;
  return h ^ h >> 32;
}

uint64_t hashOf(const std::vector<uint64_t> &values) {
  uint64_t h = 0x9e3779b97f4a7c15;
  for (uint64_t value : values)
    h = mix(h, value);
  return h;
}

/// The port of multicast groups, and of no node.
const Address groups{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 239}, 9000};

/// What every task reads beside what it gives, and the switch therefore keeps.
const std::vector<uint8_t> always(100, 9);

sw::TaskRun runTask(sw::JobId, uint32_t program, std::span<const uint8_t>,
                    std::span<const uint8_t> given) {
  if (program % 2 == 0 || given.size() < always.size() ||
      !std::ranges::equal(given.first(always.size()), always))
    return {};
  return {std::vector<uint8_t>(given.begin() + long(always.size()), given.end())};
}

uint64_t hashBytes(const std::vector<uint8_t> &bytes) {
  return std::hash<std::string_view>()(
      {reinterpret_cast<const char *>(bytes.data()), bytes.size()});
}

} // namespace

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

struct World::Rank {
  struct Call {
    Kind kind = Kind::Barrier;
    Request request = 0;
    std::vector<int32_t> in, out; ///< elements are equal
    int32_t want = -1;
    /// What all elements of the result are, if they are equal.
    int32_t given() const {
      const bool same = std::equal(out.begin() + 1, out.end(), out.begin());
      return same ? out.front() : -2;
    }
  };
  uint32_t id = 0;
  std::unique_ptr<client::HostSession> session;
  Time clock = Second;
  size_t done = 0;    ///< steps
  bool begun = false; ///< the step after these
  bool paused = false;
  uint64_t sessions = 0;
  std::deque<Call> calls;         ///< addresses are given away
  std::vector<uint8_t> ran, lost; ///< tasks; lost: it had them when it died
  bool dead = false;
  struct Asked {
    uint64_t slot;
    Step what;
  };
  std::deque<Asked> asked; ///< of the memory node, and not yet looked at
  uint64_t block = 0;
};

/// What a memory node stands on. Launches and folds last until it is told that they end.
struct World::Memory final : memory::Runner, memory::Folder {
  std::vector<uint8_t> region = std::vector<uint8_t>(4096);
  memory::Blocks blocks = *memory::Blocks::make(region, 1);
  memory::Functions functions{nullptr};
  std::vector<memory::Launch> waiting;
  std::vector<memory::Fold> folds;
  std::deque<End> ends;

  Memory() { functions.adopt(0, 1, std::make_shared<memory::Function>()); }
  void start(memory::Launch launch) override { waiting.push_back(std::move(launch)); }
  void start(memory::Fold fold) override { folds.push_back(std::move(fold)); }
  void forget(uint32_t session) override {}
  std::optional<End> ended() override {
    if (ends.empty())
      return std::nullopt;
    End end = std::move(ends.front());
    ends.pop_front();
    return end;
  }
  void finish() override {
    for (memory::Launch &launch : waiting) {
      for (uint8_t &byte : launch.memory)
        ++byte;
      ends.push_back({launch.id, {}});
    }
    waiting.clear();
    for (memory::Fold &fold : folds) {
      ends.push_back({fold.id, {}});
      ends.back().outcome.data = std::move(fold.data);
    }
    folds.clear();
  }
  void fingerprint(std::vector<uint64_t> &out) const {
    out.insert(out.end(), {hashBytes(region), waiting.size(), folds.size(), ends.size()});
    for (const memory::Fold &fold : folds)
      out.insert(out.end(), fold.data.begin(), fold.data.end());
  }
};

struct World::Device final : sw::Output {
  World &world;
  uint32_t id;
  Time clock = Second;
  sw::Collectives *collectives = nullptr;
  sw::Control *control = nullptr;
  std::unique_ptr<Memory> memory; ///< outlives the device's plugin
  sw::Switch device;
  sw::Memory *node = nullptr;

  Device(World &world, uint32_t id)
      : world(world), id(id), memory(world.scene.memory ? std::make_unique<Memory>() : nullptr),
        device(configuration(), *this) {
    sw::Collectives::Limits limits;
    limits.slots = 2;
    limits.messageBytes = configuration().messageBytes;
    limits.contexts = world.scene.maxContexts;
    auto plugin =
        std::make_unique<sw::Collectives>(device.services(), limits, sw::EngineChoice{}, runTask);
    collectives = plugin.get();
    device.add(std::move(plugin));
    auto steering = std::make_unique<sw::Control>(device.services(), sw::Control::Limits());
    control = steering.get();
    device.add(std::move(steering));
    if (memory) {
      auto blocks = std::make_unique<sw::Memory>(
          device.services(),
          sw::Memory::Parts{memory->blocks, memory->functions, *memory, memory.get()},
          sw::Memory::Limits());
      node = blocks.get();
      device.add(std::move(blocks));
    }
  }
  sw::SwitchConfig configuration() const {
    sw::SwitchConfig config;
    config.id = id;
    config.slots = 2;
    config.messageBytes = std::min(config.messageBytes, world.scene.pathBytes * (MaxParts - 2));
    config.deadAfter = world.scene.mortal ? deadAfter : aLongTime;
    config.secret = id + 1;
    if (world.scene.casts)
      config.casts = groups;
    const auto &above = world.scene.parentOfSwitch;
    if (world.scene.fabric) {
      auto network = std::make_shared<direct::Network>();
      network->fabric = *world.scene.fabric;
      network->number = uint16_t(id);
      for (uint32_t engine = 0; engine < above.size(); ++engine)
        network->engines.push_back(
            {std::to_string(engine), addressOf(world.nodeOfSwitch(engine)), ""});
      config.network = network;
    } else if (id < above.size() && above[id] != SessionOptions::NoSwitch)
      config.parents = {addressOf(world.nodeOfSwitch(above[id]))};
    return config;
  }
  uint32_t packetBytes(const Address &) override { return world.scene.pathBytes; }
  void send(unsigned, const Address &to, std::span<const uint8_t> bytes) override {
    const std::vector<uint8_t> copy(bytes.begin(), bytes.end());
    if (to.port != groups.port)
      return world.flights.push_back({world.nodeOfSwitch(id), uint16_t(to.port - 1), copy});
    // Each copy of what goes to a group has its own fate.
    for (uint16_t rank : world.listeners[to])
      world.flights.push_back({world.nodeOfSwitch(id), rank, copy});
  }
};

Address World::addressOf(uint16_t node) {
  Address address;
  address.port = uint16_t(node + 1);
  return address;
}

World::World(const Scene &scene) : scene(scene) {
  for (uint32_t r = 0; r < scene.scripts.size(); ++r) {
    ranks.push_back(std::make_unique<Rank>());
    ranks.back()->id = r;
  }
  for (uint32_t id = 0; id < std::max<size_t>(1, scene.parentOfSwitch.size()); ++id)
    switches.push_back(std::make_unique<Device>(*this, id));
  for (limit = 1; limit <= scene.calm; ++limit) {
    for (uint32_t r = 0; r < ranks.size(); ++r)
      advance(r);
    settle();
  }
  limit = ~0u;
  for (uint32_t r = 0; r < ranks.size(); ++r)
    advance(r);
}

World::~World() = default;

void World::settle() {
  while (!flights.empty())
    apply({Action::Deliver, 0});
}

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
  task.given = {{always}, {given}};
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

void World::advance(uint32_t r) {
  Rank &rank = *ranks[r];
  while (!rank.paused && rank.done < std::min<size_t>(limit, scene.scripts[r].size())) {
    const Step &what = scene.scripts[r][rank.done];
    rank.begun = rank.begun || begin(rank, what);
    if (!rank.begun || !hasEnded(rank, what))
      return;
    rank.begun = false;
    ++rank.done;
    idleRounds = 0;
  }
}

void World::deliver(Flight flight) {
  if (io::load<uint64_t>(flight.bytes.data() + 16) != 0)
    delivered.insert(hashBytes(flight.bytes));
  if (flight.to < ranks.size()) {
    Rank &rank = *ranks[flight.to];
    if (!rank.session)
      return;
    rank.session->receive(flight.bytes, rank.clock);
    rank.session->tick(rank.clock);
    return advance(flight.to);
  }
  Device &device = *switches[flight.to - ranks.size()];
  const sw::Ingress in{0, addressOf(flight.from), flight.bytes};
  device.device.receive({&in, 1}, device.clock);
  device.device.tick(device.clock);
}

void World::timer(uint16_t node) {
  if (node < ranks.size()) {
    Rank &rank = *ranks[node];
    rank.clock += leap;
    if (rank.session)
      rank.session->tick(rank.clock);
    return advance(node);
  }
  Device &device = *switches[node - ranks.size()];
  device.clock += leap;
  if (device.memory)
    device.memory->finish();
  device.device.tick(device.clock);
}

void World::apply(Action action) {
  auto take = [](std::deque<Flight> &from, size_t i) {
    Flight flight = std::move(from[i]);
    from.erase(from.begin() + long(i));
    return flight;
  };
  switch (action.kind) {
  case Action::Deliver:
    return deliver(take(flights, action.index));
  case Action::Lose:
    return void(take(flights, action.index));
  case Action::Duplicate: // one now, one whenever
    late.push_back(flights[action.index]);
    return deliver(take(flights, action.index));
  case Action::Hold:
    return late.push_back(take(flights, action.index));
  case Action::Release:
    return deliver(take(late, action.index));
  case Action::Pause:
    ranks[action.index]->paused = true;
    return;
  case Action::Resume:
    ranks[action.index]->paused = false;
    return advance(action.index);
  case Action::Kill:
    dieNow(*ranks[action.index]);
    ranks[action.index]->done = scene.scripts[action.index].size();
    return;
  case Action::Timer:
    if (action.index != Action::AllNodes)
      return timer(action.index);
    ++idleRounds;
    for (uint16_t node = 0; node < ranks.size() + switches.size(); ++node)
      timer(node);
  }
}

bool World::isOver() const {
  for (uint32_t r = 0; r < ranks.size(); ++r)
    if (ranks[r]->done < scene.scripts[r].size())
      return false;
  return flights.empty() && late.empty();
}

std::optional<Action> World::next() const {
  if (!flights.empty())
    return Action{Action::Deliver, 0};
  for (uint16_t r = 0; r < ranks.size(); ++r)
    if (ranks[r]->paused)
      return Action{Action::Resume, r};
  if (!late.empty())
    return Action{Action::Release, 0};
  if (isOver() || idleRounds > mostIdleRounds())
    return std::nullopt;
  return Action{Action::Timer, Action::AllNodes};
}

std::vector<std::pair<Action, Budget>> World::others(const Budget &budget) const {
  std::vector<std::pair<Action, Budget>> out;
  auto costs = [&](Action action, unsigned Budget::*what) {
    Budget rest = budget;
    if (rest.*what == 0)
      return;
    --(rest.*what);
    out.push_back({action, rest});
  };
  const size_t first = std::min<size_t>(flights.size(), budget.anyOrder ? flights.size() : 1);
  for (uint16_t i = 0; i < first; ++i) {
    if (i > 0)
      out.push_back({{Action::Deliver, i}, budget});
    costs({Action::Lose, i}, &Budget::losses);
    costs({Action::Duplicate, i}, &Budget::duplicates);
    costs({Action::Hold, i}, &Budget::holds);
  }
  for (uint16_t i = 0; i < late.size(); ++i)
    out.push_back({{Action::Release, i}, budget});
  for (uint16_t r = 0; r < ranks.size(); ++r)
    if (ranks[r]->paused)
      out.push_back({{Action::Resume, r}, budget});
    else if (ranks[r]->done < scene.scripts[r].size())
      costs({Action::Pause, r}, &Budget::pauses);
  for (uint16_t node = 0; node < ranks.size() + switches.size(); ++node)
    costs({Action::Timer, node}, &Budget::timers);
  if (scene.mayDie && mayDie(*ranks[*scene.mayDie]))
    costs({Action::Kill, uint16_t(*scene.mayDie)}, &Budget::deaths);
  return out;
}

/// "" or who is too far ahead, or was told that the control group has failed.
std::string World::staleness() const {
  uint64_t least = UINT64_MAX, furthest = 0;
  for (const auto &rank : ranks) {
    const client::HostControl *group = rank->session ? rank->session->control(0) : nullptr;
    if (!group)
      continue;
    if (!group->order().failure.empty())
      return "the group of rank " + std::to_string(rank->id) + ": " + group->order().failure;
    least = std::min(least, group->done());
    furthest = std::max(furthest, group->done());
  }
  if (least != UINT64_MAX && furthest > least + scene.policy.mostStaleness + 1)
    return "one has done " + std::to_string(furthest) + " iterations and one " +
           std::to_string(least);
  return "";
}

/// "" or a task that two living ranks have run.
std::string World::tasksTwice() const {
  std::set<uint8_t> ran;
  for (const auto &rank : ranks)
    for (uint8_t task : rank->ran)
      if (!rank->dead && !ran.insert(task).second)
        return "task " + std::to_string(task) + " was run twice";
  return "";
}

/// After the end: "" or a task that nobody has run, and that no dead one had.
std::string World::tasksLost() const {
  std::set<uint8_t> seen;
  for (const auto &rank : ranks) {
    seen.insert(rank->ran.begin(), rank->ran.end());
    seen.insert(rank->lost.begin(), rank->lost.end());
  }
  for (const Script &script : scene.scripts)
    for (const Step &step : script)
      if (step.what == Do::Put && !seen.contains(uint8_t(step.program)))
        return "task " + std::to_string(step.program) + " was lost";
  return "";
}

/// Without progress for so long, it will never be made. To find that somebody is dead takes long if
/// what it is sent is repeated meanwhile: a step of time counts no more than the wait for that.
unsigned World::mostIdleRounds() const { return scene.mortal ? 80 : 25; }

std::string World::wrong() const {
  for (const std::string &what : {staleness(), tasksTwice(), wrongSum, wrongAnswer})
    if (!what.empty())
      return what;
  for (const auto &rank : ranks) {
    const std::string who = "rank " + std::to_string(rank->id);
    if (rank->session && !rank->session->failure().empty())
      return who + " failed: " + rank->session->failure();
    for (const Rank::Call &call : rank->calls)
      if (rank->session->isDone(call.request) && call.given() != call.want)
        return who + ": " + std::string(nameOf(call.kind)) + " gave " +
               std::to_string(call.given()) + ", not " + std::to_string(call.want);
    for (uint32_t context = 0; rank->session && context < scene.groups.size(); ++context)
      if (auto answer = rank->session->joinAnswer(context); answer && !answer->empty())
        return who + " was refused: " + *answer;
  }
  for (uint32_t r = 0; r < ranks.size(); ++r)
    if (idleRounds > mostIdleRounds() && ranks[r]->done < scene.scripts[r].size())
      return "rank " + std::to_string(r) + " does not end its step " +
             std::to_string(ranks[r]->done);
  return "";
}

std::string World::remains() {
  for (unsigned round = 0; round < (scene.mortal ? 30 : 6); ++round) {
    apply({Action::Timer, Action::AllNodes});
    settle();
  }
  const bool closed = std::all_of(scene.scripts.begin(), scene.scripts.end(),
                                  [](const Script &s) { return s.back().what == Do::Close; });
  const bool freed =
      closed || std::all_of(scene.scripts.begin(), scene.scripts.end(),
                            [](const Script &s) { return s.back().what == Do::Free; });
  for (const auto &item : switches) {
    const std::string who = "switch " + std::to_string(item->id) + " still has ";
    if (freed && item->collectives->contexts() != 0)
      return who + "communicators";
    const bool dismissed =
        std::all_of(scene.scripts.begin(), scene.scripts.end(), [](const Script &s) {
          return s.back().what == Do::Dismiss || s.back().what == Do::Die;
        });
    if ((dismissed || closed) && !item->control->groups().empty())
      return who + "control groups";
    if (closed && item->memory && item->memory->blocks.count() != 0)
      return who + "blocks";
    if (closed && item->device.jobs() != 0)
      return who + "the job";
    if (closed && item->device.sessions() != 0)
      return who + "sessions";
  }
  if (std::string lost = tasksLost(); !lost.empty())
    return lost;
  return wrong();
}

uint64_t World::fingerprint(bool anyOrder) const {
  // Worlds that differ in time alone behave alike, but where somebody will be taken for dead.
  std::vector<uint64_t> parts = {scene.mortal ? idleRounds : 0};
  for (const auto &rank : ranks) {
    parts.insert(parts.end(), {rank->done, rank->begun, rank->paused, rank->sessions, rank->dead});
    for (const Rank::Call &call : rank->calls)
      parts.push_back(uint64_t(uint32_t(call.given())) << 1 | rank->session->isDone(call.request));
    parts.insert(parts.end(), rank->ran.begin(), rank->ran.end());
    parts.insert(parts.end(), rank->lost.begin(), rank->lost.end());
    parts.push_back(rank->asked.size());
    if (rank->session)
      rank->session->fingerprint(parts);
  }
  for (const auto &item : switches) {
    item->device.fingerprint(parts);
    item->collectives->fingerprint(parts);
    item->control->fingerprint(parts);
    if (item->memory) {
      item->node->fingerprint(parts);
      item->memory->fingerprint(parts);
    }
  }
  // The number of a packet matters for requests, whose order counts, and if it was seen.
  auto hashFlight = [&](const Flight &flight) {
    std::vector<uint8_t> bytes = flight.bytes;
    size_t at = 0;
    if (Transit::isOne(bytes)) { // and its tag that of another
      at = Transit::Bytes;
      io::store(bytes.data() + Transit::Bytes - TagBytes, uint64_t(0));
      io::store(bytes.data() + at + HeaderBytes - TagBytes, uint64_t(0));
    }
    const auto type = PacketType(bytes[at + 2]);
    if ((type >= PacketType::Contribute && type <= PacketType::Credit) ||
        type >= PacketType::Shared)
      io::store(bytes.data() + at + 16, uint64_t(0));
    return hashOf(
        {flight.from, flight.to, hashBytes(bytes), delivered.contains(hashBytes(flight.bytes))});
  };
  for (const std::deque<Flight> *some : {&flights, &late}) {
    std::vector<uint64_t> packets;
    for (const Flight &flight : *some)
      packets.push_back(hashFlight(flight));
    if (anyOrder || some == &late)
      std::sort(packets.begin(), packets.end());
    parts.push_back(packets.size());
    parts.insert(parts.end(), packets.begin(), packets.end());
  }
  return hashOf(parts);
}

} // namespace acis::explore

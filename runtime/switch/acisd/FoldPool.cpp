#include "runtime/switch/acisd/FoldPool.h"

#include "runtime/switch/wire/OwnThread.h"

#include <numeric>
#include <sys/eventfd.h>
#include <unistd.h>

namespace acis::acisd {

using wire::Outcome;

namespace {

Outcome notFolded(const std::string &why) {
  return Outcome::failed(Outcome::Failure::NoFold, "not folded in the switch: " + why);
}

} // namespace

FoldPool::FoldPool(const Config &config)
    : config(config), alarm(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

FoldPool::~FoldPool() {
  {
    std::lock_guard guard(lock);
    for (auto &[session, asker] : askers) {
      asker->isGone = true;
      gone.push_back(std::move(asker));
    }
  }
  changed.notify_all();
  for (const auto &asker : gone)
    asker->thread.join();
  close(alarm);
}

void FoldPool::start(memory::Fold fold) {
  std::unique_lock guard(lock);
  reap();
  auto at = askers.find(fold.session);
  if (at == askers.end()) {
    if (askers.size() + gone.size() >= MostAskers || (fold.job & OfNodes)) {
      guard.unlock();
      return end(fold.id,
                 notFolded(fold.job & OfNodes ? "jobs from 2147483648 on are those of nodes"
                                              : "too many ask for that at once"));
    }
    at = askers.emplace(fold.session, std::make_unique<Asker>()).first;
    Asker &asker = *at->second;
    asker.member = members[fold.job].lock();
    if (!asker.member)
      members[fold.job] = asker.member = std::make_shared<Member>();
    asker.thread = wire::ownThread([this, &asker] { work(asker); });
  }
  at->second->waiting.push_back(std::move(fold));
  guard.unlock();
  changed.notify_all();
}

void FoldPool::forget(uint32_t session) {
  {
    std::lock_guard guard(lock);
    auto asker = askers.extract(session);
    if (!asker)
      return;
    asker.mapped()->isGone = true;
    gone.push_back(std::move(asker.mapped()));
  }
  changed.notify_all();
}

/// Joins threads that have ended.
void FoldPool::reap() {
  for (auto at = gone.begin(); at != gone.end();) {
    if ((*at)->isOver)
      (*at)->thread.join();
    at = (*at)->isOver ? gone.erase(at) : std::next(at);
  }
  std::erase_if(members, [](const auto &item) { return item.second.expired(); });
}

bool FoldPool::hasEnded() {
  std::lock_guard guard(lock);
  return !ends.empty();
}

std::optional<memory::Runner::End> FoldPool::ended() {
  std::lock_guard guard(lock);
  if (ends.empty())
    return std::nullopt;
  memory::Runner::End end = std::move(ends.front());
  ends.pop_front();
  if (ends.empty()) {
    eventfd_t count;
    eventfd_read(alarm, &count);
  }
  return end;
}

void FoldPool::end(uint64_t id, Outcome outcome) {
  std::lock_guard guard(lock);
  ends.push_back({id, std::move(outcome)});
  eventfd_write(alarm, 1);
}

void FoldPool::work(Asker &asker) {
  std::unique_lock guard(lock);
  for (;;) {
    changed.wait(guard, [&] { return asker.isGone || !asker.waiting.empty(); });
    std::deque<memory::Fold> batch = std::exchange(asker.waiting, {});
    guard.unlock();
    if (asker.isGone)
      for (const memory::Fold &fold : batch)
        end(fold.id, notFolded("who asked is gone"));
    else
      fold(asker, std::move(batch));
    guard.lock();
    if (asker.isGone && asker.waiting.empty())
      break;
  }
  guard.unlock();
  if (asker.hasJoined)
    asker.member->session->retireCommunicator(asker.context);
  asker.member.reset(); // the last one leaves the switch
  guard.lock();
  asker.isOver = true;
}

/// A member of the nodes' job, once.
Status FoldPool::open(Member &member, const memory::Fold &first) {
  std::lock_guard guard(member.lock);
  if (!member.broken.empty())
    return Error{"", member.broken};
  if (member.session)
    return member.position == first.position && member.nodes == first.nodes
               ? Status::ok()
               : Status(Error{"", "ranks of the job name the nodes in different order"});
  const uint32_t job = first.job | OfNodes;
  SessionOptions options;
  options.deadAfter = options.openTimeout = config.patience;
  options.eagerBytes = 0; // so that a thread waits, and hears what the switch confirms
  options.faults = config.faults;
  options.faults.seed += first.position;
  auto session = Session::open(
      {config.above, job, config.master ? wire::keyText(wire::jobKey(*config.master, job)) : ""},
      first.position, first.nodes, options);
  if (!session) {
    member.broken = session.error().str();
    return session.error();
  }
  member.session = std::move(*session);
  member.position = first.position;
  member.nodes = first.nodes;
  return {};
}

Status FoldPool::join(Asker &asker, const memory::Fold &first) {
  if (Status opened = open(*asker.member, first); !opened)
    return opened;
  if (asker.hasJoined)
    return {};
  std::vector<uint32_t> all(first.nodes);
  std::iota(all.begin(), all.end(), 0);
  if (Status added = asker.member->session->addCommunicator(first.context, all); !added)
    return added;
  asker.context = first.context;
  asker.hasJoined = true;
  return {};
}

/// Until it is complete, the asker is gone, or it has lasted too long.
Status FoldPool::wait(Asker &asker, Request request) {
  const auto until = std::chrono::steady_clock::now() + config.patience;
  for (;;) {
    const Status waited = asker.member->session->wait(request, std::chrono::milliseconds(50));
    if (waited)
      return waited;
    const Result<bool> done = asker.member->session->test(request);
    if (!done)
      return done.error();
    if (*done)
      return {};
    if (asker.isGone || std::chrono::steady_clock::now() > until)
      return waited;
  }
}

/// All are given before any is waited for. After one that fails none that follows can be right:
/// other nodes may have it.
void FoldPool::fold(Asker &asker, std::deque<memory::Fold> batch) {
  Member &member = *asker.member;
  Status status = join(asker, batch.front());
  std::vector<Request> requests(batch.size());
  std::vector<std::vector<uint8_t>> results(batch.size());
  for (size_t i = 0; i < batch.size() && status; ++i) {
    const memory::Fold &fold = batch[i];
    if (fold.data.empty())
      continue;
    if (fold.context != asker.context || fold.position != member.position ||
        fold.nodes != member.nodes) {
      status = Error{"", "the asker has named the nodes in another way before"};
      break;
    }
    Collective what;
    what.kind = Kind::Reduce;
    what.context = asker.context;
    what.op = fold.op;
    what.type = fold.type;
    what.count = fold.data.size() / bytesOf(fold.type);
    what.send = fold.data.data();
    if (fold.position == 0) {
      results[i].resize(fold.data.size());
      what.recv = results[i].data();
    }
    Result<Request> started = member.session->start(what);
    if (started)
      requests[i] = *started;
    else
      status = started.error();
  }
  for (size_t i = 0; i < batch.size(); ++i) {
    if (status && requests[i])
      status = wait(asker, requests[i]);
    Outcome outcome = status ? Outcome() : notFolded(status.error().str());
    if (status)
      outcome.data = results[i];
    end(batch[i].id, std::move(outcome));
  }
  if (status)
    return;
  std::lock_guard guard(member.lock);
  if (member.broken.empty())
    member.broken = status.error().str();
  std::move(batch.begin(), batch.end(), std::back_inserter(member.given));
  std::move(results.begin(), results.end(), std::back_inserter(member.results));
}

} // namespace acis::acisd

// How members attach to a switch and leave it, and what becomes of jobs.
//
// A Hello costs the switch no memory: its answer carries a cookie, a tag over who asked,
// and only an Open with a good cookie makes a session. Cookies last two periods.
#include "runtime/switch/core/SwitchState.h"

#include <algorithm>

namespace acis::sw {

using namespace wire;
using State = collective::ParentLink::State;

namespace {
constexpr Time cookiePeriod = 5 * Second;
}

std::optional<Key> Switch::keyOf(uint32_t job) const {
  return config.master ? std::optional(jobKey(*config.master, job)) : std::nullopt;
}

uint64_t Switch::cookie(const Address &from, uint32_t job, const Hello &hello,
                        uint64_t period) const {
  return secret.of(io::Writer()
                       .raw(from.ip)
                       .put(from.port)
                       .put(job)
                       .put(uint8_t(hello.role))
                       .put(hello.id)
                       .put(hello.size)
                       .put(hello.nonce)
                       .put(period)
                       .take());
}

void Switch::bare(const Ingress &in, Header header, std::span<const uint8_t> payload,
                  const std::optional<Key> &key) {
  header.flags |= flag::FromParent;
  header.length = uint32_t(payload.size());
  buffer.resize(HeaderBytes + payload.size());
  encode(header, buffer);
  std::copy(payload.begin(), payload.end(), buffer.begin() + HeaderBytes);
  Tagger(key).seal(buffer);
  transmit(0, in.from, buffer);
}

void Switch::reset(const Ingress &in, const Header &header) {
  drop(count.foreign, "foreign");
  if (!Tagger(keyOf(header.job)).verify(in.bytes))
    return drop(count.unauthenticated, "unauthenticated");
  Header answer;
  answer.type = PacketType::Reset;
  answer.job = header.job;
  answer.session = header.session;
  bare(in, answer, {}, keyOf(header.job));
}

/// So that who has another key, or none, need not guess. Shorter than what it answers, and of no
/// weight: it cannot be proved.
void Switch::deny(const Ingress &in, const Header &header) {
  Header answer;
  answer.type = PacketType::Denied;
  answer.job = header.job;
  bare(in, answer, {}, std::nullopt);
}

void Switch::hello(const Ingress &in, const Header &header) {
  // What is behind a Hello shows how long a datagram the path takes.
  const std::span<const uint8_t> payload = in.bytes.subspan(HeaderBytes);
  std::optional<Hello> hello = Hello::read(payload.first(std::min(payload.size(), Hello::Bytes)));
  if (!hello)
    return drop(count.malformed, "malformed");
  if (!Tagger(keyOf(header.job)).verify(in.bytes)) {
    drop(count.unauthenticated, "unauthenticated");
    return header.type == PacketType::Hello ? deny(in, header) : void();
  }
  const uint64_t period = time / cookiePeriod;
  if (header.type == PacketType::Hello) {
    Header answer;
    answer.type = PacketType::Challenge;
    answer.job = header.job;
    return bare(in, answer,
                Challenge{hello->nonce, cookie(in.from, header.job, *hello, period),
                          uint32_t(payload.size())}
                    .write(),
                keyOf(header.job));
  }
  if (hello->cookie != cookie(in.from, header.job, *hello, period) &&
      (period == 0 || hello->cookie != cookie(in.from, header.job, *hello, period - 1)))
    return drop(count.unauthenticated, "unauthenticated");
  open(in, header, *hello);
}

void Switch::open(const Ingress &in, const Header &header, const Hello &hello) {
  const std::pair<bool, uint32_t> member(hello.role == Hello::Role::Switch, hello.id);
  if (const auto job = jobTable.find(header.job); job != jobTable.end())
    if (const auto at = job->second->members.find(member); at != job->second->members.end())
      if (Child &known = *sessionTable.at(at->second);
          known.nonce == hello.nonce && known.info.address == in.from)
        return welcome(in, header, hello, "", at->second); // the first Welcome was lost
  const bool isAwaited = awaits(header.job, member, hello.nonce);
  if (isOver(header.job, hello) || (!isAwaited && isEnding(header.job, member)) ||
      hasRival(header.job, member) || (!isAwaited && isOfAnotherRun(header.job, member)))
    return; // the member asks again
  if (std::string refusal = admit(header, hello, in); !refusal.empty()) {
    drop(count.refused, "refused");
    tell({Event::What::SessionRefused, header.job, 0,
          SessionInfo{header.job, member.first, hello.id, in.from}.name(), &in.from, refusal});
    return welcome(in, header, hello, refusal, 0);
  }
  std::unique_ptr<Job> &job = jobTable[header.job];
  if (!job) {
    ++count.jobsStarted;
    tell({Event::What::JobStarted, header.job, 0, {}, nullptr, {}});
    job = std::make_unique<Job>();
    job->size = hello.size;
    job->turn = hello.turn;
    job->instance = secret.of(io::Writer().put(++sessionSeed).put(uint8_t(3)).take()) | 1;
  }
  const SessionId id = freshNumber();
  SessionInfo info{header.job, member.first, hello.id, in.from,
                   packetBytesFor(in.from, hello.packetBytes)};
  auto child = std::make_unique<Child>(info, keyOf(header.job));
  child->nonce = hello.nonce;
  child->lastHeard = time;
  child->channel.setSession(id);
  job->members[member] = id;
  job->hadHosts |= !member.first;
  sessionTable.emplace(id, std::move(child));
  ++count.sessionsOpened;
  tell({Event::What::SessionOpened, info.job, id, info.name(), &info.address, {}});
  nextSweep = std::min(nextSweep, time + config.deadAfter / (config.probes ? 4 : 1) + 1);
  welcome(in, header, hello, "", id);
  if (config.network && member.first)
    for (const std::unique_ptr<Plugin> &plugin : plugins)
      plugin->engineOpened(header.job, uint16_t(hello.id));
}

/// Of a session or a cast; nobody can guess it.
SessionId Switch::freshNumber() {
  for (;;) {
    const auto id = uint32_t(secret.of(io::Writer().put(++sessionSeed).put(uint8_t(1)).take()));
    if (id != 0 && !sessionTable.contains(id) && !casts.contains(id))
      return id;
  }
}

Cast Switch::openCast(JobId job) {
  if (!config.casts)
    return {};
  Address address = *config.casts;
  const uint32_t number = freshNumber();
  address.ip[14] = uint8_t(number >> 8);
  address.ip[15] = uint8_t(number);
  auto cast = std::make_unique<OpenCast>(address, Channel(Side::Parent, job, keyOf(job)));
  cast->channel.setSession(number);
  casts.emplace(number, std::move(cast));
  return {number, address};
}

void Switch::closeCast(uint32_t number) { casts.erase(number); }

/// A job that has failed is forgotten, and starts anew, at another turn, or when all have had time
/// to hear of it; till then this is so. Who of it speaks later is told that there is no such
/// session.
bool Switch::isOver(JobId id, const Hello &hello) {
  const auto at = jobTable.find(id);
  if (at == jobTable.end() || at->second->failure.empty())
    return false;
  if (hello.turn == at->second->turn && time < at->second->failed + Second)
    return true;
  for (const auto &[member, session] : at->second->members)
    sessionTable.erase(session);
  forget(id);
  return false;
}

/// A job of the same number as one that is ending starts when that one is gone.
bool Switch::isEnding(JobId id, std::pair<bool, uint32_t> member) {
  auto job = jobTable.find(id);
  if (job == jobTable.end())
    return false;
  std::vector<SessionId> ended;
  bool allHave = true;
  for (const auto &[other, session] : job->second->members) {
    const bool has = sessionTable.at(session)->ended;
    allHave &= has;
    if (has)
      ended.push_back(session);
  }
  for (SessionId session : ended)
    if (const SessionInfo &info = sessionTable.at(session)->info;
        allHave || member == std::pair(info.isSwitch, info.id))
      endSession(session);
  job = jobTable.find(id);
  if (job == jobTable.end() || job->second->members.empty())
    return job != jobTable.end();
  // In an engine one goes on while others have sessions here, but not for who comes anew.
  const auto &members = job->second->members;
  return config.network && job->second->hadHosts &&
         std::none_of(members.begin(), members.end(), [&](const auto &one) {
           return !one.first.first && !sessionTable.at(one.second)->ended;
         });
}

/// Whether an engine may open its session though all members here have gone: what they gave to its
/// own has yet to go there.
bool Switch::awaits(JobId id, std::pair<bool, uint32_t> member, uint64_t nonce) const {
  const auto job = jobTable.find(id);
  return config.network && member.first && job != jobTable.end() &&
         !job->second->members.contains(member) && job->second->awaits(member.second, nonce);
}

/// An engine that has left the job and comes anew, while nobody here waits for it: hosts here may
/// be of the run that it has left, which they have yet to leave, too. If they are not, it is waited
/// for when they are as far.
bool Switch::isOfAnotherRun(JobId id, std::pair<bool, uint32_t> member) const {
  const auto job = jobTable.find(id);
  return member.first && job != jobTable.end() && job->second->hadHosts &&
         job->second->left.contains(member.second);
}

/// Who has the member's place is asked whether it is there. While it has not said so; if it does
/// not, it is dead.
bool Switch::hasRival(JobId id, std::pair<bool, uint32_t> member) {
  const auto job = jobTable.find(id);
  const auto at = job == jobTable.end() ? std::map<std::pair<bool, uint32_t>, SessionId>::iterator()
                                        : job->second->members.find(member);
  if (job == jobTable.end() || at == job->second->members.end())
    return false;
  const SessionId session = at->second;
  Child &child = *sessionTable.at(session);
  if (child.rivalled == 0)
    child.rivalled = time;
  if (child.lastHeard > child.rivalled) {
    child.rivalled = 0;
    return false;
  }
  probe(session, child);
  if (time > child.rivalled + 2 * Second) {
    dies(session);
    endSession(session);
  }
  return true;
}

/// What both ends of the path take in one piece, unless messages would have too many parts.
uint32_t Switch::packetBytesFor(const Address &to, uint32_t theirs) {
  const uint32_t least = config.messageBytes / (MaxParts - 1) + 1;
  return std::min(config.packetBytes, std::max(least, std::min(theirs, output.packetBytes(to))));
}

std::string Switch::admit(const Header &header, const Hello &hello, const Ingress &in) {
  const auto job = jobTable.find(header.job);
  if (job == jobTable.end()) {
    if (jobTable.size() >= config.maxJobs)
      return "there are " + std::to_string(jobTable.size()) + " jobs already, the most allowed";
  } else {
    if (job->second->size != hello.size)
      return "the job has " + std::to_string(job->second->size) + " ranks; this rank says " +
             std::to_string(hello.size);
    if (job->second->turn != hello.turn)
      return "job " + std::to_string(header.job) + " goes by another switch above";
    if (const auto at = job->second->members.find({hello.role == Hello::Role::Switch, hello.id});
        at != job->second->members.end())
      return sessionTable.at(at->second)->info.name() + " is attached already, from " +
             sessionTable.at(at->second)->info.address.str();
  }
  if (config.network && hello.role == Hello::Role::Switch &&
      (engineAt(in.from) != hello.id || hello.id <= config.network->number))
    return "engine " + std::to_string(hello.id) + " opens no session with engine " +
           std::to_string(config.network->number) +
           ": a direct network has no switch below another";
  if (!config.network && engineAt(in.from))
    return "this switch is no engine of a direct network";
  if (hello.role == Hello::Role::Host && hello.id >= hello.size)
    return "rank " + std::to_string(hello.id) + " of a job with " + std::to_string(hello.size);
  if (sessionTable.size() >= config.maxSessions)
    return "there are " + std::to_string(sessionTable.size()) +
           " sessions already, the most allowed";
  return "";
}

void Switch::welcome(const Ingress &in, const Header &header, const Hello &hello,
                     const std::string &refusal, SessionId session) {
  Welcome out;
  out.nonce = hello.nonce;
  out.refusal = refusal;
  if (refusal.empty()) {
    out.session = session;
    out.switchId = config.id;
    out.messageBytes = config.messageBytes;
    out.packetBytes = sessionTable.at(session)->info.packetBytes;
    out.cutBytes = config.packetBytes;
    out.slots = config.slots;
    out.deadAfterMs = uint32_t(config.deadAfter / Millisecond);
  }
  Header answer;
  answer.type = PacketType::Welcome;
  answer.job = header.job;
  bare(in, answer, out.write(), keyOf(header.job));
}

void Switch::fail(JobId id, const std::string &what) {
  const auto at = jobTable.find(id);
  if (at == jobTable.end() || !at->second->failure.empty())
    return;
  Job &job = *at->second;
  job.failure = what;
  job.failed = time;
  ++count.jobsFailed;
  tell({Event::What::JobFailed, id, 0, {}, nullptr, what});
  Header header;
  header.type = PacketType::Failure;
  for (const auto &[member, session] : job.members)
    send(session, header, Failure{what}.write());
  job.forLinks([&](Link &link) { link.link.reportFailure(what, time); });
  for (const std::unique_ptr<Plugin> &plugin : plugins)
    plugin->jobEnded(id);
}

void Switch::endSession(SessionId id) {
  const auto at = sessionTable.find(id);
  const SessionInfo info = at->second->info;
  at->second->parts.forget([&](int64_t bytes) { return charge(info.job, bytes); });
  sessionTable.erase(at);
  Job &job = *jobTable.at(info.job);
  job.members.erase({info.isSwitch, info.id});
  if (info.isSwitch && config.network)
    job.left.insert(info.id);
  if (job.members.empty())
    endJob(info.job);
}

void Switch::endJob(JobId id) {
  Job &job = *jobTable.at(id);
  if (job.failure.empty()) {
    for (const std::unique_ptr<Plugin> &plugin : plugins)
      if (!plugin->isDrained(id))
        return; // tick() asks again
    for (const std::unique_ptr<Plugin> &plugin : plugins)
      plugin->jobEnded(id);
  }
  bool isClosing = false;
  job.forLinks([&](Link &link) {
    if (link.link.state() != State::Closing)
      link.link.close(time);
    isClosing |= link.link.state() == State::Closing;
  });
  if (!isClosing)
    forget(id); // else tick() ends it
}

void Switch::forget(JobId id) {
  jobTable.erase(id);
  tell({Event::What::JobEnded, id, 0, {}, nullptr, {}});
}

Time Switch::tick(Time now) {
  time = now;
  // Who was kept from running does not know who was silent meanwhile.
  if (now > promised)
    for (auto &[id, child] : sessionTable)
      child->lastHeard = std::min(now, child->lastHeard + (now - promised));
  return promised = serve();
}

Time Switch::serve() {
  const Time now = time;
  Time next = Never;
  for (const std::unique_ptr<Plugin> &plugin : plugins)
    next = std::min(next, plugin->tick());
  if (now >= nextSweep)
    sweep();
  next = std::min(next, nextSweep);

  std::vector<JobId> draining;
  for (const auto &[id, job] : jobTable)
    if (job->members.empty()) {
      bool isOpen = config.network && job->failure.empty();
      job->forLinks([&](Link &link) { isOpen |= link.link.state() == State::Attached; });
      if (isOpen)
        draining.push_back(id);
    }
  for (JobId id : draining)
    endJob(id);
  if (config.network)
    leaveEngines();

  std::vector<JobId> over;
  for (auto &[id, job] : jobTable) {
    bool isOver = job->link || !job->across.empty() || !job->failure.empty();
    job->forLinks([&](Link &link) {
      next = std::min(next, link.link.tick(now));
      const State state = link.link.state();
      isOver &= state == State::Closed || state == State::Failed;
    });
    if (job->members.empty() && isOver)
      over.push_back(id);
  }
  for (JobId id : over)
    forget(id);
  return std::min(next, call());
}

/// Asks a child whether it is there; when to do so again.
Time Switch::probe(SessionId id, Child &child) {
  const Time again = std::min(config.deadAfter / 40, 250 * Millisecond);
  if (time >= child.probed + again) {
    child.probed = time;
    Header header;
    header.type = PacketType::Alive;
    send(id, header, {});
  }
  return child.probed + again;
}

void Switch::refused(const Address &to, Time now) {
  time = now;
  for (auto &[id, child] : sessionTable)
    if (child->info.address == to || isVia(child->info.address, to)) {
      child->absence.refused(1, now);
      probe(id, *child); // the answer may be forged; one that is there says so
      if (child->absence.lasts(Second))
        nextSweep = now;
    }
  std::vector<Link *> links; // what fails may tell others
  for (auto &[id, job] : jobTable)
    job->forLinks([&](Link &link) {
      if (link.parent == to || isVia(link.parent, to))
        links.push_back(&link);
    });
  for (Link *link : links) {
    link->absence.refused(1, now);
    link->link.ask(now);
    // One that is to begin may be a little later than those below it.
    if (link->absence.lasts(link->link.state() == State::Attached ? Second : 2 * Second))
      link->link.nobodyListens();
  }
}

/// Silent children: of a rank that left only its session goes, after some time in which its
/// Bye may come again; else the job dies with it.
void Switch::sweep() {
  std::vector<SessionId> ended;
  nextSweep = Never;
  for (auto &[id, child] : sessionTable) {
    const Time expiry = child->lastHeard + (child->ended ? Second : config.deadAfter);
    if (time > expiry || child->absence.lasts(Second)) {
      ended.push_back(id);
      continue;
    }
    nextSweep = std::min(nextSweep, expiry + 1);
    if (!config.probes || child->ended)
      continue;
    const Time silent = child->lastHeard + config.deadAfter / 4;
    nextSweep = std::min(nextSweep, time < silent ? silent : probe(id, *child));
  }
  std::sort(ended.begin(), ended.end());
  for (SessionId id : ended) {
    if (!sessionTable.at(id)->ended)
      dies(id);
    endSession(id);
  }
}

/// The job dies with it, unless somebody can go on without it, and nobody cannot.
void Switch::dies(SessionId id) {
  const Child &child = *sessionTable.at(id);
  ++count.sessionsDead;
  const std::string why = child.absence.lasts(Second)
                              ? "nobody listens at its address any more"
                              : "it has said nothing for " + seconds(time - child.lastHeard);
  tell({Event::What::SessionDead, child.info.job, id, child.info.name(), &child.info.address, why});
  bool leaves = false, isFatal = false;
  for (const std::unique_ptr<Plugin> &plugin : plugins) {
    const Plugin::Death death = plugin->death(id, child.info.job);
    leaves |= death == Plugin::Death::Leaves;
    isFatal |= death == Plugin::Death::Fatal;
  }
  if (!leaves || isFatal)
    return fail(child.info.job, nameOf(child.info) + " is gone: " + why);
  for (const std::unique_ptr<Plugin> &plugin : plugins)
    plugin->sessionEnded(id, child.info.job);
}

Switch::Link *Switch::linkOf(JobId id) {
  const auto at = jobTable.find(id);
  if (at == jobTable.end() || config.parents.empty())
    return nullptr;
  Job &job = *at->second;
  if (!job.link) {
    const Address &parent = config.parents[(uint64_t(id) + job.turn) % config.parents.size()];
    job.link = makeLink(id, job, parent, "switch " + parent.str());
    job.link->link.tick(time);
  }
  return job.link.get();
}

std::unique_ptr<Switch::Link> Switch::makeLink(JobId id, const Job &job, const Address &to,
                                               const std::string &name) {
  collective::ParentLink::Config link;
  link.job = id;
  link.key = keyOf(id);
  link.who.role = Hello::Role::Switch;
  link.who.id = config.id;
  link.who.size = job.size;
  link.who.turn = job.turn;
  link.openWithin = config.deadAfter / 2;
  link.parentName = name;
  link.deadAfter = config.deadAfter;
  link.nonce = engineAt(to) ? job.instance
                            : secret.of(io::Writer().put(++sessionSeed).put(uint8_t(2)).take());
  return std::make_unique<Link>(*this, id, to, link);
}

void Switch::sendAbove(JobId job, const Header &header, std::span<const uint8_t> payload) {
  if (Link *link = linkOf(job))
    link->link.send(header, payload, time);
}

void Switch::requestAbove(JobId job, PacketType type, uint32_t context,
                          std::vector<uint8_t> payload) {
  Link *link = linkOf(job);
  if (!link)
    return;
  if (link->link.state() == State::Attached)
    return link->link.request(type, context, std::move(payload), time);
  link->early.push_back({type, context, std::move(payload)});
}

uint32_t Switch::packetBytesAbove(JobId job) const {
  const auto at = jobTable.find(job);
  return at == jobTable.end() || !at->second->link ? 0
                                                   : at->second->link->link.welcome().packetBytes;
}

void Switch::Link::attached() {
  for (Early &request : early)
    link.request(request.type, request.context, std::move(request.payload), owner.time);
  early.clear();
  for (const std::unique_ptr<Plugin> &plugin : owner.plugins)
    if (const std::optional<uint16_t> engine = engineAt(parent))
      plugin->engineOpened(job, *engine);
    else
      plugin->linkOpened(job);
}

void Switch::Link::answer(const Header &header, std::span<const uint8_t> payload) {
  for (const std::unique_ptr<Plugin> &plugin : owner.plugins)
    plugin->fromAbove({header, payload, 0, job});
}

void Switch::Link::collective(const Header &header, std::span<const uint8_t> payload) {
  const std::optional<uint16_t> engine = engineAt(parent);
  if (!engine)
    return isAcross(header.type) ? void() : answer(header, payload);
  if (isAcross(header.type))
    for (const std::unique_ptr<Plugin> &plugin : owner.plugins)
      plugin->fromEngine(*engine, {header, payload, 0, job});
}

void Switch::fingerprint(std::vector<uint64_t> &out) const {
  for (const auto &[id, job] : jobTable) {
    out.insert(out.end(), {id, !job->failure.empty(), job->members.size()});
    for (const auto &[member, session] : job->members) {
      const Child &child = *sessionTable.at(session);
      out.insert(out.end(), {member.first, member.second, session, child.ended, child.lastRequest});
    }
    job->forLinks([&](Link &link) {
      link.link.fingerprint(out);
      out.push_back(link.early.size());
    });
    for (const auto &[engine, call] : job->calls)
      out.insert(out.end(), {engine, call.heard != 0});
    out.insert(out.end(), job->left.begin(), job->left.end());
  }
}

} // namespace acis::sw

// A switch as an engine of a direct network: sessions with other engines, and what is between
// others handed on. The engine of the higher number opens the session; the other one asks it to be
// there.
#include "runtime/switch/core/SwitchState.h"

#include <algorithm>

namespace acis::sw {

using namespace wire;
using State = collective::ParentLink::State;

namespace {
constexpr Time callAgain = 20 * Millisecond, callSeldom = 500 * Millisecond;
}

/// Of an engine to another: for this one, or handed on to the next as it is.
void Switch::transit(const Ingress &in) {
  if (!config.network)
    return drop(count.foreign, "foreign");
  const direct::Network &all = *config.network;
  const std::optional<Transit> way = Transit::read(in.bytes, fabric);
  if (!way)
    return drop(count.unauthenticated, "unauthenticated");
  if (way->fabric != all.fingerprint())
    return drop(count.otherNetwork, "other network: the engines' topology files differ");
  // It comes from the neighbour that it would come from: no circle, whoever sends it.
  const std::optional<uint16_t> from = all.at(in.from);
  const size_t engines = all.engines.size();
  if (!from || way->from >= engines || way->to >= engines || way->from == way->to ||
      way->from == all.number || *from == way->to || all.fabric.next(*from, way->to) != all.number)
    return drop(count.strayed, "not on its way");
  if (way->to == all.number)
    return parse({0, engineAddress(way->from), in.bytes.subspan(Transit::Bytes)});
  ++count.handedOn;
  const Address &next = all.engines[all.fabric.next(all.number, way->to)].address;
  if (tap)
    tap->sent(0, next, in.bytes, time);
  output.send(0, next, in.bytes);
}

/// Are you there? I am. It costs no memory, whoever asks.
void Switch::called(const Ingress &in, const Header &header) {
  const std::optional<uint16_t> engine = engineAt(in.from);
  if (!engine || !config.network)
    return drop(count.foreign, "foreign");
  if (!Tagger(keyOf(header.job)).verify(in.bytes))
    return drop(count.unauthenticated, "unauthenticated");
  if (!(header.flags & flag::Answer)) {
    Header answer;
    answer.type = PacketType::Call;
    answer.flags = flag::Answer;
    answer.job = header.job;
    const auto job = jobTable.find(header.job);
    // One that all members have left is about to end.
    const bool goesOn =
        job != jobTable.end() && job->second->failure.empty() &&
        std::any_of(job->second->members.begin(), job->second->members.end(),
                    [&](const auto &member) { return !sessionTable.at(member.second)->ended; });
    const uint64_t instance = goesOn ? job->second->instance : 0;
    return bare(in, answer, io::Writer().put(instance).take(), keyOf(header.job));
  }
  io::Reader reader(in.bytes.subspan(HeaderBytes));
  const auto instance = reader.get<uint64_t>();
  if (!reader.complete())
    return drop(count.malformed, "malformed");
  if (const auto job = jobTable.find(header.job); job != jobTable.end())
    if (const auto at = job->second->calls.find(*engine); at != job->second->calls.end()) {
      at->second.heard = time;
      if (at->second.instance == 0)
        at->second.instance = instance;
      else if (at->second.instance != instance)
        fail(header.job, config.network->nameOf(*engine) +
                             " has ended the job without what others wait for, or to give");
    }
}

bool Switch::reach(JobId id, uint16_t engine) {
  if (engine < config.network->number) {
    Link *link = linkTo(id, engine);
    return link && link->link.state() == State::Attached;
  }
  const auto at = jobTable.find(id);
  if (at == jobTable.end())
    return false;
  Job &job = *at->second;
  if (job.members.contains({true, engine}))
    return true;
  const auto [call, isNew] = job.calls.try_emplace(engine);
  if (isNew)
    call->second.since = call->second.due = time;
  return call->second.heard != 0;
}

/// Asks those that have not opened their session; when to do so again.
Time Switch::call() {
  Time next = Never;
  std::vector<std::pair<JobId, uint16_t>> missing;
  for (auto &[id, job] : jobTable) {
    if (!job->failure.empty())
      job->calls.clear();
    std::erase_if(job->calls,
                  [&](const auto &item) { return job->members.contains({true, item.first}); });
    for (auto &[engine, call] : job->calls) {
      const Time silent =
          call.heard ? call.heard + config.deadAfter : call.since + config.deadAfter / 2;
      // Members here have gone, and there are none there for what they gave.
      const bool isVain = job->members.empty() && call.heard && call.instance == 0 &&
                          time > call.since + config.deadAfter / 2;
      if (time > silent || isVain) {
        missing.emplace_back(id, engine);
        continue;
      }
      if (time >= call.due) {
        Header header;
        header.type = PacketType::Call;
        header.job = id;
        bare({0, engineAddress(engine), {}}, header, {}, keyOf(id));
        call.due = time + (call.heard ? callSeldom : callAgain);
      }
      next = std::min({next, call.due, silent + 1});
    }
  }
  for (const auto &[id, engine] : missing)
    fail(id, config.network->nameOf(engine) + " does not answer" + config.network->wayTo(engine) +
                 "; start acisd there with the same topology file" +
                 (config.master ? " and key" : ""));
  return next;
}

/// Leaves the engines of lower numbers when all members have said Bye, so that these need not wait
/// for each other's sessions to be forgotten.
void Switch::leaveEngines() {
  for (auto &[id, job] : jobTable) {
    const bool allHave =
        std::all_of(job->members.begin(), job->members.end(),
                    [&](const auto &member) { return sessionTable.at(member.second)->ended; });
    if (!allHave || job->across.empty() ||
        !std::all_of(plugins.begin(), plugins.end(),
                     [id = id](const auto &plugin) { return plugin->isDrained(id); }))
      continue;
    for (auto &[engine, link] : job->across)
      if (link->link.state() == State::Attached)
        link->link.close(time);
  }
}

Switch::Link *Switch::linkTo(JobId id, uint16_t engine) {
  const auto at = jobTable.find(id);
  if (at == jobTable.end())
    return nullptr;
  Job &job = *at->second;
  std::unique_ptr<Link> &link = job.across[engine];
  if (!link && job.failure.empty()) {
    link = makeLink(id, job, engineAddress(engine),
                    config.network->nameOf(engine) + config.network->wayTo(engine));
    link->link.tick(time);
  }
  if (!link)
    job.across.erase(engine);
  return link ? link.get() : nullptr;
}

void Switch::sendAcross(JobId id, uint16_t engine, const Header &header,
                        std::span<const uint8_t> payload) {
  if (engine < config.network->number) {
    if (Link *link = linkTo(id, engine))
      link->link.send(header, payload, time);
    return;
  }
  const auto job = jobTable.find(id);
  if (job == jobTable.end())
    return;
  if (const auto at = job->second->members.find({true, engine}); at != job->second->members.end())
    send(at->second, header, payload);
}

/// Whether what goes to an engine goes by the neighbour that listens at an address.
bool Switch::isVia(const Address &end, const Address &neighbour) const {
  const std::optional<uint16_t> engine = engineAt(end);
  if (!engine || !config.network || *engine == config.network->number)
    return false;
  const direct::Network &all = *config.network;
  return all.engines[all.fabric.next(all.number, *engine)].address == neighbour;
}

std::string Switch::nameOf(const SessionInfo &info) const {
  if (info.isSwitch && config.network)
    return config.network->nameOf(info.id) + config.network->wayTo(info.id);
  return info.name() + " (" + info.address.str() + ")";
}

} // namespace acis::sw

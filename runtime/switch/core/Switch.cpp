// The parser and deparser; sessions are in Sessions.cpp.
#include "runtime/switch/core/SwitchState.h"

#include <algorithm>

namespace acis::sw {

using namespace wire;

Switch::Switch(const SwitchConfig &config, Output &output, std::shared_ptr<SourceRates> shared)
    : config(config), output(output), secret([&] {
        Key key{};
        io::store(key.data(), config.secret);
        return std::optional<Key>(key);
      }()),
      fabric(config.master),
      rates(shared ? std::move(shared) : std::make_shared<SourceRates>(config.packetsPerSecond)) {}

Switch::~Switch() {
  while (!plugins.empty())
    plugins.pop_back();
}

void Switch::add(std::unique_ptr<Plugin> plugin) { plugins.push_back(std::move(plugin)); }

Plugin *Switch::pluginFor(PacketType type) const {
  for (const std::unique_ptr<Plugin> &plugin : plugins)
    if (plugin->takes(type))
      return plugin.get();
  return nullptr;
}

/// For a datagram with so much payload.
std::span<uint8_t> Switch::room(size_t payload) {
  return roomFor(payload, [this](size_t bytes) { return output.room(bytes); }, buffer);
}

void Switch::transmit(unsigned port, const Address &to, std::span<const uint8_t> datagram) {
  ++count.sent;
  count.bytesSent += datagram.size();
  if (const std::optional<uint16_t> engine = engineAt(to); engine && config.network) {
    const direct::Network &all = *config.network;
    const std::vector<uint8_t> whole =
        Transit{io::load<uint32_t>(datagram.data() + JobAt), all.fingerprint(), all.number, *engine}
            .wrap(datagram, fabric);
    const Address &next = all.engines[all.fabric.next(all.number, *engine)].address;
    if (tap)
      tap->sent(port, next, whole, time);
    return output.send(port, next, whole);
  }
  if (tap)
    tap->sent(port, to, datagram, time);
  output.send(port, to, datagram);
}

/// A payload that stays goes out from where it lies, unless somebody wants to see the whole
/// datagram.
void Switch::pass(Channel &channel, const Address &to, const Header &header,
                  std::span<const uint8_t> payload, const Digest *digest) {
  if (!staying || payload.size() < LeastInPieces || tap || config.network || !output.takesPieces())
    return transmit(0, to, channel.seal(header, payload, room(payload.size()), digest));
  ++count.sent;
  count.bytesSent += HeaderBytes + payload.size();
  uint8_t head[HeaderBytes];
  output.sendPieces(to, channel.sealHeader(header, payload, head, digest), payload);
  hasPieces = true;
}

void Switch::endStaying() {
  staying = false;
  if (std::exchange(hasPieces, false))
    output.sendStaying();
}

/// Datagrams of one port that does not speak ACiS: all at once, unless each is looked at.
void Switch::raw(std::span<const Ingress> batch) {
  count.received += batch.size();
  for (const Ingress &in : batch)
    count.bytesReceived += in.bytes.size();
  const bool each = tap || rates->limits();
  for (size_t n = each ? 1 : batch.size(); !batch.empty(); batch = batch.subspan(n)) {
    if (tap)
      tap->arrived(batch.front(), time);
    if (!rates->admit(batch.front().from, time))
      drop(count.rateLimited, "rate limit");
    else
      for (const std::unique_ptr<Plugin> &plugin : plugins)
        plugin->datagrams(batch.first(n));
  }
}

void Switch::receive(std::span<const Ingress> batch, Time now) {
  time = now;
  dispatch(batch);
  for (const std::unique_ptr<Plugin> &plugin : plugins)
    plugin->batchEnded();
}

void Switch::dispatch(std::span<const Ingress> batch) {
  while (!batch.empty() && batch.front().port != 0) {
    const auto end = std::find_if(batch.begin(), batch.end(),
                                  [&](const Ingress &in) { return in.port != batch.front().port; });
    const auto n = size_t(end - batch.begin());
    raw(batch.first(n));
    batch = batch.subspan(n);
  }
  // Deficit round robin over the jobs of the batch; nearly always there is one.
  constexpr size_t Quantum = 32'768;
  auto jobOf = [&](const Ingress &in) {
    return in.bytes.size() >= HeaderBytes ? io::load<uint32_t>(in.bytes.data() + JobAt) : 0;
  };
  if (std::all_of(batch.begin(), batch.end(),
                  [&](const Ingress &in) { return jobOf(in) == jobOf(batch.front()); })) {
    for (const Ingress &in : batch)
      one(in);
    return;
  }
  std::vector<std::pair<uint32_t, std::vector<const Ingress *>>> queues;
  for (const Ingress &in : batch) {
    const uint32_t job = jobOf(in);
    auto at = std::find_if(queues.begin(), queues.end(), [&](auto &q) { return q.first == job; });
    if (at == queues.end())
      at = queues.insert(queues.end(), {job, {}});
    at->second.push_back(&in);
  }
  std::vector<size_t> next(queues.size()), deficit(queues.size());
  for (size_t left = batch.size(); left > 0;)
    for (size_t q = 0; q < queues.size(); ++q) {
      deficit[q] += Quantum;
      for (auto &[job, packets] = queues[q]; next[q] < packets.size(); --left) {
        const Ingress &in = *packets[next[q]];
        if (deficit[q] < in.bytes.size())
          break;
        deficit[q] -= in.bytes.size();
        ++next[q];
        one(in);
      }
    }
}

void Switch::one(const Ingress &in) {
  if (in.port != 0)
    return raw({&in, 1});
  ++count.received;
  count.bytesReceived += in.bytes.size();
  if (tap)
    tap->arrived(in, time);
  if (!rates->admit(in.from, time))
    return drop(count.rateLimited, "rate limit");
  if (isOfOtherVersion(in.bytes))
    return drop(count.otherVersion, "other protocol version");
  if (Transit::isOne(in.bytes))
    return transit(in);
  parse(in);
}

void Switch::parse(const Ingress &in) {
  Result<Header> header = decode(in.bytes);
  if (!header)
    return drop(count.malformed, "malformed");
  if (header->type == PacketType::Call)
    return called(in, *header);
  if (header->flags & flag::FromParent)
    return fromParent(in);
  fromChild(in, *header);
}

void Switch::fromParent(const Ingress &in) {
  const auto job = jobTable.find(io::load<uint32_t>(in.bytes.data() + JobAt));
  Link *from = nullptr;
  if (job != jobTable.end())
    job->second->forLinks([&](Link &link) { from = link.parent == in.from ? &link : from; });
  if (!from)
    return drop(count.foreign, "foreign");
  collective::ParentLink &link = from->link;
  const uint64_t refused = link.refusedDatagrams();
  link.receive(in.bytes, time);
  if (link.refusedDatagrams() != refused)
    return drop(count.unauthenticated, "unauthenticated");
  from->absence.heard();
}

void Switch::fromChild(const Ingress &in, const Header &header) {
  if (header.type == PacketType::Hello || header.type == PacketType::Open)
    return hello(in, header);
  const auto found = sessionTable.find(header.session);
  if (found == sessionTable.end() || found->second->info.job != header.job)
    return reset(in, header);
  Child &child = *found->second;
  Digest digest;
  if (child.info.address != in.from || !child.channel.open(header, in.bytes, &digest))
    return drop(count.unauthenticated, "unauthenticated");
  child.lastHeard = time;
  child.absence.heard();
  const std::span<const uint8_t> payload = in.bytes.subspan(HeaderBytes);
  const Job &job = *jobTable.at(header.job);
  if (!job.failure.empty() && header.type != PacketType::Bye) {
    drop(count.failedJob, "failed job");
    Header answer;
    answer.type = PacketType::Failure;
    return send(header.session, answer, Failure{job.failure}.write());
  }
  // Members join and leave in the order in which they say so. What was overtaken is old, or it
  // is asked for again; nobody joins after Bye.
  if (header.type == PacketType::Join || header.type == PacketType::Leave) {
    if (header.number < child.lastRequest || (child.ended && header.type == PacketType::Join))
      return drop(count.outOfOrder, "request out of order");
    child.lastRequest = header.number;
  }
  if (header.parts > 1 && isCut(header.type))
    return partFromChild(child, header, payload);
  if (Plugin *plugin = pluginFor(header.type))
    return plugin->packet({header, payload, header.session, header.job, &digest});
  control(child, header, payload);
}

/// Of a request that is longer than the path takes in one piece.
void Switch::partFromChild(Child &child, Header header, std::span<const uint8_t> payload) {
  const auto whole = child.parts.take(header, payload, child.info.packetBytes,
                                      [&](int64_t bytes) { return charge(child.info.job, bytes); });
  Plugin *const plugin = pluginFor(header.type);
  if (whole && plugin)
    plugin->packet({header, *whole, header.session, header.job});
}

void Switch::control(Child &child, const Header &header, std::span<const uint8_t> payload) {
  Header answer;
  switch (header.type) {
  case PacketType::Alive:
    if (header.flags & flag::Answer)
      return;
    answer.type = PacketType::Alive;
    answer.flags = flag::Answer;
    return send(header.session, answer, {});
  case PacketType::Bye:
    answer.type = PacketType::ByeAck;
    send(header.session, answer, {});
    if (!child.ended) {
      child.ended = true;
      tell({Event::What::SessionClosed,
            header.job,
            header.session,
            child.info.name(),
            &child.info.address,
            {}});
      nextSweep = std::min(nextSweep, time + Second + 1);
      for (const std::unique_ptr<Plugin> &plugin : plugins)
        plugin->sessionEnded(header.session, header.job);
    }
    return;
  case PacketType::Failure:
    if (std::optional<Failure> failure = Failure::read(payload))
      return fail(header.job, failure->what);
    [[fallthrough]];
  default:
    drop(count.malformed, "malformed");
  }
}

void Switch::sendEach(std::span<const Recipient> recipients, const Header &header,
                      std::span<const uint8_t> payload, const Digest *known) {
  Header own = header;
  std::optional<Digest> digest; // all are of one job, whose key is the same
  if (known)
    digest = *known;
  for (const Recipient &to : recipients)
    if (const auto at = sessionTable.find(to.session); at != sessionTable.end()) {
      Child &child = *at->second;
      own.sequence = to.sequence;
      if (payload.size() > child.info.packetBytes && isCut(header.type)) {
        cut(own, payload, child.info.packetBytes, [&](const Header &part, auto bytes) {
          pass(child.channel, child.info.address, part, bytes, nullptr);
        });
        continue;
      }
      if (!digest)
        digest = child.channel.digest(payload);
      pass(child.channel, child.info.address, own, payload, &*digest);
    }
}

void Switch::sendCast(uint32_t number, const Header &header, std::span<const uint8_t> payload,
                      const Digest *digest) {
  if (const auto at = casts.find(number); at != casts.end())
    pass(at->second->channel, at->second->address, header, payload, digest);
}

void Switch::sendRaw(unsigned port, const Address &to, std::span<const uint8_t> datagram) {
  transmit(port, to, datagram);
}

const SessionInfo *Switch::session(SessionId id) const {
  const auto child = sessionTable.find(id);
  return child == sessionTable.end() ? nullptr : &child->second->info;
}

bool Switch::charge(JobId id, int64_t bytes) {
  const auto job = jobTable.find(id);
  if (job == jobTable.end())
    return bytes <= 0;
  uint64_t &used = job->second->bytes;
  if (bytes > 0 && used + uint64_t(bytes) > config.maxJobBytes)
    return false;
  used += uint64_t(bytes); // a negative number wraps to a subtraction
  return true;
}

Statistics Switch::statistics() const {
  Statistics out = {{"packets_received", count.received},
                    {"packets_sent", count.sent},
                    {"bytes_received", count.bytesReceived},
                    {"bytes_sent", count.bytesSent},
                    {"dropped_malformed", count.malformed},
                    {"dropped_other_version", count.otherVersion},
                    {"dropped_unauthenticated", count.unauthenticated},
                    {"dropped_foreign", count.foreign},
                    {"dropped_rate_limited", count.rateLimited},
                    {"dropped_failed_job", count.failedJob},
                    {"dropped_out_of_order", count.outOfOrder},
                    {"dropped_other_network", count.otherNetwork},
                    {"dropped_strayed", count.strayed},
                    {"handed_on", count.handedOn},
                    {"jobs_started", count.jobsStarted},
                    {"jobs_failed", count.jobsFailed},
                    {"jobs", jobTable.size()},
                    {"sessions_opened", count.sessionsOpened},
                    {"sessions_dead", count.sessionsDead},
                    {"sessions_refused", count.refused},
                    {"sessions", sessionTable.size()}};
  for (const std::unique_ptr<Plugin> &plugin : plugins)
    plugin->statistics(out);
  return out;
}

} // namespace acis::sw

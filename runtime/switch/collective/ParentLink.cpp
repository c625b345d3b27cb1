#include "runtime/switch/collective/ParentLink.h"

#include <algorithm>

namespace acis::collective {

using namespace wire;

namespace {

PacketType answerTo(PacketType request) {
  switch (request) {
  case PacketType::Join:
    return PacketType::Joined;
  case PacketType::Leave:
    return PacketType::Left;
  default:
    return PacketType::BlobAck;
  }
}

constexpr Time longestRetry = 500 * Millisecond;
/// Of the handshake: a parent that begins later is not to be kept waiting, but for a part of the
/// time that it is late.
constexpr Time leastHello = 200 * Millisecond, longestHello = Second;
constexpr Time partOfLateness = 4;
/// What every path of IPv6 takes in one piece: 1280 bytes with headers of IP, UDP and ours.
constexpr uint32_t leastPath = 1280 - 40 - 8 - uint32_t(HeaderBytes);
/// Datagrams of a path that takes longer ones are cut by other limits.
constexpr uint32_t longPath = 16'384;
/// One of so many Hellos is short, for paths that lose longer ones and say nothing of it.
constexpr unsigned shortHello = 3;
/// A challenge that is older is asked for anew: its cookie, which lasts for 5 s, may have expired.
constexpr Time longestOpen = 4 * Second;

} // namespace

ParentLink::ParentLink(Owner &owner, const Config &config)
    : owner(owner), config(config), channel(Side::Child, config.job, config.key),
      tagger(config.key), trip(config.retryAfter) {
  this->config.who.nonce = config.nonce;
}

Time ParentLink::aliveInterval() const {
  const Time theirs = Time(limits.deadAfterMs) * Millisecond;
  return std::max(std::min(theirs, config.deadAfter) / 5, 5 * Millisecond);
}

/// For a datagram with so much payload.
std::span<uint8_t> ParentLink::room(size_t payload) {
  return roomFor(payload, [this](size_t bytes) { return owner.room(bytes); }, buffer);
}

void ParentLink::sendHandshake(Time now) {
  Header header;
  header.type = current == State::Hello ? PacketType::Hello : PacketType::Open;
  header.job = config.job;
  std::vector<uint8_t> payload = config.who.write();
  // As long as the path is thought to take: where it does not, no answer comes, and the system
  // learns why.
  if (const uint32_t path = owner.packetBytes();
      current == State::Hello && path < longPath && ++hellos % shortHello != 0)
    payload.resize(std::max<size_t>(payload.size(), path));
  header.length = uint32_t(payload.size());
  buffer.resize(HeaderBytes + payload.size());
  encode(header, buffer);
  std::copy(payload.begin(), payload.end(), buffer.begin() + HeaderBytes);
  tagger.seal(buffer);
  owner.sendDatagram(buffer);
  const Time late = (now - std::min(began, now)) / partOfLateness;
  due = std::min(again(now), now + std::clamp(late, leastHello, longestHello));
}

/// Something of the handshake, or Bye, is sent now; when to send it again.
Time ParentLink::again(Time now) {
  if (repeats > 0)
    trip.timedOut(sentAt, now);
  ++repeats;
  sentAt = now;
  return now + trip.timeout();
}

/// What was sent last is answered.
void ParentLink::advance(State to, Time now) {
  if (repeats == 1)
    trip.measured(now - sentAt);
  repeats = 0;
  current = to;
}

/// What is known of the path when the parent has heard a Hello of so many bytes.
uint32_t ParentLink::provenBytes(uint32_t heard) {
  const uint32_t path = owner.packetBytes();
  return path >= longPath ? path : std::min(path, std::max(heard, leastPath));
}

std::string ParentLink::whyWaiting() const {
  if (!denied)
    return "the switch does not answer";
  return config.key ? "wrong key: the switch has another one for this job, or none"
                    : "wrong key: the switch has one, and this rank has none";
}

bool ParentLink::handshake(const Header &header, std::span<const uint8_t> head,
                           std::span<const uint8_t> payload, Time now) {
  if (header.type == PacketType::Denied) {
    // Anybody may say so: it is a reason, and ends nothing.
    const bool isMeant = header.job == config.job && (header.flags & flag::FromParent) &&
                         current == State::Hello &&
                         Tagger(std::nullopt).verify(head, payload, nullptr);
    denied |= isMeant;
    return isMeant;
  }
  if (header.job != config.job || !(header.flags & flag::FromParent) ||
      !tagger.verify(head, payload, nullptr))
    return false;
  if (header.type == PacketType::Challenge && current == State::Hello) {
    std::optional<Challenge> challenge = Challenge::read(payload);
    if (!challenge || challenge->nonce != config.nonce)
      return false;
    config.who.cookie = challenge->cookie;
    config.who.packetBytes = provenBytes(challenge->packetBytes);
    advance(State::Open, now);
    challenged = now;
    sendHandshake(now);
    return true;
  }
  if (header.type == PacketType::Welcome && current == State::Open) {
    std::optional<Welcome> welcome = Welcome::read(payload);
    if (!welcome || welcome->nonce != config.nonce)
      return false;
    if (!welcome->refusal.empty()) {
      fail(config.parentName + " refuses: " + welcome->refusal);
      return true;
    }
    if (welcome->packetBytes == 0 || welcome->packetBytes > MaxPacketPayload ||
        welcome->slots == 0 || welcome->cutBytes == 0 ||
        welcome->messageBytes / welcome->packetBytes >= MaxParts)
      return false;
    limits = *welcome;
    channel.setSession(limits.session);
    advance(State::Attached, now);
    lastHeard = lastSent = now;
    owner.attached();
    return true;
  }
  if (header.type == PacketType::Reset && header.session == channel.session() &&
      (current == State::Attached || current == State::Closing)) {
    if (current == State::Closing) {
      current = State::Closed; // the answer to Bye was lost
      return true;
    }
    fail(config.parentName + " does not know this rank's session: it was restarted, or took "
                             "the rank for dead; the job's state in it is lost");
    return true;
  }
  return false;
}

void ParentLink::receive(std::span<const uint8_t> datagram, Time now) {
  if (datagram.size() < HeaderBytes)
    ++refused;
  else
    receive(datagram.first(HeaderBytes), datagram.subspan(HeaderBytes), now);
}

void ParentLink::receive(std::span<const uint8_t> head, std::span<const uint8_t> payload,
                         Time now) {
  Result<Header> header = decode(head, payload.size());
  if (!header) {
    ++refused;
    return;
  }
  const bool early = header->type == PacketType::Challenge || header->type == PacketType::Welcome ||
                     header->type == PacketType::Reset || header->type == PacketType::Denied;
  if (early) {
    refused += !handshake(*header, head, payload, now);
    return;
  }
  if (current != State::Attached && current != State::Closing) {
    ++refused;
    return;
  }
  if (header->type == PacketType::Shared) {
    refused += !shared(*header, head, payload, now);
    return;
  }
  if (!channel.open(*header, head, payload)) {
    ++refused;
    return;
  }
  lastHeard = now;
  if (header->parts == 1 || !isCut(header->type))
    dispatch(*header, payload, now);
  else if (const auto whole = parts.take(*header, payload, limits.packetBytes))
    dispatch(*header, *whole, now);
}

bool ParentLink::shared(const Header &header, std::span<const uint8_t> head,
                        std::span<const uint8_t> payload, Time now) {
  const auto at = casts.find(header.session);
  if (at == casts.end() || at->second.context != header.context ||
      !at->second.channel.open(header, head, payload))
    return false;
  lastHeard = now;
  owner.collective(header, payload);
  return true;
}

void ParentLink::openCast(uint32_t cast, uint32_t context) {
  closeCast(context);
  Channel channel(Side::Child, config.job, config.key);
  channel.setSession(cast);
  casts.emplace(cast, Cast{context, std::move(channel)});
}

void ParentLink::closeCast(uint32_t context) {
  std::erase_if(casts, [&](const auto &item) { return item.second.context == context; });
}

void ParentLink::dispatch(const Header &header, std::span<const uint8_t> payload, Time now) {
  switch (header.type) {
  case PacketType::Result:
  case PacketType::Wait:
  case PacketType::Credit:
    if (const auto at = joinedAt.find(header.context);
        at != joinedAt.end() && header.number > at->second)
      owner.collective(header, payload);
    return;
  case PacketType::Order:
  case PacketType::Move:
  case PacketType::Moved:
  case PacketType::Sum:
  case PacketType::Outcome:
  case PacketType::Meet:
  case PacketType::Message:
  case PacketType::Heard:
    return owner.collective(header, payload);
  case PacketType::Joined:
  case PacketType::Left:
  case PacketType::BlobAck:
    return answered(header, payload, now);
  case PacketType::ByeAck:
    if (current == State::Closing)
      current = State::Closed;
    return;
  case PacketType::Failure:
    if (std::optional<Failure> failure = Failure::read(payload))
      fail(failure->what);
    return;
  case PacketType::Alive:
    if (!(header.flags & flag::Answer)) { // asks whether somebody is here
      Header answer;
      answer.type = PacketType::Alive;
      answer.flags = flag::Answer;
      send(answer, {}, now);
    }
    return;
  default:
    return;
  }
}

void ParentLink::answered(const Header &header, std::span<const uint8_t> payload, Time now) {
  auto at = std::find_if(requests.begin(), requests.end(), [&](const Request &request) {
    return request.answer == header.type && request.context == header.context &&
           header.slot >= request.first;
  });
  if (at == requests.end())
    return;
  if (at->sent != 0)
    trip.measured(now - at->sent);
  requests.erase(at);
  if (header.type == PacketType::Joined)
    joinedAt[header.context] = header.number;
  else if (header.type == PacketType::Left)
    joinedAt.erase(header.context);
  owner.answer(header, payload);
}

void ParentLink::ask(Time now) {
  constexpr Time again = 200 * Millisecond;
  if (current != State::Attached || now < lastProbe + again)
    return;
  lastProbe = now;
  Header header;
  header.type = PacketType::Alive;
  send(header, {}, now);
}

void ParentLink::nobodyListens() {
  const bool isNew = current == State::Hello || current == State::Open;
  const bool isSwitch = config.who.role == Hello::Role::Switch;
  fail(isNew ? (isSwitch ? config.parentName + ": " : "") +
                   "nobody listens there; start acisd, or name another address"
             : config.parentName + " is gone: nobody listens at its address any more");
}

void ParentLink::fail(const std::string &what) {
  if (current == State::Failed)
    return;
  current = State::Failed;
  failureText = what;
  requests.clear();
  owner.failed(what);
}

void ParentLink::send(const Header &header, std::span<const uint8_t> payload, Time now,
                      bool stays) {
  if (current != State::Attached && current != State::Closing)
    return;
  lastSent = now;
  if (stays && payload.size() >= LeastInPieces && owner.takesPieces()) {
    uint8_t head[HeaderBytes];
    return owner.sendPieces(channel.sealHeader(header, payload, head), payload);
  }
  cut(header, payload, limits.packetBytes,
      [&](const Header &part, std::span<const uint8_t> bytes) { put(part, bytes); });
}

void ParentLink::put(const Header &header, std::span<const uint8_t> payload) {
  owner.sendDatagram(channel.seal(header, payload, room(payload.size())));
}

void ParentLink::request(PacketType type, uint32_t context, std::vector<uint8_t> payload,
                         Time now) {
  if (type == PacketType::Leave)
    requests.remove_if([&](const Request &request) {
      return request.type == PacketType::Join && request.context == context;
    });
  Header header;
  header.type = type;
  header.context = context;
  const uint64_t first = channel.lastSealed() + 1;
  send(header, payload, now);
  requests.push_back({type, answerTo(type), context, std::move(payload), now, now + trip.timeout(),
                      trip.timeout(), first});
}

void ParentLink::sendFailure(Time now) {
  Header header;
  header.type = PacketType::Failure;
  send(header, Failure{reported}.write(), now);
}

void ParentLink::reportFailure(const std::string &what, Time now) {
  if (!reported.empty())
    return;
  reported = what;
  sendFailure(now);
}

void ParentLink::close(Time now) {
  if (current != State::Attached) {
    if (current != State::Failed)
      current = State::Closed;
    return;
  }
  current = State::Closing;
  repeats = 0;
  due = now;
  tick(now);
}

Time ParentLink::tick(Time now) {
  // Who was kept from running does not know who was silent meanwhile.
  if (now > promised)
    lastHeard = std::min(now, lastHeard + (now - promised));
  return promised = repeat(now);
}

Time ParentLink::repeat(Time now) {
  if (current == State::Closed || current == State::Failed)
    return Never;
  if (current == State::Hello || current == State::Open) {
    began = std::min(began, now);
    if (config.openWithin != Never && now > began + config.openWithin) {
      fail(config.parentName + ": " + whyWaiting());
      return Never;
    }
    if (current == State::Open && now >= challenged + longestOpen)
      current = State::Hello;
    if (now >= due)
      sendHandshake(now);
    return due;
  }
  if (now > lastHeard + config.deadAfter) {
    fail(config.parentName + " is gone: it has said nothing for " + seconds(now - lastHeard));
    return Never;
  }
  Time next = Never;
  for (Request &request : requests) {
    if (now >= request.due) {
      Header header;
      header.type = request.type;
      header.flags = flag::Again;
      header.context = request.context;
      if (request.sent != 0)
        trip.timedOut(request.sent, now);
      request.sent = 0; // which of them is answered cannot be known
      request.backoff = std::min(2 * request.backoff, longestRetry);
      request.due = now + request.backoff;
      send(header, request.payload, now);
    }
    next = std::min(next, request.due);
  }
  if (current == State::Closing) {
    if (now >= due) {
      Header header;
      header.type = PacketType::Bye;
      send(header, {}, now);
      due = std::min(again(now), now + longestRetry);
    }
    next = std::min(next, due);
  }
  // Both sides want to hear something now and then.
  const Time quiet = std::max(std::min(lastSent, lastHeard), lastProbe) + aliveInterval();
  if (now >= quiet) {
    lastProbe = now;
    Header header;
    header.type = PacketType::Alive;
    if (reported.empty())
      send(header, {}, now);
    else
      sendFailure(now);
    return std::min(next, now + aliveInterval());
  }
  return std::min(next, quiet);
}

void ParentLink::fingerprint(std::vector<uint64_t> &out) const {
  out.insert(out.end(), {uint64_t(current), channel.session(), !reported.empty(), requests.size()});
  for (const Request &request : requests)
    out.insert(out.end(), {uint64_t(request.type), request.context, request.first});
  std::vector<uint64_t> open;
  for (const auto &[number, cast] : casts)
    open.push_back(uint64_t(number) << 32 | cast.context);
  std::sort(open.begin(), open.end());
  out.insert(out.end(), open.begin(), open.end());
}

} // namespace acis::collective

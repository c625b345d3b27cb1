// Slots and the steps of their schedules. What comes from other engines is in ExchangePartners.cpp,
// what goes to them in ExchangeSending.cpp.
#include "runtime/switch/direct/Exchange.h"

#include "runtime/switch/collective/Message.h"
#include "runtime/switch/collective/Shapes.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace acis::direct {

using namespace wire;
using algorithms::Step;
using algorithms::Take;
using collective::firstPosition;
using collective::unitOf;
using collective::Up;
using collective::upOf;

Exchange::Exchange(Owner &owner, const Config &config, Counters &count)
    : owner(owner), config(config), count(count), ring(config.slots) {
  const collective::Row &row = config.row;
  party.size = row.size();
  party.place = row.index;
  party.members = config.members;
  party.fabric = config.fabric;
  party.isWhole = config.group.isWhole && config.fabric && config.fabric->engines() == row.size() &&
                  row.index == config.number;
  auto add = [&](uint32_t place, uint16_t number) {
    if (std::any_of(all.begin(), all.end(), [&](const Partner &p) { return p.place == place; }))
      return;
    Partner partner;
    partner.place = place;
    partner.number = number;
    partner.credit = config.slots;
    all.push_back(std::move(partner));
  };
  const std::vector<uint32_t> places = collective::partnersOf(row.index, row.size());
  for (size_t i = 0; i < places.size(); ++i)
    add(places[i], row.partners[i]);
  // Along the links of the network no table is needed.
  if (party.isWhole)
    for (const uint32_t neighbour : config.fabric->neighbours(config.number))
      add(neighbour, uint16_t(neighbour));
}

Exchange::~Exchange() {
  for (Run &run : ring)
    owner.charge(-int64_t(run.charged));
}

std::vector<uint16_t> Exchange::partners() const {
  std::vector<uint16_t> out;
  for (const Partner &partner : all)
    out.push_back(partner.number);
  return out;
}

Exchange::Partner *Exchange::partnerNumbered(uint16_t engine) {
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const Partner &p) { return p.number == engine; });
  return at == all.end() ? nullptr : &*at;
}

Exchange::Partner &Exchange::partnerAt(uint32_t place) {
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const Partner &p) { return p.place == place; });
  assert(at != all.end()); // schedules only have partners: WaysTest
  return *at;
}

/// The place of the engine that has a position.
uint32_t Exchange::placeOf(uint32_t position) const {
  uint32_t place = 0;
  for (const Group::Run &run : config.group.runs) {
    if (position / run.members < run.engines)
      return place + position / run.members;
    position -= run.engines * run.members;
    place += run.engines;
  }
  return place;
}

bool Exchange::hasRootHere(const Header &header) const {
  return placeOf(header.root) == party.place;
}

/// Bytes of a position, where ranges count engines.
uint64_t Exchange::blockOf(const Header &header) const {
  return upOf(header.shape) == Up::Gather
             ? collective::blockUp(header.shape, unitOf(header), config.members)
             : unitOf(header);
}

/// First byte and how many.
std::pair<uint64_t, uint64_t> Exchange::bytesOf(const Run &run, algorithms::Range range) const {
  if (!run.course->isByEngines) {
    const uint64_t element = acis::bytesOf(run.header.element);
    return {range.first * element, range.count * element};
  }
  const uint64_t block = blockOf(run.header);
  const uint64_t first = firstPosition(config.group.runs, uint32_t(range.first)),
                 end = firstPosition(config.group.runs, uint32_t(range.first + range.count));
  return {first * block, (end - first) * block};
}

uint64_t Exchange::bufferBytes(const Header &header) const {
  if (upOf(header.shape) == Up::Gather)
    return blockOf(header) * config.members;
  return collective::blockUp(header.shape, unitOf(header), config.members);
}

/// False: there is no memory for it now.
bool Exchange::prepare(Run &run, const Header &header) {
  const Way way = fitting(header, party);
  run.header = header;
  run.way = way;
  if (!last || lastOf.way != way || !collective::isSameMessage(lastOf, header)) {
    last = std::make_shared<const Course>(courseOf(header, way, party, placeOf(header.root)));
    lastOf = header;
    lastOf.way = way;
  }
  run.course = last;
  const std::vector<Step> &steps = run.course->schedule.steps;
  uint64_t bytes = bufferBytes(header);
  for (const Step &step : steps)
    bytes += (step.from == Step::Nobody ? 0 : bytesOf(run, step.received).second) +
             (step.to == Step::Nobody ? 0 : bytesOf(run, step.sent).second);
  if (bytes > run.charged) {
    if (!owner.charge(int64_t(bytes - run.charged)))
      return false;
    run.charged = bytes;
  }
  run.state = State::Early;
  run.next = 0;
  run.isSent = false;
  run.busyUntil = 0;
  run.unheard = 0;
  run.buffer.resize(bufferBytes(header));
  run.arrivals.resize(steps.size());
  for (Arrival &arrival : run.arrivals) {
    arrival.seen = 0;
    arrival.isWhole = false;
  }
  highest = std::max(highest, header.slot + 1);
  return true;
}

/// What the own members give, in its place.
void Exchange::load(Run &run) {
  const std::span<const uint8_t> own = owner.contribution(run.header.slot);
  const uint64_t at = upOf(run.header.shape) == Up::Gather
                          ? firstPosition(config.group.runs, party.place) * blockOf(run.header)
                          : 0;
  assert(at + own.size() <= run.buffer.size());
  std::copy(own.begin(), own.end(), run.buffer.begin() + long(at));
}

bool Exchange::offer(const Header &descriptor, Time now) {
  if (descriptor.slot < lowest)
    return true; // a source elsewhere, which is over before the own members have called
  Run &run = runAt(descriptor.slot);
  if (run.state == State::Empty && !prepare(run, descriptor)) {
    starved.push_back(descriptor); // pump() tries again
    highest = std::max(highest, descriptor.slot + 1);
    return true;
  }
  if (run.state != State::Early)
    return true; // the same, under way
  if (const Way asked = fitting(descriptor, party); asked != run.way) {
    owner.failed("the ranks' calls do not match: collectives by " + std::string(nameOf(asked)) +
                 " and by " + std::string(nameOf(run.way)));
    return false;
  }
  run.header.op = descriptor.op;
  return start(run, now);
}

bool Exchange::start(Run &run, Time now) {
  load(run);
  run.state = State::Going;
  return advance(run, now);
}

/// Memory of long messages goes back to the job; that of short ones stays for the next slot.
void Exchange::forget(Run &run) {
  constexpr uint64_t kept = 4096;
  run.state = State::Empty;
  if (run.charged <= kept)
    return;
  owner.charge(-int64_t(run.charged));
  run.charged = 0;
  run.buffer = {};
  run.arrivals = {};
}

Status Exchange::take(Run &run, const Step &step, std::span<const uint8_t> bytes) {
  const auto [at, size] = bytesOf(run, step.received);
  const std::span<uint8_t> mine(run.buffer.data() + at, size);
  if (step.take == Take::Copy)
    std::copy(bytes.begin(), bytes.end(), mine.begin());
  else if (size > 0)
    return step.take == Take::FoldLeft ? owner.fold(run.header, bytes, mine, mine)
                                       : owner.fold(run.header, mine, bytes, mine);
  return {};
}

/// Puts the message of a step among those that go to a partner.
void Exchange::queue(Run &run, const Step &step) {
  Partner &partner = partnerAt(step.to);
  if (partner.isOver)
    return; // it does not want it: its members have left
  const auto [at, size] = bytesOf(run, step.sent);
  Sent sent;
  sent.header = run.header;
  sent.header.type = PacketType::Message;
  sent.header.flags = 0;
  sent.header.way = run.way;
  const std::vector<Step> &steps = run.course->schedule.steps;
  for (size_t before = 0; before < run.next; ++before)
    sent.ordinal += steps[before].to == step.to;
  sent.bytes.assign(run.buffer.begin() + long(at), run.buffer.begin() + long(at + size));
  partner.sent.push_back(std::move(sent));
  ++run.unheard;
}

bool Exchange::failWithout(const Partner &partner, const Run &run) {
  owner.failed("the ranks' calls do not match: those of engine " + std::to_string(partner.number) +
               " have left, others call " + std::string(nameOf(run.header.kind)));
  return false;
}

bool Exchange::advance(Run &run, Time now) {
  const std::vector<Step> &steps = run.course->schedule.steps;
  while (run.next < steps.size()) {
    if (run.busyUntil > now)
      return true;
    const Step &step = steps[run.next];
    if (!run.isSent && step.to != Step::Nobody) {
      queue(run, step);
      flush(partnerAt(step.to), now);
    }
    run.isSent = true;
    if (step.from != Step::Nobody) {
      Arrival &arrival = run.arrivals[run.next];
      if (!arrival.isWhole) {
        const Partner &partner = partnerAt(step.from);
        return partner.isOver ? failWithout(partner, run) : true;
      }
      if (Status status = take(run, step, arrival.bytes); !status) {
        owner.failed(status.error().str());
        return false;
      }
      run.busyUntil = std::max(run.busyUntil, owner.foldedBy());
    }
    ++run.next;
    run.isSent = false;
  }
  if (run.busyUntil > now)
    return true;
  run.state = State::Over;
  if (!owner.exchanged(run.header.slot, run.buffer))
    return false;
  release();
  return true;
}

void Exchange::release() {
  while (lowest < highest && runAt(lowest).state == State::Over && runAt(lowest).unheard == 0) {
    forget(runAt(lowest));
    ++lowest;
  }
}

bool Exchange::idle() const {
  for (uint64_t slot = lowest; slot < highest; ++slot)
    if (runAt(slot).state == State::Going || runAt(slot).unheard > 0)
      return false;
  return starved.empty();
}

std::vector<Range> Exchange::missing() const {
  for (uint64_t slot = lowest; slot < highest; ++slot) {
    const Run &run = runAt(slot);
    if (run.state != State::Going)
      continue;
    const std::vector<Step> &steps = run.course->schedule.steps;
    if (run.next >= steps.size() || steps[run.next].from == Step::Nobody)
      continue;
    const uint32_t place = steps[run.next].from, first = firstPosition(config.group.runs, place);
    return {{first, firstPosition(config.group.runs, place + 1) - first}};
  }
  return {};
}

void Exchange::fingerprint(std::vector<uint64_t> &out) const {
  out.insert(out.end(), {lowest, highest});
  for (const Partner &p : all) {
    out.insert(out.end(), {p.theirs, p.tentative, p.isOver, p.first, p.here, p.later, p.credit,
                           p.told, p.owed, p.asksNow, p.sent.size()});
    for (const Sent &sent : p.sent)
      out.push_back(sent.header.slot << 8 | uint64_t(sent.ordinal) << 2 |
                    uint64_t(sent.isOut) << 1 | uint64_t(sent.isThere));
  }
  for (uint64_t slot = lowest; slot < highest; ++slot) {
    const Run &run = runAt(slot);
    out.insert(out.end(), {uint64_t(run.state), run.next, run.isSent, run.unheard});
    if (run.state != State::Empty)
      for (const Arrival &arrival : run.arrivals)
        out.push_back(arrival.seen << 1 | uint64_t(arrival.isWhole));
  }
}

} // namespace acis::direct

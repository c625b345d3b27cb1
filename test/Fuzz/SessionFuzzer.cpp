// Datagrams of any content inside open sessions: three hosts on two leaves below a spine, or each
// on an engine of a direct network in which one hands on what the others say to each other, have a
// job and a communicator, begin collectives, and between their packets come others, on any of the
// links and in both directions, with the session and the next number of that link. So they pass as
// packets of a member that is damaged or hostile: switches and hosts must survive them. What the
// switches and hosts send must be readable.
#include "runtime/io/Bytes.h"
#include "runtime/switch/core/test/SimNetwork.h"
#include "runtime/switch/wire/Across.h"

#include <cstdlib>

using namespace acis;
using namespace acis::wire;

namespace {

constexpr uint32_t ranks = 3, switches = 3, context = 5;
/// Some calls are as many times longer, which makes several messages of them, of which each is more
/// than comes unasked.
constexpr uint32_t mostElements = 64, timesLonger = 64;

/// One direction between two that talk, and its last packet.
struct Link {
  Address from, to;
  std::optional<Transit> way; ///< between engines
  Header last;
  std::vector<uint8_t> payload;
};

class World {
public:
  explicit World(bool isDirect) : network(isDirect ? direct() : shape()) {
    network.tap = [this](const Address &from, const Address &to, std::span<const uint8_t> bytes) {
      note(from, to, bytes);
    };
    network.attach();
    network.add(context, {0, 1, 2});
  }

  void step(io::Reader &in) {
    switch (in.get<uint8_t>() % 5) {
    case 4:
      return pace(in);
    case 0:
      return begin(in);
    case 1:
      network.run([] { return false; }, (1 + in.get<uint8_t>() % 8) * Millisecond);
      return;
    default:
      return forge(in);
    }
  }

private:
  static sim::Cluster shape() {
    sim::Cluster cluster;
    cluster.ranks = ranks;
    cluster.leafOfRank = {0, 0, 1};
    cluster.parentOfSwitch = {2, 2, SessionOptions::NoSwitch};
    cluster.config.slots = 4;
    cluster.config.messageBytes = 8192;
    cluster.config.packetBytes = 2048;
    cluster.runTask = [](sw::JobId, uint32_t program, auto, std::span<const uint8_t> given) {
      if (program % 2 == 0)
        return sw::TaskRun();
      return sw::TaskRun{std::vector<uint8_t>(given.begin(), given.end())};
    };
    cluster.config.maxJobBytes = 1 << 20;
    return cluster;
  }

  /// A chain of three engines.
  static sim::Cluster direct() {
    sim::Cluster cluster = shape();
    cluster.fabric = acis::direct::Fabric{acis::direct::Form::Tree, {switches, 1}};
    cluster.leafOfRank = {0, 1, 2};
    cluster.parentOfSwitch.assign(switches, collective::DirectNetwork);
    return cluster;
  }

  void note(const Address &from, const Address &to, std::span<const uint8_t> bytes) {
    std::optional<Transit> way;
    if (Transit::isOne(bytes)) {
      way = Transit::read(bytes, Tagger(std::nullopt));
      if (!way)
        std::abort();
      bytes = bytes.subspan(Transit::Bytes);
    }
    const Result<Header> header = decode(bytes);
    if (!header)
      std::abort(); // what they write can be read
    auto link = std::find_if(links.begin(), links.end(), [&](const Link &known) {
      return known.from == from && known.to == to;
    });
    if (link == links.end())
      link = links.insert(links.end(), {from, to, {}, {}, {}});
    link->way = way;
    link->last = *header;
    link->payload.assign(bytes.begin() + HeaderBytes, bytes.end());
  }

  /// A collective on one rank: if the others begin others, the job fails.
  void begin(io::Reader &in) {
    const uint32_t rank = in.get<uint8_t>() % ranks;
    client::HostSession &host = network.host(rank);
    Collective call;
    call.kind = Kind(in.get<uint8_t>() % NumKinds);
    call.context = context;
    call.op = ReduceOp::Sum;
    call.type = ElementType::Int32;
    call.root = in.get<uint8_t>() % ranks;
    const auto length = in.get<uint8_t>();
    call.count = (1 + length % mostElements) * (length & 0x80 ? timesLonger : 1);
    const std::vector<uint64_t> counts(ranks, call.count);
    call.counts = counts;
    call.send = given.data();
    call.recv = buffers.emplace_back(ranks * call.count * bytesOf(call.type)).data();
    SwitchTask task;
    Collective next = call;
    if (length & 0x40) { // some with a program that the switch does not have
      task.program = 1 + rank % 2;
      task.outputBytes = length % 32 * 32;
      task.given = {{std::span(given).first(task.outputBytes), (length & 2) != 0}};
      task.ran = [](std::span<const uint8_t>) {};
      task.run = [] {};
      next.recv = buffers.emplace_back(ranks * call.count * bytesOf(call.type)).data();
      task.next = length & 1 ? &next : nullptr;
      call.task = &task;
    }
    if (host.failure().empty() && host.state() == collective::ParentLink::State::Attached) {
      if (call.task)
        (void)host.weigh(call);
      (void)host.start(call, network.now);
    }
  }

  /// A member of a control group goes on, as it may or not, or leaves and comes again.
  void pace(io::Reader &in) {
    const uint32_t rank = in.get<uint8_t>() % ranks;
    client::HostSession &host = network.host(rank);
    const auto what = in.get<uint8_t>();
    client::HostControl *group = host.control(context);
    if (!group) {
      Policy policy;
      policy.staleness = what % 3;
      policy.mostStaleness = policy.staleness + what / 4 % 3;
      policy.extra = Policy::Extra(what / 16 % 3);
      policy.deadline = what & 0x80 ? Millisecond : 0;
      policy.every = 2;
      policy.imbalance = what & 8 ? 100'000 : 0;
      policy.quorum = what / 2 % 3;
      policy.survive = what & 0x40;
      if (host.failure().empty() && host.state() == collective::ParentLink::State::Attached)
        (void)host.openControl(context, std::vector<uint32_t>{0, 1, 2}, policy, network.now);
      return;
    }
    if (what >= 0xc0)
      return taskOrShare(*group, what);
    if (what % 8 == 0)
      group->leave(network.now);
    else if (what % 8 == 1)
      group->wait(network.now);
    else if (group->mayBegin(group->done()) || what % 32 == 2)
      group->done(group->done() + 1, network.now);
    if (group->hasLeft())
      host.closeControl(context);
  }

  void taskOrShare(client::HostControl &group, uint8_t what) {
    std::vector<uint8_t> bytes(8 * (1 + what % 4));
    if (what & 8)
      group.tasks().put(bytes, network.now);
    else if (what & 16)
      (void)group.tasks().next(bytes, network.now);
    else if (!group.sum().isUnderWay())
      group.sum().give(bytes, network.now);
    else if (group.sum().isMade())
      group.sum().take();
  }

  /// The last packet of a link with some of its fields changed.
  void forge(io::Reader &in) {
    const Link &link = links[in.get<uint8_t>() % links.size()];
    Header header = link.last;
    ++header.number;
    const uint16_t changed = in.get<uint16_t>();
    unsigned bit = 0;
    auto change = [&]<typename T>(T &field) {
      if (changed >> bit++ & 1)
        field = T(uint64_t(field) + uint64_t(int64_t(int8_t(in.get<uint8_t>()))));
    };
    change(header.flags);
    change(header.part);
    change(header.parts);
    change(header.context);
    change(header.slot);
    change(header.window);
    change(header.sequence);
    change(header.fragment);
    change(header.count);
    change(header.root);
    change(header.kind);
    change(header.op);
    change(header.element);
    change(header.shape);
    if (changed & 1 << 14)
      header.type = PacketType(in.get<uint8_t>());
    std::vector<uint8_t> payload = link.payload;
    if (changed & 1 << 15) {
      const std::string text = in.text();
      payload.assign(text.begin(), text.end());
    }
    send(link, header, payload);
  }

  void send(const Link &link, Header header, const std::vector<uint8_t> &payload) {
    const Address to = link.to, from = link.from; // links may move
    header.length = uint32_t(payload.size());
    std::vector<uint8_t> bytes(HeaderBytes);
    encode(header, bytes);
    bytes.insert(bytes.end(), payload.begin(), payload.end());
    Tagger(std::nullopt).seal(bytes);
    if (link.way)
      bytes = link.way->wrap(bytes, Tagger(std::nullopt));
    for (uint32_t id = 0; id < switches; ++id)
      if (sim::Network::switchAddress(id) == to)
        network.inject(id, from, bytes);
    for (uint32_t rank = 0; rank < ranks; ++rank)
      if (sim::Network::hostAddress(rank) == to)
        network.host(rank).receive(bytes, network.now);
  }

  const std::vector<uint8_t> given =
      std::vector<uint8_t>(ranks * mostElements * timesLonger * 4, 1);
  std::deque<std::vector<uint8_t>> buffers; ///< of results
  std::vector<Link> links;
  sim::Network network; // after what its packets are noted in
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  io::Reader in({data, size});
  World world(in.get<uint8_t>() % 2);
  while (!in.ranOut())
    world.step(in);
  return 0;
}

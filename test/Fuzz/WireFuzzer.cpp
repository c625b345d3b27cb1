// Datagrams of any content to a switch without keys: first the codec and the readers of
// payloads, then a switch with a job in it, which must survive.
#include "runtime/switch/collective/Combine.h"
#include "runtime/switch/collective/Message.h"
#include "runtime/switch/collective/Row.h"
#include "runtime/switch/collective/Task.h"
#include "runtime/switch/core/Collectives.h"
#include "runtime/switch/core/Control.h"
#include "runtime/switch/core/Memory.h"
#include "runtime/switch/core/Switch.h"
#include "runtime/switch/core/test/FoldAlone.h"
#include "runtime/switch/wire/Across.h"

#include <algorithm>
#include <array>
#include <cstdlib>

using namespace acis;
using namespace acis::wire;

namespace {

struct Nowhere final : sw::Output {
  void send(unsigned, const Address &, std::span<const uint8_t> datagram) override {
    const bool isOnItsWay = Transit::isOne(datagram);
    if (isOnItsWay && !Transit::read(datagram, Tagger(std::nullopt)))
      std::abort(); // what the switch writes can be read
    if (!isOnItsWay && !decode(datagram))
      std::abort();
  }
};

/// Reading and writing again gives the same bytes.
template <typename T> void roundTrip(std::span<const uint8_t> bytes) {
  if (std::optional<T> value = T::read(bytes)) {
    const std::vector<uint8_t> again = value->write();
    if (!T::read(again))
      std::abort();
  }
}

/// A message without its task is the same message, and has none; a step that can be read is the
/// same when it was written.
void task(std::span<const uint8_t> bytes) {
  if (Result<Header> header = decode(bytes)) {
    const Header plain = collective::withoutTask(*header);
    if (collective::hasTask(plain) || !collective::isSameMessage(*header, plain))
      std::abort();
  }
  if (std::optional<collective::NextStep> step = collective::NextStep::read(bytes)) {
    std::array<uint8_t, collective::NextStep::Bytes> again;
    step->write(again);
    if (!std::equal(again.begin(), again.end(), bytes.begin()))
      std::abort();
  }
  (void)collective::TaskProgram::read(bytes);
  if (const auto parts = collective::readParts(bytes, 1 << 16)) {
    std::vector<uint8_t> again;
    collective::writeParts(*parts, again);
    if (!std::ranges::equal(again, bytes))
      std::abort();
  }
}

/// Sparse vectors of any bytes are merged within their room; what comes out is one, so merging
/// nothing to it changes nothing.
void merge(std::span<const uint8_t> bytes) {
  for (unsigned type = unsigned(ElementType::Int16Int); type < NumElementTypes; ++type) {
    const size_t half = bytes.size() / 2 / bytesOf(ElementType(type)) * bytesOf(ElementType(type));
    std::vector<uint8_t> once(half), twice(half), none(half, 0xff);
    collective::combine(ReduceOp::Merge, ElementType(type), bytes.first(half),
                        bytes.subspan(half, half), once);
    collective::combine(ReduceOp::Merge, ElementType(type), once, none, twice);
    if (once != twice)
      std::abort();
  }
}

/// A region in which bytes were changed is refused, or its blocks lie in it and can be freed. The
/// input is triples: where (16 bits), what.
void regionOf(std::span<const uint8_t> bytes) {
  std::vector<uint8_t> region(memory::Blocks::Least);
  {
    Result<memory::Blocks> blocks = memory::Blocks::make(region, 1);
    for (uint32_t job = 0; job < 3; ++job)
      (void)blocks->allocate(job, 100);
  }
  for (size_t i = 0; i + 3 <= bytes.size(); i += 3)
    region[io::load<uint16_t>(bytes.data() + i) % region.size()] = bytes[i + 2];
  Result<memory::Blocks> blocks = memory::Blocks::open(region);
  for (uint32_t job = 0; blocks && job < 4; ++job)
    for (const memory::Block &block : blocks->list(job)) {
      for (uint8_t &byte : blocks->bytesOf(block))
        byte = 1;
      blocks->free(block.handle);
    }
}

/// A row that a Join gives has partners of its group, and positions for all of it.
void row(std::span<const uint8_t> bytes) {
  const std::optional<Join> join = Join::read(bytes);
  const std::optional<collective::Row> row = join ? collective::Row::of(*join) : std::nullopt;
  if (row && (row->index > row->last ||
              collective::firstPosition(join->engines.runs, row->size()) != join->size))
    std::abort();
}

/// Datagrams between engines to one of a ring, as if they came from its neighbour: handed on, or
/// for a session that there is not.
void engine(std::span<const uint8_t> bytes) {
  auto network = std::make_shared<direct::Network>();
  network->fabric = direct::Fabric{direct::Form::Ring, {3}};
  for (uint16_t port = 0; port < 3; ++port)
    network->engines.push_back({"e", Address{{}, uint16_t(port + 1)}, ""});
  network->number = 1;
  Nowhere output;
  sw::SwitchConfig config;
  config.network = network;
  sw::Switch device(config, output);
  device.add(std::make_unique<sw::Collectives>(device.services(), sw::Collectives::Limits{},
                                               sw::EngineChoice{}));
  const Tagger noKey(std::nullopt);
  io::Reader reader(bytes);
  while (!reader.ranOut()) {
    const auto from = reader.get<uint8_t>(), to = reader.get<uint8_t>();
    const std::string text = reader.text();
    std::vector<uint8_t> inner(text.begin(), text.end());
    if (inner.size() >= HeaderBytes)
      noKey.seal(inner);
    const std::vector<uint8_t> datagram =
        Transit{0, network->fingerprint(), from, to}.wrap(inner, noKey);
    const sw::Ingress in{0, network->engines[from % 3].address, datagram};
    device.receive({&in, 1}, Second);
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::span<const uint8_t> bytes(data, size);
  roundTrip<Hello>(bytes);
  roundTrip<Challenge>(bytes);
  roundTrip<Welcome>(bytes);
  roundTrip<Join>(bytes);
  roundTrip<Answer>(bytes);
  roundTrip<Waiting>(bytes);
  roundTrip<Failure>(bytes);
  roundTrip<Blob>(bytes);
  roundTrip<BlobAck>(bytes);
  roundTrip<Report>(bytes);
  roundTrip<Order>(bytes);
  roundTrip<PartialSum>(bytes);
  roundTrip<Access>(bytes);
  roundTrip<Outcome>(bytes);
  roundTrip<Meeting>(bytes);
  roundTrip<Stamp>(bytes);
  roundTrip<Hearing>(bytes);
  row(bytes);
  engine(bytes);
  regionOf(bytes);
  task(bytes);
  merge(bytes);

  Nowhere output;
  sw::SwitchConfig config;
  config.parents = {Address{}};
  config.maxJobBytes = 1 << 20;
  sw::Switch device(config, output);
  device.add(std::make_unique<sw::Collectives>(device.services(), sw::Collectives::Limits{},
                                               sw::EngineChoice{}));
  device.add(std::make_unique<sw::Control>(device.services(), sw::Control::Limits{}));
  std::vector<uint8_t> region(memory::Blocks::Least);
  Result<memory::Blocks> blocks = memory::Blocks::make(region, 1);
  memory::Functions functions(nullptr);
  memory::RunHere runner(nullptr);
  FoldAlone folder;
  device.add(std::make_unique<sw::Memory>(device.services(),
                                          sw::Memory::Parts{*blocks, functions, runner, &folder},
                                          sw::Memory::Limits{}));
  // The input is datagrams, each after a 16-bit length.
  io::Reader reader(bytes);
  Time now = Second;
  const Tagger noKey(std::nullopt);
  while (!reader.ranOut()) {
    const std::string text = reader.text();
    std::vector<uint8_t> datagram(text.begin(), text.end());
    if (datagram.size() >= HeaderBytes)
      noKey.seal(datagram); // or no input would come further than to the tag
    const sw::Ingress in{0, {}, datagram};
    device.receive({&in, 1}, now);
    device.tick(now += Millisecond);
  }
  return 0;
}

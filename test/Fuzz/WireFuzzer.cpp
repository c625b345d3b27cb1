// Datagrams of any content to a switch without keys: first the codec and the readers of
// payloads, then a switch with a job in it, which must survive.
#include "runtime/switch/collective/Mixed.h"
#include "runtime/switch/core/Collectives.h"
#include "runtime/switch/core/Switch.h"

#include <cstdlib>

using namespace acis;
using namespace acis::wire;

namespace {

struct Nowhere final : sw::Output {
  void send(unsigned, const Address &, std::span<const uint8_t> datagram) override {
    if (!decode(datagram))
      std::abort(); // what the switch writes can be read
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

/// A plain message of a fused one is plain, of no other size than the header says, and the two are
/// of one slot.
void mix(std::span<const uint8_t> bytes) {
  Result<Header> header = decode(bytes);
  if (!header)
    return;
  const Header plain = collective::plainOf(*header);
  if (collective::isMixed(*header, *header) || collective::mayMix(plain) ||
      (collective::mayMix(*header) &&
       (!collective::isMixed(*header, plain) || !collective::tellsPlain(*header, plain))))
    std::abort();
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
  mix(bytes);

  Nowhere output;
  sw::SwitchConfig config;
  config.parents = {Address{}};
  config.maxJobBytes = 1 << 20;
  sw::Switch device(config, output);
  device.add(
      std::make_unique<sw::Collectives>(device.services(), sw::Collectives::Limits{}, nullptr));
  // The input is datagrams, each after a 16-bit length.
  io::Reader reader(bytes);
  Time now = Second;
  while (!reader.ranOut()) {
    const std::string datagram = reader.text();
    const sw::Ingress in{
        0, {}, {reinterpret_cast<const uint8_t *>(datagram.data()), datagram.size()}};
    device.receive({&in, 1}, now);
    device.tick(now += Millisecond);
  }
  return 0;
}

#include "runtime/acisd/CaptureFile.h"

#include "runtime/tools/acis-run/UdpFrame.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace acis::acisd {

using namespace capture;

namespace {

/// Written when so much has come together, and at every tick.
constexpr size_t enough = 1 << 20;

std::vector<uint8_t> frameOf(const wire::Address &from, const wire::Address &to,
                             std::span<const uint8_t> payload) {
  payload = payload.first(std::min(payload.size(), tools::MaxUdpPayload));
  if (!from.isV4() || !to.isV4())
    return tools::makeUdp6Frame(from.ip, from.port, to.ip, to.port, payload);
  auto v4 = [](const wire::Address &address) {
    uint32_t ip = 0;
    for (size_t i = 12; i < 16; ++i)
      ip = ip << 8 | address.ip[i];
    return ip;
  };
  tools::Flow flow;
  flow.fromIp = v4(from);
  flow.toIp = v4(to);
  flow.fromPort = from.port;
  flow.toPort = to.port;
  return tools::makeUdpFrame(flow, payload);
}

} // namespace

Result<std::unique_ptr<CaptureFile>> CaptureFile::create(const std::string &path,
                                                         uint64_t mostBytes, AddressOf addressOf) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0)
    return Error{path, std::string("cannot be written: ") + std::strerror(errno)};
  return std::unique_ptr<CaptureFile>(new CaptureFile(fd, mostBytes, std::move(addressOf)));
}

CaptureFile::CaptureFile(int descriptor, uint64_t mostBytes, AddressOf addressOf)
    : descriptor(descriptor), mostBytes(mostBytes), addressOf(std::move(addressOf)) {
  const auto real = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  realOffset = wire::Time(real.count()) - wire::systemTime();
}

CaptureFile::~CaptureFile() {
  settle();
  flush();
  close(descriptor);
}

const CaptureFile::Port &CaptureFile::portOf(unsigned number) {
  const auto found = ports.find(number);
  if (found != ports.end())
    return found->second;
  const wire::Address address = addressOf(number);
  const uint32_t interface =
      writer.addInterface((number == 0 ? "acis " : "handler ") + address.str());
  return ports.emplace(number, Port{interface, address}).first->second;
}

void CaptureFile::arrived(const sw::Ingress &in, wire::Time now) {
  settle();
  const Port &port = portOf(in.port);
  pending = Pending{{now + realOffset, port.interface, Direction::Inbound, ""},
                    frameOf(in.from, port.address, in.bytes)};
}

void CaptureFile::verdict(const sw::Services::Verdict &verdict) {
  if (pending)
    pending->info.comment = packetComment(verdict.cycles, verdict.dropped);
}

void CaptureFile::sent(unsigned number, const wire::Address &to, std::span<const uint8_t> datagram,
                       wire::Time now) {
  settle(); // what arrived stands before what was sent because of it
  const Port &port = portOf(number);
  add({now + realOffset, port.interface, Direction::Outbound, ""},
      frameOf(port.address, to, datagram));
}

void CaptureFile::settle() {
  if (pending)
    add(pending->info, pending->frame);
  pending.reset();
}

void CaptureFile::add(const PacketInfo &info, std::span<const uint8_t> frame) {
  constexpr size_t around = 64; // of a block, beside frame and comment
  const size_t before = writer.bytes().size();
  if (broken || bytes + before + frame.size() + info.comment.size() + around > mostBytes) {
    ++notWritten;
    return;
  }
  writer.addPacket(info, frame);
  ++packets;
  if (writer.bytes().size() >= enough)
    flush();
}

void CaptureFile::flush() {
  std::vector<uint8_t> &waiting = writer.bytes();
  for (size_t done = 0; done < waiting.size() && !broken;) {
    const ssize_t count = write(descriptor, waiting.data() + done, waiting.size() - done);
    broken = count <= 0 && errno != EINTR;
    done += count > 0 ? size_t(count) : 0;
  }
  bytes += waiting.size();
  waiting.clear();
}

wire::Time CaptureFile::tick() {
  settle();
  flush();
  return wire::Never;
}

void CaptureFile::statistics(sw::Statistics &out) const {
  out.insert(out.end(), {{"capture_packets", packets},
                         {"capture_bytes", bytes + writer.size()},
                         {"capture_packets_not_written", notWritten},
                         {"capture_broken", uint64_t(broken)}});
}

} // namespace acis::acisd

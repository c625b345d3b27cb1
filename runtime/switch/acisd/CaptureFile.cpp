#include "runtime/switch/acisd/CaptureFile.h"

#include "runtime/io/UdpFrame.h"

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
  payload = payload.first(std::min(payload.size(), io::MaxUdpPayload));
  if (!from.isV4() || !to.isV4())
    return io::makeUdp6Frame(from.ip, from.port, to.ip, to.port, payload);
  auto v4 = [](const wire::Address &address) {
    uint32_t ip = 0;
    for (size_t i = 12; i < 16; ++i)
      ip = ip << 8 | address.ip[i];
    return ip;
  };
  io::Flow flow;
  flow.fromIp = v4(from);
  flow.toIp = v4(to);
  flow.fromPort = from.port;
  flow.toPort = to.port;
  return io::makeUdpFrame(flow, payload);
}

} // namespace

Result<std::unique_ptr<CaptureFile>> CaptureFile::create(const std::string &path,
                                                         uint64_t mostBytes) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0)
    return Error{path, std::string("cannot be written: ") + std::strerror(errno)};
  return std::unique_ptr<CaptureFile>(new CaptureFile(fd, mostBytes));
}

CaptureFile::CaptureFile(int descriptor, uint64_t mostBytes)
    : descriptor(descriptor), mostBytes(mostBytes) {
  const auto real = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  realOffset = wire::Time(real.count()) - wire::systemTime();
}

CaptureFile::~CaptureFile() {
  flush();
  close(descriptor);
}

void CaptureFile::name(unsigned port, const wire::Address &address) {
  const std::lock_guard guard(lock);
  ports[port] = {address, std::nullopt};
}

wire::Address CaptureFile::addressOf(unsigned port) const {
  const std::lock_guard guard(lock);
  const auto found = ports.find(port);
  return found == ports.end() ? wire::Address() : found->second.address;
}

uint32_t CaptureFile::interfaceOf(unsigned number) {
  Port &port = ports[number];
  if (!port.interface)
    port.interface = writer.addInterface((number == 0 ? "acis " : "handler ") + port.address.str());
  return *port.interface;
}

void CaptureFile::add(unsigned port, wire::Time when, Direction direction, std::string comment,
                      std::span<const uint8_t> frame) {
  constexpr size_t around = 64; // of a block, beside frame and comment
  const std::lock_guard guard(lock);
  const uint32_t interface = interfaceOf(port);
  const size_t before = writer.bytes().size();
  if (broken || bytes + before + frame.size() + comment.size() + around > mostBytes) {
    ++notWritten;
    return;
  }
  writer.addPacket({when + realOffset, interface, direction, std::move(comment)}, frame);
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
  const std::lock_guard guard(lock);
  flush();
  return wire::Never;
}

void CaptureFile::statistics(sw::Statistics &out) const {
  const std::lock_guard guard(lock);
  out.insert(out.end(), {{"capture_packets", packets},
                         {"capture_bytes", bytes + writer.size()},
                         {"capture_packets_not_written", notWritten},
                         {"capture_broken", uint64_t(broken)}});
}

void CaptureTap::arrived(const sw::Ingress &in, wire::Time now) {
  settle();
  pending = Pending{in.port, now, "", frameOf(in.from, file.addressOf(in.port), in.bytes)};
}

void CaptureTap::verdict(const sw::Services::Verdict &verdict) {
  if (pending)
    pending->comment = packetComment(verdict.cycles, verdict.dropped);
}

void CaptureTap::sent(unsigned port, const wire::Address &to, std::span<const uint8_t> datagram,
                      wire::Time now) {
  settle(); // what arrived stands before what was sent because of it
  file.add(port, now, Direction::Outbound, "", frameOf(file.addressOf(port), to, datagram));
}

void CaptureTap::settle() {
  if (pending)
    file.add(pending->port, pending->when, Direction::Inbound, std::move(pending->comment),
             pending->frame);
  pending.reset();
}

wire::Time CaptureTap::tick() {
  settle();
  return file.tick();
}

} // namespace acis::acisd

#include "runtime/switch/acisd/FramePort.h"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <linux/if_tun.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

namespace acis::acisd {

namespace {

using forward::Frame;
using forward::LongestFrame;
using forward::Offload;

constexpr size_t TagBytes = 4;

/// struct virtio_net_hdr, whose header is not for C++.
struct VirtioHeader {
  uint8_t flags, gso_type;
  uint16_t hdr_len, gso_size, csum_start, csum_offset;
};
static_assert(sizeof(VirtioHeader) == 10);
constexpr uint8_t NeedsChecksum = 1;

Error problem(const std::string &port, const std::string &what) {
  const std::string need = port.starts_with("tap:") ? "CAP_NET_ADMIN" : "CAP_NET_RAW";
  const bool isRight = errno == EPERM || errno == EACCES;
  return {"--forward " + port,
          what + ": " + std::strerror(errno) +
              (isRight ? "; it needs " + need +
                             ": run acisd as root, or give it the capability (setcap " +
                             (need == "CAP_NET_RAW" ? "cap_net_raw" : "cap_net_admin") + "+ep)"
                       : "")};
}

Offload offloadOf(const VirtioHeader &header) {
  Offload out;
  out.needsChecksum = header.flags & NeedsChecksum;
  out.segmentation = header.gso_type;
  out.headerBytes = header.hdr_len;
  out.segmentBytes = header.gso_size;
  out.checksumStart = header.csum_start;
  out.checksumOffset = header.csum_offset;
  return out;
}

VirtioHeader headerOf(const Offload &offload) {
  VirtioHeader out{};
  out.flags = offload.needsChecksum ? NeedsChecksum : 0;
  out.gso_type = offload.segmentation;
  out.hdr_len = offload.headerBytes;
  out.gso_size = offload.segmentBytes;
  out.csum_start = offload.checksumStart;
  out.csum_offset = offload.checksumOffset;
  return out;
}

/// A descriptor of the system that gives and takes frames behind a VirtioHeader.
class SystemPort : public FramePort {
public:
  SystemPort(const std::string &text, int fd) : FramePort(text), fd(fd) {}
  ~SystemPort() override { close(fd); }
  int descriptor() const override { return fd; }
  bool send(const Frame &frame) override {
    VirtioHeader header = headerOf(frame.offload);
    const iovec parts[] = {{&header, sizeof header},
                           {const_cast<uint8_t *>(frame.bytes.data()), frame.bytes.size()}};
    return writev(fd, parts, 2) >= 0;
  }

protected:
  const int fd;
  /// The frame lies behind room for a VLAN tag.
  std::vector<uint8_t> buffer = std::vector<uint8_t>(TagBytes + LongestFrame);
};

class TapPort final : public SystemPort {
public:
  using SystemPort::SystemPort;

  static Result<std::unique_ptr<FramePort>> open(const std::string &text) {
    const std::string name = text.substr(4);
    if (name.empty() || name.size() >= IFNAMSIZ)
      return Error{"--forward " + text, "the name of a TAP device has 1 to 15 letters"};
    const int fd = ::open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
      return problem(text, "/dev/net/tun");
    ifreq request{};
    name.copy(request.ifr_name, IFNAMSIZ - 1);
    request.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR;
    if (ioctl(fd, TUNSETIFF, &request) != 0) {
      Error error = problem(text, "no TAP device");
      close(fd);
      return error;
    }
    return std::unique_ptr<FramePort>(std::make_unique<TapPort>(text, fd));
  }

  size_t receive(const std::function<void(const Frame &)> &take) override {
    size_t count = 0;
    VirtioHeader header{};
    const iovec parts[] = {{&header, sizeof header}, {buffer.data(), buffer.size()}};
    for (; count < Batch; ++count) {
      const ssize_t got = readv(fd, parts, 2);
      if (got < ssize_t(sizeof header))
        break;
      take({{buffer.data(), size_t(got) - sizeof header}, offloadOf(header)});
    }
    return count;
  }
};

class PacketPort final : public SystemPort {
public:
  using SystemPort::SystemPort;

  static Result<std::unique_ptr<FramePort>> open(const std::string &text) {
    const unsigned index = if_nametoindex(text.c_str());
    if (index == 0)
      return problem(text, "no such interface; tap:NAME and udp:FROM-TO are other kinds of ports");
    // For no protocol, until it is bound to the interface.
    const int fd = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
      return problem(text, "no packet socket");
    const int on = 1, bytes = 16 << 20;
    packet_mreq promiscuous{};
    promiscuous.mr_ifindex = int(index);
    promiscuous.mr_type = PACKET_MR_PROMISC;
    sockaddr_ll address{};
    address.sll_family = AF_PACKET;
    address.sll_protocol = htons(ETH_P_ALL);
    address.sll_ifindex = int(index);
    for (const int option : {SO_RCVBUFFORCE, SO_SNDBUFFORCE})
      (void)setsockopt(fd, SOL_SOCKET, option, &bytes, sizeof bytes);
    const auto *name = reinterpret_cast<const sockaddr *>(&address);
    if (setsockopt(fd, SOL_PACKET, PACKET_VNET_HDR, &on, sizeof on) != 0 ||
        setsockopt(fd, SOL_PACKET, PACKET_AUXDATA, &on, sizeof on) != 0 ||
        setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &on, sizeof on) != 0 ||
        setsockopt(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &promiscuous, sizeof promiscuous) != 0 ||
        bind(fd, name, sizeof address) != 0) {
      Error error = problem(text, "the interface cannot be opened");
      close(fd);
      return error;
    }
    return std::unique_ptr<FramePort>(std::make_unique<PacketPort>(text, fd));
  }

  size_t receive(const std::function<void(const Frame &)> &take) override {
    size_t count = 0;
    for (; count < Batch; ++count)
      if (!one(take))
        break;
    return count;
  }

private:
  bool one(const std::function<void(const Frame &)> &take) {
    VirtioHeader header{};
    union {
      cmsghdr header;
      char bytes[CMSG_SPACE(sizeof(tpacket_auxdata))];
    } control;
    iovec parts[] = {{&header, sizeof header},
                     {buffer.data() + TagBytes, buffer.size() - TagBytes}};
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    const ssize_t got = recvmsg(fd, &message, MSG_DONTWAIT);
    if (got < ssize_t(sizeof header))
      return false;
    Frame frame{{buffer.data() + TagBytes, size_t(got) - sizeof header}, offloadOf(header)};
    for (cmsghdr *at = CMSG_FIRSTHDR(&message); at; at = CMSG_NXTHDR(&message, at))
      if (at->cmsg_level == SOL_PACKET && at->cmsg_type == PACKET_AUXDATA)
        putTagBack(frame, at);
    take(frame);
    return true;
  }

  /// The system takes a VLAN tag out of a frame and gives it beside.
  void putTagBack(Frame &frame, const cmsghdr *control) {
    constexpr size_t addresses = 12;
    tpacket_auxdata aux;
    std::memcpy(&aux, CMSG_DATA(control), sizeof aux);
    if (!(aux.tp_status & TP_STATUS_VLAN_VALID) || frame.bytes.size() < addresses)
      return;
    const uint16_t type =
        aux.tp_status & TP_STATUS_VLAN_TPID_VALID ? aux.tp_vlan_tpid : ETH_P_8021Q;
    std::memmove(buffer.data(), buffer.data() + TagBytes, addresses);
    const std::array<uint8_t, TagBytes> tag = {
        uint8_t(type >> 8), uint8_t(type), uint8_t(aux.tp_vlan_tci >> 8), uint8_t(aux.tp_vlan_tci)};
    std::memcpy(buffer.data() + addresses, tag.data(), tag.size());
    frame.bytes = {buffer.data(), frame.bytes.size() + TagBytes};
    if (frame.offload.needsChecksum)
      frame.offload.checksumStart += TagBytes;
    if (frame.offload.headerBytes > 0)
      frame.offload.headerBytes += TagBytes;
  }
};

class UdpPort final : public FramePort {
public:
  UdpPort(const std::string &text, wire::UdpSocket socket, const wire::Address &peer)
      : FramePort(text), socket(std::move(socket)), peer(peer) {}

  static Result<std::unique_ptr<FramePort>> open(const std::string &text) {
    const size_t dash = text.find('-');
    if (dash == std::string::npos)
      return Error{"--forward " + text, "a UDP port is udp:FROM-TO, each HOST:PORT"};
    Result<wire::Address> from = wire::parseAddress(text.substr(4, dash - 4));
    Result<wire::Address> to = wire::parseAddress(text.substr(dash + 1));
    if (!from || !to)
      return Error{"--forward " + text, (from ? to : from).error().what};
    Result<wire::UdpSocket> socket = wire::UdpSocket::bind(*from, 16 << 20);
    if (!socket)
      return Error{"--forward " + text, socket.error().str()};
    return std::unique_ptr<FramePort>(std::make_unique<UdpPort>(text, std::move(*socket), *to));
  }

  int descriptor() const override { return socket.descriptor(); }

  size_t receive(const std::function<void(const Frame &)> &take) override {
    return socket.receive([&](std::span<const wire::UdpSocket::Arrived> arrived) {
      for (const wire::UdpSocket::Arrived &datagram : arrived)
        if (datagram.from == peer)
          take({datagram.bytes, {}});
    });
  }

  /// Nothing is put off on a network.
  bool send(const Frame &frame) override {
    constexpr size_t most = 65'507;
    if (frame.offload == Offload{}) {
      if (frame.bytes.size() > most)
        return false;
      socket.send(peer, frame.bytes);
      socket.flush();
      return true;
    }
    const std::vector<std::vector<uint8_t>> whole = forward::cut(frame);
    for (const std::vector<uint8_t> &one : whole)
      if (one.size() > most)
        return false;
    for (const std::vector<uint8_t> &one : whole)
      socket.send(peer, one);
    socket.flush();
    return !whole.empty();
  }

private:
  wire::UdpSocket socket;
  wire::Address peer;
};

} // namespace

Result<std::unique_ptr<FramePort>> FramePort::open(const std::string &text) {
  if (text.starts_with("tap:"))
    return TapPort::open(text);
  if (text.starts_with("udp:"))
    return UdpPort::open(text);
  return PacketPort::open(text);
}

} // namespace acis::acisd

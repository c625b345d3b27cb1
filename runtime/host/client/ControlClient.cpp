#include "runtime/host/client/ControlClient.h"

#include "runtime/switch/wire/Address.h"

#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace acis {

using nlohmann::json;

namespace {

constexpr time_t Patience = 10; ///< seconds; the switch itself gives up after 5

Error systemError(const std::string &path, const char *what) {
  return {path, std::string(what) + ": " + std::strerror(errno)};
}

void setPatience(int fd) {
  const timeval patience{Patience, 0};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

/// Closes itself.
class Socket {
public:
  explicit Socket(int fd) : fd(fd) {}
  Socket(Socket &&other) noexcept : fd(std::exchange(other.fd, -1)) {}
  Socket &operator=(Socket &&) = delete;
  ~Socket() {
    if (fd >= 0)
      close(fd);
  }
  int fd;
};

Result<Socket> connectTo(const std::string &path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path)
    return Error{path, "no path of a control socket; 1 to " +
                           std::to_string(sizeof address.sun_path - 1) + " characters are allowed"};
  std::memcpy(address.sun_path, path.data(), path.size());
  Socket made(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (made.fd < 0)
    return systemError(path, "no socket");
  setPatience(made.fd);
  if (connect(made.fd, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0)
    return systemError(path, "cannot reach a switch (acisd --control)");
  return made;
}

Result<Socket> connectTo(const wire::Address &address) {
  sockaddr_storage system;
  const unsigned length = wire::toSystem(address, system);
  Socket made(socket(system.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (made.fd < 0)
    return systemError(address.str(), "no socket");
  setPatience(made.fd);
  if (connect(made.fd, reinterpret_cast<sockaddr *>(&system), length) != 0)
    return systemError(address.str(), "cannot reach a switch (acisd --control-tls)");
  return made;
}

std::span<const uint8_t> bytesOf(const std::string &text) {
  return {reinterpret_cast<const uint8_t *>(text.data()), text.size()};
}

std::string lineOf(json command, size_t contentBytes) {
  if (contentBytes != 0)
    command["bytes"] = contentBytes;
  return command.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

/// What cannot be sent is not an error yet: the answer says why.
void sendAll(int fd, std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0)
      return;
    bytes = bytes.subspan(size_t(count));
  }
}

void sendAll(tls::Stream &stream, std::span<const uint8_t> bytes) {
  for (size_t count = 0; !bytes.empty(); bytes = bytes.subspan(count))
    if (stream.write(bytes, count) != tls::Stream::Outcome::Done)
      return;
}

Result<json> parseReply(const std::string &from, const std::string &reply) {
  json parsed = json::parse(reply, nullptr, /*allow_exceptions=*/false);
  if (!parsed.is_object())
    return Error{from, "no answer"};
  if (const auto error = parsed.find("error"); error != parsed.end())
    return Error{"", error->is_string() ? error->get<std::string>() : error->dump()};
  return parsed;
}

} // namespace

Result<std::string> ControlPoint::anyPort() const {
  if (!remote)
    return std::string("127.0.0.1:0");
  Result<wire::Address> address = wire::parseAddress(place);
  if (!address)
    return address.error();
  address->port = 0;
  return address->str();
}

Result<std::string> ControlPoint::askHere(const std::string &line,
                                          std::span<const uint8_t> content) const {
  Result<Socket> socket = connectTo(place);
  if (!socket)
    return socket.error();
  sendAll(socket->fd, bytesOf(line));
  sendAll(socket->fd, content);
  std::string reply;
  char chunk[4096];
  ssize_t count;
  while ((count = recv(socket->fd, chunk, sizeof chunk, 0)) > 0)
    reply.append(chunk, size_t(count));
  return reply;
}

Result<std::string> ControlPoint::askThere(const std::string &line,
                                           std::span<const uint8_t> content) const {
  Result<wire::Address> address = wire::parseAddress(place);
  if (!address)
    return address.error();
  Result<tls::Context> context = tls::Context::make(tls::Role::Client, files);
  if (!context)
    return context.error();
  Result<Socket> socket = connectTo(*address);
  if (!socket)
    return socket.error();
  std::string host = place.substr(0, place.rfind(':'));
  if (host.starts_with('[') && host.ends_with(']'))
    host = host.substr(1, host.size() - 2);
  tls::Stream stream(*context, socket->fd, host);
  sendAll(stream, bytesOf(line));
  sendAll(stream, content);
  std::string reply;
  uint8_t chunk[4096];
  size_t count = 0;
  tls::Stream::Outcome outcome;
  while ((outcome = stream.read(chunk, count)) == tls::Stream::Outcome::Done)
    reply.append(chunk, chunk + count);
  if (outcome == tls::Stream::Outcome::Failed)
    return Error{place, stream.problem()};
  if (outcome == tls::Stream::Outcome::Waiting)
    return Error{place, "no answer in " + std::to_string(Patience) + " seconds"};
  return reply;
}

Result<json> ControlPoint::ask(json command, std::span<const uint8_t> content) const {
  const std::string line = lineOf(std::move(command), content.size());
  Result<std::string> reply = remote ? askThere(line, content) : askHere(line, content);
  return reply ? parseReply(place, *reply) : Result<json>(reply.error());
}

} // namespace acis

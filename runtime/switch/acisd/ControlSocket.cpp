#include "runtime/switch/acisd/ControlSocket.h"

#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace acis::acisd {

using nlohmann::json;

namespace {

Error systemError(const std::string &path, const char *what) {
  return {path, std::string(what) + ": " + std::strerror(errno)};
}

/// Whether a process accepts connections there.
bool isAlive(const sockaddr_un &address) {
  const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const bool alive = probe >= 0 && connect(probe, reinterpret_cast<const sockaddr *>(&address),
                                           sizeof address) == 0;
  if (probe >= 0)
    close(probe);
  return alive;
}

} // namespace

Result<ControlSocket> ControlSocket::listen(const std::string &path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path)
    return Error{path, "no path of a control socket; 1 to " +
                           std::to_string(sizeof address.sun_path - 1) + " characters are allowed"};
  std::memcpy(address.sun_path, path.data(), path.size());
  struct stat existing{};
  if (lstat(path.c_str(), &existing) == 0) {
    if (!S_ISSOCK(existing.st_mode))
      return Error{path, "exists and is no socket; name another control socket"};
    if (isAlive(address))
      return Error{path, "another switch listens there; name another control socket"};
    unlink(path.c_str());
  }
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0)
    return systemError(path, "no control socket");
  const mode_t before = umask(0177); // only the owner, from the first moment on
  const int bound = bind(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address);
  umask(before);
  if (bound != 0 || ::listen(fd, int(MostClients)) != 0) {
    Error error = systemError(path, "no control socket");
    close(fd);
    return error;
  }
  return ControlSocket(fd, path);
}

Result<ControlSocket> ControlSocket::listenTls(const wire::Address &address,
                                               const tls::Files &files) {
  Result<tls::Context> context = tls::Context::make(tls::Role::Server, files);
  if (!context)
    return context.error();
  sockaddr_storage system;
  const unsigned length = wire::toSystem(address, system);
  const int fd = socket(system.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0)
    return systemError(address.str(), "no control port");
  const int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(fd, reinterpret_cast<const sockaddr *>(&system), length) != 0 ||
      ::listen(fd, int(MostClients)) != 0) {
    Error error = systemError(address.str(), "no control port");
    close(fd);
    return error;
  }
  ControlSocket made(fd, "");
  made.context.emplace(std::move(*context));
  return made;
}

ControlSocket::ControlSocket(ControlSocket &&other) noexcept
    : fd(std::exchange(other.fd, -1)), path(std::move(other.path)),
      context(std::move(other.context)), clients(std::move(other.clients)),
      refusedClients(other.refusedClients) {}

ControlSocket::~ControlSocket() {
  if (fd < 0)
    return;
  for (Client &client : clients) {
    client.stream.reset();
    close(client.fd);
  }
  close(fd);
  if (!path.empty())
    unlink(path.c_str());
}

void ControlSocket::descriptors(std::vector<int> &all) const {
  all.push_back(fd);
  for (const Client &client : clients)
    all.push_back(client.fd);
}

wire::Address ControlSocket::localAddress() const {
  sockaddr_storage system{};
  socklen_t length = sizeof system;
  getsockname(fd, reinterpret_cast<sockaddr *>(&system), &length);
  return wire::fromSystem(system);
}

using Outcome = tls::Stream::Outcome;

namespace {

Outcome plainOutcome(ssize_t result, size_t &count) {
  count = result > 0 ? size_t(result) : 0;
  return result > 0                                ? Outcome::Done
         : result == 0                             ? Outcome::Ended
         : errno == EAGAIN || errno == EWOULDBLOCK ? Outcome::Waiting
                                                   : Outcome::Failed;
}

} // namespace

Outcome ControlSocket::read(Client &client, std::span<uint8_t> into, size_t &count) {
  if (client.stream)
    return client.stream->read(into, count);
  return plainOutcome(recv(client.fd, into.data(), into.size(), MSG_DONTWAIT), count);
}

Outcome ControlSocket::write(Client &client, std::span<const uint8_t> from, size_t &count) {
  if (client.stream)
    return client.stream->write(from, count);
  return plainOutcome(send(client.fd, from.data(), from.size(), MSG_NOSIGNAL), count);
}

/// Sends what it can. False when all is sent, or cannot be.
bool ControlSocket::sendReply(Client &client) {
  while (!client.reply.empty()) {
    size_t count = 0;
    const Outcome outcome =
        write(client, {reinterpret_cast<const uint8_t *>(client.reply.data()), client.reply.size()},
              count);
    if (outcome != Outcome::Done)
      return outcome == Outcome::Waiting;
    client.reply.erase(0, count);
  }
  return false;
}

/// Makes the reply if the command is complete, or can be none.
void ControlSocket::understand(Client &client, bool ended, const Command &execute) {
  ControlRequest request = ControlRequest::parse(client.bytes);
  if (request.state == ControlRequest::State::Incomplete) {
    client.answered = ended; // nobody there to answer
    return;
  }
  const json reply = request.state == ControlRequest::State::Complete
                         ? execute(request.command, std::move(request.content))
                         : request.reply;
  client.reply = reply.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  client.answered = true;
}

/// Closing a socket with unread bytes would take the reason away that the client has not read
/// yet: drops them until it closes its end. False when it has.
static bool drain(int fd) {
  uint8_t chunk[4096];
  ssize_t count;
  while ((count = recv(fd, chunk, sizeof chunk, MSG_DONTWAIT)) > 0)
    ;
  return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

/// Takes what has come. False when the client is gone without a command.
bool ControlSocket::take(Client &client, const Command &execute) {
  uint8_t chunk[65536];
  Outcome outcome = Outcome::Done;
  for (size_t count = 0; client.bytes.size() <= ControlRequest::MostBytes;) {
    outcome = read(client, chunk, count);
    if (outcome != Outcome::Done)
      break;
    client.bytes.insert(client.bytes.end(), chunk, chunk + count);
  }
  if (outcome == Outcome::Failed) {
    client.refused = client.stream && client.bytes.empty();
    refusedClients += client.refused;
    return client.refused && shutdown(client.fd, SHUT_WR) == 0;
  }
  if (client.bytes.empty()) // also while hands are shaken
    return outcome != Outcome::Ended;
  understand(client, outcome == Outcome::Ended, execute);
  return true;
}

/// False when the client is done with, answered or not.
bool ControlSocket::progress(Client &client, const Command &execute) {
  if (client.refused)
    return drain(client.fd);
  if (!client.answered && !take(client, execute))
    return false;
  return !client.answered || sendReply(client);
}

void ControlSocket::serve(wire::Time now, const Command &execute) {
  while (clients.size() < MostClients) {
    const int accepted = accept4(fd, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (accepted < 0)
      break;
    clients.push_back({accepted, now, std::nullopt, {}, ""});
    if (context)
      clients.back().stream.emplace(*context, accepted);
  }
  std::erase_if(clients, [&](Client &client) {
    const bool goesOn = progress(client, execute) && now - client.since < Patience;
    if (!goesOn) {
      client.stream.reset(); // says good-bye before the socket is closed
      close(client.fd);
    }
    return !goesOn;
  });
}

} // namespace acis::acisd

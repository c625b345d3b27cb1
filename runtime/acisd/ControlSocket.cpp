#include "runtime/acisd/ControlSocket.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace acis::acisd {

using nlohmann::json;

json controlError(const std::string &what) { return {{"error", what}}; }

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

void answer(int fd, const json &reply) {
  std::string line = reply.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  size_t sent = 0;
  while (sent < line.size()) {
    const ssize_t count = send(fd, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) // it went away, or does not read: its loss
      return;
    sent += size_t(count);
  }
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

ControlSocket::ControlSocket(ControlSocket &&other) noexcept
    : fd(std::exchange(other.fd, -1)), path(std::move(other.path)),
      clients(std::move(other.clients)) {}

ControlSocket::~ControlSocket() {
  if (fd < 0)
    return;
  for (const Client &client : clients)
    close(client.fd);
  close(fd);
  unlink(path.c_str());
}

std::vector<int> ControlSocket::descriptors() const {
  std::vector<int> all{fd};
  for (const Client &client : clients)
    all.push_back(client.fd);
  return all;
}

/// False when the client is done with, answered or not.
bool ControlSocket::progress(Client &client, const Command &execute) {
  uint8_t chunk[65536];
  ssize_t count;
  while ((count = recv(client.fd, chunk, sizeof chunk, MSG_DONTWAIT)) > 0) {
    client.bytes.insert(client.bytes.end(), chunk, chunk + count);
    if (client.bytes.size() > MostBytes) {
      answer(client.fd,
             controlError("a command of more than " + std::to_string(MostBytes) + " bytes"));
      return false;
    }
  }
  const bool ended = count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
  const auto end = std::find(client.bytes.begin(), client.bytes.end(), '\n');
  if (end == client.bytes.end()) {
    if (client.bytes.size() > MostLine)
      answer(client.fd, controlError("a line of more than " + std::to_string(MostLine) + " bytes"));
    return !ended && client.bytes.size() <= MostLine;
  }
  const json command = json::parse(client.bytes.begin(), end, nullptr, /*allow_exceptions=*/false);
  if (!command.is_object()) {
    answer(client.fd, controlError("the line is no JSON object"));
    return false;
  }
  const auto size = command.find("bytes");
  const uint64_t wanted =
      size != command.end() && size->is_number_unsigned() ? size->get<uint64_t>() : 0;
  if (wanted > MostBytes) {
    answer(client.fd, controlError("content of " + std::to_string(wanted) + " bytes; at most " +
                                   std::to_string(MostBytes) + " are allowed"));
    return false;
  }
  if (uint64_t(client.bytes.end() - end - 1) < wanted)
    return !ended;
  answer(client.fd, execute(command, {end + 1, end + 1 + ptrdiff_t(wanted)}));
  return false;
}

void ControlSocket::serve(wire::Time now, const Command &execute) {
  while (clients.size() < MostClients) {
    const int accepted = accept4(fd, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (accepted < 0)
      break;
    clients.push_back({accepted, now, {}});
  }
  std::erase_if(clients, [&](Client &client) {
    const bool goesOn = progress(client, execute) && now - client.since < Patience;
    if (!goesOn)
      close(client.fd);
    return !goesOn;
  });
}

} // namespace acis::acisd

#include "runtime/client/ControlClient.h"

#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

namespace acis {

using nlohmann::json;

namespace {

constexpr time_t Patience = 10; ///< seconds; the switch itself gives up after 5

Error systemError(const std::string &path, const char *what) {
  return {path, std::string(what) + ": " + std::strerror(errno)};
}

Result<int> connectTo(const std::string &path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path)
    return Error{path, "no path of a control socket; 1 to " +
                           std::to_string(sizeof address.sun_path - 1) + " characters are allowed"};
  std::memcpy(address.sun_path, path.data(), path.size());
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0)
    return systemError(path, "no socket");
  const timeval patience{Patience, 0};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  if (connect(fd, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0) {
    Error error = systemError(path, "cannot reach a switch (acisd --control)");
    close(fd);
    return error;
  }
  return fd;
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

} // namespace

Result<json> askSwitch(const std::string &controlPath, json command,
                       std::span<const uint8_t> content) {
  Result<int> fd = connectTo(controlPath);
  if (!fd)
    return fd.error();
  if (!content.empty())
    command["bytes"] = content.size();
  const std::string line = command.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  sendAll(*fd, {reinterpret_cast<const uint8_t *>(line.data()), line.size()});
  sendAll(*fd, content);
  std::string reply;
  char chunk[4096];
  ssize_t count;
  while ((count = recv(*fd, chunk, sizeof chunk, 0)) > 0)
    reply.append(chunk, size_t(count));
  close(*fd);
  json parsed = json::parse(reply, nullptr, /*allow_exceptions=*/false);
  if (!parsed.is_object())
    return Error{controlPath, "no answer"};
  if (const auto error = parsed.find("error"); error != parsed.end())
    return Error{"", error->is_string() ? error->get<std::string>() : error->dump()};
  return parsed;
}

} // namespace acis

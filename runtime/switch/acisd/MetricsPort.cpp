// See MetricsPort.h.
#include "runtime/switch/acisd/MetricsPort.h"

#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace acis::acisd {
namespace {

std::string reply(std::string_view status, std::string_view type, std::string_view body,
                  std::string_view more = "") {
  return "HTTP/1.1 " + std::string(status) + "\r\nContent-Type: " + std::string(type) +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\nConnection: close\r\n" +
         std::string(more) + "\r\n" + std::string(body);
}

std::string refusal(std::string_view status, std::string_view why, std::string_view more = "") {
  return reply(status, "text/plain; charset=utf-8", std::string(why) + "\n", more);
}

Error systemError(const wire::Address &address) {
  return {address.str(), std::string("no port for metrics: ") + std::strerror(errno)};
}

} // namespace

std::string replyTo(std::string_view request, const std::function<std::string()> &text) {
  const size_t end = request.find("\r\n\r\n");
  if (end == std::string_view::npos)
    return request.size() < MetricsPort::MostRequestBytes
               ? ""
               : refusal("431 Request Header Fields Too Large", "the request is too long");
  const std::string_view line = request.substr(0, request.find("\r\n"));
  const size_t method = line.find(' '), target = line.rfind(' ');
  if (method == std::string_view::npos || target == method ||
      !line.substr(target + 1).starts_with("HTTP/1."))
    return refusal("400 Bad Request", "is no request of HTTP/1.1");
  if (line.substr(0, method) != "GET")
    return refusal("405 Method Not Allowed", "GET is allowed", "Allow: GET\r\n");
  std::string_view path = line.substr(method + 1, target - method - 1);
  if (path.substr(0, path.find('?')) != "/metrics")
    return refusal("404 Not Found", "what there is: /metrics");
  return reply("200 OK", "text/plain; version=0.0.4; charset=utf-8", text());
}

Result<MetricsPort> MetricsPort::listen(const wire::Address &address) {
  sockaddr_storage system;
  const unsigned length = wire::toSystem(address, system);
  const int fd = socket(system.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0)
    return systemError(address);
  const int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(fd, reinterpret_cast<const sockaddr *>(&system), length) != 0 ||
      ::listen(fd, int(MostClients)) != 0) {
    Error error = systemError(address);
    close(fd);
    return error;
  }
  return MetricsPort(fd);
}

MetricsPort::MetricsPort(MetricsPort &&other) noexcept
    : fd(std::exchange(other.fd, -1)), clients(std::move(other.clients)) {}

MetricsPort::~MetricsPort() {
  if (fd < 0)
    return;
  for (Client &client : clients)
    close(client.fd);
  close(fd);
}

void MetricsPort::descriptors(std::vector<int> &all) const {
  all.push_back(fd);
  for (const Client &client : clients)
    all.push_back(client.fd);
}

wire::Address MetricsPort::localAddress() const {
  sockaddr_storage system{};
  socklen_t length = sizeof system;
  getsockname(fd, reinterpret_cast<sockaddr *>(&system), &length);
  return wire::fromSystem(system);
}

/// False when the client is done with. After the answer it is read until it closes its end, as a
/// socket that is closed with unread bytes takes the answer away.
bool MetricsPort::progress(Client &client, const std::function<std::string()> &text) {
  char chunk[4096];
  ssize_t count;
  while ((count = recv(client.fd, chunk, sizeof chunk, MSG_DONTWAIT)) > 0)
    if (!client.answered && client.request.size() < MostRequestBytes)
      client.request.append(chunk, size_t(count));
  if (count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
    if (!client.answered || client.reply.empty())
      return false;
  if (!client.answered) {
    client.reply = replyTo(client.request, text);
    client.answered = !client.reply.empty();
  }
  while (!client.reply.empty()) {
    count = send(client.fd, client.reply.data(), client.reply.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count <= 0)
      return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    client.reply.erase(0, size_t(count));
    if (client.reply.empty())
      shutdown(client.fd, SHUT_WR);
  }
  return true;
}

void MetricsPort::serve(wire::Time now, const std::function<std::string()> &text) {
  while (clients.size() < MostClients) {
    const int accepted = accept4(fd, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (accepted < 0)
      break;
    clients.push_back({accepted, now, "", ""});
  }
  std::erase_if(clients, [&](Client &client) {
    const bool goesOn = progress(client, text) && now - client.since < Patience;
    if (!goesOn)
      close(client.fd);
    return !goesOn;
  });
}

} // namespace acis::acisd

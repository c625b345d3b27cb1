// The switch's control socket: a Unix stream socket that only its owner may use. A client
// sends a line of JSON, then `bytes` bytes if the line says so, and gets a line of JSON.
// docs/wire-handlers.md lists the commands.
#pragma once

#include "backend/support/Result.h"
#include "runtime/wire/Clock.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <vector>

namespace acis::acisd {

class ControlSocket {
public:
  static constexpr size_t MostBytes = 64 << 20; ///< of a command with what it carries
  static constexpr size_t MostLine = 64 << 10;
  static constexpr size_t MostClients = 8;
  static constexpr wire::Time Patience = 5 * wire::Second; ///< for a whole command

  using Command =
      std::function<nlohmann::json(const nlohmann::json &command, std::vector<uint8_t> content)>;

  /// Fails if something listens there already; a socket that nobody listens on is replaced.
  static Result<ControlSocket> listen(const std::string &path);
  ControlSocket(ControlSocket &&) noexcept;
  ControlSocket &operator=(ControlSocket &&) = delete;
  ~ControlSocket(); ///< removes the socket

  /// Takes what has come, without blocking, and answers commands that are complete.
  void serve(wire::Time now, const Command &execute);
  /// What to wait on.
  std::vector<int> descriptors() const;

private:
  struct Client {
    int fd;
    wire::Time since;
    std::vector<uint8_t> bytes;
  };
  ControlSocket(int fd, std::string path) : fd(fd), path(std::move(path)) {}
  bool progress(Client &client, const Command &execute);

  int fd;
  std::string path;
  std::vector<Client> clients;
};

/// {"error": "..."}
nlohmann::json controlError(const std::string &what);

} // namespace acis::acisd

// The switch's control: a Unix stream socket that only its owner may use, or a TCP port with
// mutual TLS. A client sends a line of JSON, then `bytes` bytes if the line says so, and gets a
// line of JSON. docs/wire-handlers.md lists the commands.
#pragma once

#include "backend/support/Result.h"
#include "runtime/switch/acisd/ControlRequest.h"
#include "runtime/switch/tls/Tls.h"
#include "runtime/switch/wire/Address.h"
#include "runtime/switch/wire/Clock.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <list>
#include <optional>
#include <string>
#include <vector>

namespace acis::acisd {

class ControlSocket {
public:
  static constexpr size_t MostClients = 8;
  static constexpr wire::Time Patience = 5 * wire::Second; ///< for a whole command

  using Command =
      std::function<nlohmann::json(const nlohmann::json &command, std::vector<uint8_t> content)>;

  /// Fails if something listens there already; a socket that nobody listens on is replaced.
  static Result<ControlSocket> listen(const std::string &path);
  /// Over TCP, for clients whose certificates an authority of `files` has signed. The process
  /// ignores SIGPIPE.
  static Result<ControlSocket> listenTls(const wire::Address &address, const tls::Files &files);
  ControlSocket(ControlSocket &&) noexcept;
  ControlSocket &operator=(ControlSocket &&) = delete;
  ~ControlSocket(); ///< removes the Unix socket

  /// Takes what has come, without blocking, and answers commands that are complete.
  void serve(wire::Time now, const Command &execute);
  /// Adds what to wait on.
  void descriptors(std::vector<int> &all) const;
  /// Of a TCP port.
  wire::Address localAddress() const;
  /// Clients that were sent away before they could say anything: no certificate, or a wrong one.
  uint64_t refused() const { return refusedClients; }

private:
  struct Client {
    int fd;
    wire::Time since;
    std::optional<tls::Stream> stream; ///< none on a Unix socket
    std::vector<uint8_t> bytes;        ///< of the command
    std::string reply;                 ///< what is not sent of it yet
    bool answered = false;
    bool refused = false; ///< is listened to no more, but may still read why
  };
  ControlSocket(int fd, std::string path) : fd(fd), path(std::move(path)) {}
  tls::Stream::Outcome read(Client &client, std::span<uint8_t> into, size_t &count);
  tls::Stream::Outcome write(Client &client, std::span<const uint8_t> from, size_t &count);
  bool progress(Client &client, const Command &execute);
  bool take(Client &client, const Command &execute);
  bool sendReply(Client &client);
  void understand(Client &client, bool ended, const Command &execute);

  int fd;
  std::string path; ///< of a Unix socket
  std::optional<tls::Context> context;
  std::list<Client> clients;
  uint64_t refusedClients = 0;
};

} // namespace acis::acisd

// Mutual TLS 1.3 over connected stream sockets, through OpenSSL: each end shows a certificate
// that the other one's authority has signed. For the control of switches from elsewhere.
#pragma once

#include "backend/support/Result.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace acis::tls {

/// PEM files: the own certificate with what leads up to the authority, its private key, and
/// the authorities whose certificates are taken from the other end.
struct Files {
  std::string certificate, key, authority;
};

enum class Role : uint8_t { Server, Client };

/// What all connections of one end share.
class Context {
public:
  /// Fails, naming the file, if one cannot be read or the key is not the certificate's.
  static Result<Context> make(Role role, const Files &files);
  Context(Context &&) noexcept;
  Context &operator=(Context &&) = delete;
  ~Context();

private:
  friend class Stream;
  struct State;
  explicit Context(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

/// One connection over a socket that its owner made and closes; the handshake happens with the
/// first bytes. Raises no signal.
class Stream {
public:
  /// A client names its peer, a host name or an IP address that the peer's certificate is for.
  Stream(const Context &context, int socket, const std::string &peer = "");
  Stream(Stream &&) noexcept;
  Stream &operator=(Stream &&) = delete;
  ~Stream(); ///< says good-bye if the other end may still listen

  enum class Outcome : uint8_t {
    Done,    ///< `count` bytes, at least one
    Waiting, ///< the socket does not block, and there is nothing to take or no room
    Ended,   ///< the other end said good-bye
    Failed,  ///< problem() says why
  };
  Outcome read(std::span<uint8_t> into, size_t &count);
  Outcome write(std::span<const uint8_t> from, size_t &count);
  /// Lower case, of a failure: "certificate has expired".
  const std::string &problem() const;

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace acis::tls

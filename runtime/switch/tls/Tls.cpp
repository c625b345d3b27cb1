#include "runtime/switch/tls/Tls.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <sys/socket.h>

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

namespace acis::tls {

namespace {

/// The reason of OpenSSL's last error, in lower case; empties its queue.
std::string lastReason() {
  const unsigned long code = ERR_peek_last_error();
  const char *reason = code != 0 ? ERR_reason_error_string(code) : nullptr;
  std::string text = reason ? reason : errno != 0 ? std::strerror(errno) : "unknown";
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  ERR_clear_error();
  return text;
}

int socketOf(BIO *bio) { return int(intptr_t(BIO_get_data(bio))); }

int receiveFrom(BIO *bio, char *into, int size) {
  BIO_clear_retry_flags(bio);
  const auto got = int(recv(socketOf(bio), into, size_t(size), 0));
  if (got < 0 && BIO_sock_non_fatal_error(errno))
    BIO_set_retry_read(bio);
  if (got == 0)
    BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
  return got;
}

int sendTo(BIO *bio, const char *bytes, int size) {
  BIO_clear_retry_flags(bio);
  const auto sent = int(send(socketOf(bio), bytes, size_t(size), MSG_NOSIGNAL));
  if (sent < 0 && BIO_sock_non_fatal_error(errno))
    BIO_set_retry_write(bio);
  return sent;
}

/// A socket without SIGPIPE when the other end has gone: a program that uses a library need not
/// know of its connections. OpenSSL's own writes as to a file.
BIO_METHOD *quietSocket() {
  static BIO_METHOD *const method = [] {
    BIO_METHOD *made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "quiet socket");
    BIO_meth_set_read(made, receiveFrom);
    BIO_meth_set_write(made, sendTo);
    BIO_meth_set_ctrl(made, [](BIO *bio, int command, long, void *) -> long {
      if (command == BIO_CTRL_EOF)
        return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0;
      return command == BIO_CTRL_FLUSH; // nothing is kept back
    });
    return made;
  }();
  return method;
}

bool attach(SSL *ssl, int socket) {
  BIO *bio = BIO_new(quietSocket());
  if (!bio)
    return false;
  BIO_set_data(bio, reinterpret_cast<void *>(intptr_t(socket)));
  BIO_set_init(bio, 1);
  SSL_set_bio(ssl, bio, bio); // takes it
  return true;
}

} // namespace

struct Context::State {
  SSL_CTX *context = nullptr;
  Role role = Role::Client;
  ~State() { SSL_CTX_free(context); }
};

Context::Context(std::unique_ptr<State> state) : state(std::move(state)) {}
Context::Context(Context &&) noexcept = default;
Context::~Context() = default;

Result<Context> Context::make(Role role, const Files &files) {
  ERR_clear_error();
  auto made = std::make_unique<State>();
  made->role = role;
  made->context = SSL_CTX_new(role == Role::Server ? TLS_server_method() : TLS_client_method());
  if (!made->context)
    return Error{"", "no TLS: " + lastReason()};
  SSL_CTX *context = made->context;
  SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(context, 0); // every connection shows its certificate
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  if (SSL_CTX_use_certificate_chain_file(context, files.certificate.c_str()) != 1)
    return Error{files.certificate, "is no certificate in PEM: " + lastReason()};
  if (SSL_CTX_use_PrivateKey_file(context, files.key.c_str(), SSL_FILETYPE_PEM) != 1)
    return Error{files.key,
                 "is no private key in PEM of " + files.certificate + ": " + lastReason()};
  if (SSL_CTX_load_verify_locations(context, files.authority.c_str(), nullptr) != 1)
    return Error{files.authority, "has no certificates of authorities in PEM: " + lastReason()};
  if (role == Role::Server)
    if (STACK_OF(X509_NAME) *names = SSL_load_client_CA_file(files.authority.c_str()))
      SSL_CTX_set_client_CA_list(context, names);
  return Context(std::move(made));
}

struct Stream::State {
  SSL *ssl = nullptr;
  bool usable = true; ///< nothing has failed: a good-bye makes sense
  std::string problem;
  ~State() { SSL_free(ssl); }

  Outcome outcome(int result) {
    switch (SSL_get_error(ssl, result)) {
    case SSL_ERROR_NONE:
      return Outcome::Done;
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE:
      return Outcome::Waiting;
    case SSL_ERROR_ZERO_RETURN:
      return Outcome::Ended;
    default:
      break;
    }
    usable = false;
    if (const long verified = SSL_get_verify_result(ssl); verified != X509_V_OK) {
      problem = std::string("the other end's certificate is refused: ") +
                X509_verify_cert_error_string(verified);
      ERR_clear_error();
    } else {
      problem = lastReason();
    }
    return Outcome::Failed;
  }
};

Stream::Stream(const Context &context, int socket, const std::string &peer)
    : state(std::make_unique<State>()) {
  state->ssl = SSL_new(context.state->context);
  SSL *ssl = state->ssl;
  if (!ssl || !attach(ssl, socket)) {
    state->usable = false;
    return;
  }
  if (context.state->role == Role::Server) {
    SSL_set_accept_state(ssl);
    return;
  }
  X509_VERIFY_PARAM *check = SSL_get0_param(ssl);
  if (X509_VERIFY_PARAM_set1_ip_asc(check, peer.c_str()) != 1) {
    ERR_clear_error();
    state->usable = X509_VERIFY_PARAM_set1_host(check, peer.c_str(), peer.size()) == 1 &&
                    SSL_set_tlsext_host_name(ssl, peer.c_str()) == 1;
  }
  SSL_set_connect_state(ssl);
}

Stream::Stream(Stream &&) noexcept = default;

Stream::~Stream() {
  if (state && state->usable)
    SSL_shutdown(state->ssl);
  ERR_clear_error();
}

const std::string &Stream::problem() const { return state->problem; }

Stream::Outcome Stream::read(std::span<uint8_t> into, size_t &count) {
  count = 0;
  if (!state->usable)
    return Outcome::Failed;
  ERR_clear_error();
  errno = 0;
  return state->outcome(SSL_read_ex(state->ssl, into.data(), into.size(), &count));
}

Stream::Outcome Stream::write(std::span<const uint8_t> from, size_t &count) {
  count = 0;
  if (!state->usable)
    return Outcome::Failed;
  ERR_clear_error();
  errno = 0;
  return state->outcome(SSL_write_ex(state->ssl, from.data(), from.size(), &count));
}

} // namespace acis::tls

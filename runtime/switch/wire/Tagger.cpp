#include "runtime/switch/wire/Tagger.h"

#include "runtime/io/Bytes.h"
#include "runtime/switch/wire/Checksum.h"

#include <algorithm>
#include <string_view>

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/params.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace acis::wire {

namespace {

constexpr size_t headBytes = HeaderBytes - TagBytes;

/// A MAC of OpenSSL under one key, ready for message after message.
class Mac {
public:
  Mac(const char *name, std::span<const uint8_t> key, size_t size)
      : key(key.begin(), key.end()), size(size) {
    EVP_MAC *mac = EVP_MAC_fetch(nullptr, name, nullptr);
    context = EVP_MAC_CTX_new(mac);
    EVP_MAC_free(mac);
    const OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t("size", &size),
                                 OSSL_PARAM_construct_end()};
    EVP_MAC_CTX_set_params(context, params);
  }
  Mac(const Mac &) = delete;
  Mac &operator=(const Mac &) = delete;
  ~Mac() { EVP_MAC_CTX_free(context); }

  void of(std::span<const uint8_t> bytes, uint8_t *out) const {
    size_t got = 0;
    EVP_MAC_init(context, key.data(), key.size(), nullptr);
    EVP_MAC_update(context, bytes.data(), bytes.size());
    EVP_MAC_final(context, out, &got, size);
  }

private:
  std::vector<uint8_t> key;
  size_t size;
  EVP_MAC_CTX *context = nullptr;
};

/// A key of its own for each use.
std::vector<uint8_t> subkey(const Key &key, std::string_view use, size_t bytes) {
  const std::vector<uint8_t> label = io::Writer().text(use).take();
  uint8_t digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  HMAC(EVP_sha256(), key.data(), int(key.size()), label.data(), label.size(), digest, &size);
  return {digest, digest + std::min<size_t>(bytes, size)};
}

} // namespace

struct Tagger::Keyed {
  Mac header, payload;
  explicit Keyed(const Key &key)
      : header("SIPHASH", subkey(key, "acis header tag", 16), TagBytes),
        payload("POLY1305", subkey(key, "acis payload digest", 32), sizeof(Digest)) {}
};

Tagger::Tagger(const std::optional<Key> &key) {
  if (key)
    keyed = std::make_unique<Keyed>(*key);
}

Tagger::Tagger(Tagger &&) = default;
Tagger &Tagger::operator=(Tagger &&) = default;
Tagger::~Tagger() = default;

uint64_t Tagger::of(std::span<const uint8_t> bytes) const {
  if (!keyed)
    return XXH3_64bits(bytes.data(), bytes.size());
  uint8_t tag[TagBytes];
  keyed->header.of(bytes, tag);
  return io::load<uint64_t>(tag);
}

Digest Tagger::digest(std::span<const uint8_t> payload) const {
  Digest out{};
  if (payload.size() <= ShortPayload)
    return out;
  if (keyed) {
    keyed->payload.of(payload, out.data());
  } else {
    const Checksum sum = checksum(payload.data(), payload.size());
    io::store(out.data(), sum.low);
    io::store(out.data() + 8, sum.high);
  }
  return out;
}

/// `digest`: of the payload, unless that is short.
uint64_t Tagger::tagOf(std::span<const uint8_t> header, std::span<const uint8_t> payload,
                       const Digest &digest) const {
  uint8_t text[headBytes + ShortPayload];
  const size_t head = size_t(std::copy_n(header.begin(), headBytes, text) - text);
  if (payload.size() <= ShortPayload)
    return of({text, std::copy(payload.begin(), payload.end(), text + head)});
  return of({text, std::copy(digest.begin(), digest.end(), text + head)});
}

void Tagger::seal(std::span<uint8_t> datagram) const {
  seal(datagram, digest(datagram.subspan(HeaderBytes)));
}

void Tagger::seal(std::span<uint8_t> datagram, const Digest &payload) const {
  seal(datagram.first(HeaderBytes), datagram.subspan(HeaderBytes), payload);
}

void Tagger::seal(std::span<uint8_t> header, std::span<const uint8_t> payload,
                  const Digest &digest) const {
  io::store(header.data() + headBytes, tagOf(header, payload, digest));
}

bool Tagger::verify(std::span<const uint8_t> header, std::span<const uint8_t> payload,
                    Digest *out) const {
  const Digest own = digest(payload);
  if (out)
    *out = own;
  return tagOf(header, payload, own) == io::load<uint64_t>(header.data() + headBytes);
}

} // namespace acis::wire

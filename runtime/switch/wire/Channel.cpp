#include "runtime/switch/wire/Channel.h"

#include "runtime/io/Bytes.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

namespace acis::wire {

Result<std::optional<Key>> parseKey(std::string_view text) {
  if (text.empty())
    return std::optional<Key>();
  Key key{};
  bool good = text.size() == 2 * key.size();
  for (size_t i = 0; good && i < text.size(); ++i) {
    const char c = text[i];
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    good = digit >= 0;
    key[i / 2] = uint8_t(key[i / 2] << 4 | (digit & 15));
  }
  if (!good)
    return Error{"", "key has " + std::to_string(text.size()) +
                         " characters or others than 0-9 and a-f; expected 32 hexadecimal digits"};
  return std::optional<Key>(key);
}

Result<Key> readKeyFile(const std::string &path) {
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file)
    return Error{path, "cannot be read; it should hold a key of 32 hexadecimal digits"};
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
    text.pop_back();
  const Result<std::optional<Key>> key = parseKey(text);
  if (!key)
    return Error{path, key.error().what};
  if (!*key)
    return Error{path, "is empty; expected 32 hexadecimal digits"};
  return **key;
}

Key jobKey(const Key &master, uint32_t job) {
  const std::vector<uint8_t> label = io::Writer().text("acis job key").put(job).take();
  uint8_t digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  HMAC(EVP_sha256(), master.data(), int(master.size()), label.data(), label.size(), digest, &size);
  Key key{};
  std::copy_n(digest, key.size(), key.begin());
  return key;
}

std::string keyText(const Key &key) {
  std::string text;
  for (uint8_t byte : key)
    for (int digit : {byte >> 4, byte & 15})
      text += "0123456789abcdef"[digit];
  return text;
}

uint64_t randomBits() {
  uint64_t bits = 0;
  RAND_bytes(reinterpret_cast<unsigned char *>(&bits), sizeof bits);
  return bits;
}

bool ReplayWindow::accept(uint64_t number) {
  if (!isNew(number))
    return false;
  if (number > highest) {
    if (number - highest >= Size)
      seen.fill(false);
    else
      for (uint64_t n = highest + 1; n < number; ++n)
        seen[n % Size] = false;
    highest = number;
  }
  seen[number % Size] = true;
  return true;
}

void Channel::fill(Header &header, size_t payload) {
  header.job = jobNumber;
  header.session = sessionNumber;
  header.number = ++lastNumber;
  header.length = uint32_t(payload);
  if (side == Side::Parent)
    header.flags |= flag::FromParent;
}

std::span<const uint8_t> Channel::sealHeader(Header header, std::span<const uint8_t> payload,
                                             std::span<uint8_t> out, const Digest *known) {
  fill(header, payload.size());
  encode(header, out);
  tagger.seal(out, payload, known ? *known : tagger.digest(payload));
  return out;
}

std::span<const uint8_t> Channel::seal(Header header, std::span<const uint8_t> payload,
                                       std::span<uint8_t> out, const Digest *known) {
  fill(header, payload.size());
  encode(header, out);
  if (!payload.empty())
    std::memcpy(out.data() + HeaderBytes, payload.data(), payload.size());
  if (known)
    tagger.seal(out, *known);
  else
    tagger.seal(out);
  return out;
}

bool Channel::open(const Header &header, std::span<const uint8_t> head,
                   std::span<const uint8_t> payload, Digest *digest) {
  const bool fromParent = header.flags & flag::FromParent;
  if (header.job != jobNumber || header.session != sessionNumber ||
      fromParent != (side == Side::Child) || !replay.isNew(header.number) ||
      !tagger.verify(head, payload, digest))
    return false;
  return replay.accept(header.number);
}

} // namespace acis::wire

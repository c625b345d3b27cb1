// One way of the checksum, included once where ACIS_CHECKSUM_WAY is its name and the compiler's
// options say which instructions it may use. Only what is static may be defined beside it: of
// several definitions of anything else the linker takes one, whatever machine that needs.
#include "runtime/switch/wire/Checksum.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

acis::wire::Checksum acis::wire::detail::ACIS_CHECKSUM_WAY(const void *bytes, size_t size) {
  const XXH128_hash_t hash = XXH3_128bits(bytes, size);
  return {hash.low64, hash.high64};
}

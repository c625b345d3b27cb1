/* 32 rounds of a Feistel cipher that adds, shifts and takes its key by data.
 *
 * in: uint32[2] any
 * mem: uint32[4] any
 * packets: 3
 * expect: maps
 * expect[u280-250mhz]: refused loop not mapped: initiation interval would be at least
 */
// RUN: %kernel %s
#include <acis.h>

ACIS_HANDLER void xtea(const uint32_t *restrict in, uint32_t *restrict out,
                       const uint32_t *restrict mem, uint32_t *len) {
  uint32_t key[4], v0 = in[0], v1 = in[1], sum = 0;
  for (int i = 0; i < 4; i++)
    key[i] = mem[i];
  for (int i = 0; i < 32; i++) {
    v0 += ((v1 << 4 ^ v1 >> 5) + v1) ^ (sum + key[sum & 3]);
    sum += 0x9e3779b9;
    v1 += ((v0 << 4 ^ v0 >> 5) + v0) ^ (sum + key[sum >> 11 & 3]);
  }
  out[0] = v0;
  out[1] = v1;
}

/* <arpa/inet.h>: numbers between the order of the network and that of the overlay. */
#ifndef ACIS_ARPA_INET_H
#define ACIS_ARPA_INET_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
static inline uint16_t htons(uint16_t x) { return __builtin_bswap16(x); }
static inline uint16_t ntohs(uint16_t x) { return __builtin_bswap16(x); }
static inline uint32_t htonl(uint32_t x) { return __builtin_bswap32(x); }
static inline uint32_t ntohl(uint32_t x) { return __builtin_bswap32(x); }
#ifdef __cplusplus
}
#endif
#endif

// See Checksum.h. Compiled for machines with AVX-512.
#define ACIS_CHECKSUM_WAY checksumAvx512
#include "runtime/switch/wire/ChecksumWay.h"

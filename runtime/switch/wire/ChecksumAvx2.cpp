// See Checksum.h. Compiled for machines with AVX2.
#define ACIS_CHECKSUM_WAY checksumAvx2
#include "runtime/switch/wire/ChecksumWay.h"

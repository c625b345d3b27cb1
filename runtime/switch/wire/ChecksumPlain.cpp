// See Checksum.h.
#define ACIS_CHECKSUM_WAY checksumPlain
#include "runtime/switch/wire/ChecksumWay.h"

// A handler as the instruction loader of the hardware reads it from memory: the writes of
// deviceTables() in a row, with a head that says for which hardware they are.
//
// Little-endian words of 32 bits. Head: magic and version
// (docs/isa.md, Numbers), hardwareFingerprint() low and high, words of the image, CRC-32 (IEEE
// 802.3) of all words with this one taken as 0, words of code, entry, first context, contexts,
// bytes of off-chip memory that the handler needs, sections, four zeros. A section: address of its
// first entry (table << 28 | PE << 20 | index, as in runtime/hardware/rtl/top/acis_core.sv),
// entries, words of an entry (1..16), the entries.
#pragma once

#include "backend/isa/Numbers.h"
#include "runtime/hardware/verilated/Tables.h"

namespace acis::rtl {

/// The words of `handler`, at an address of memory that is a multiple of 4096. Fails as
/// deviceTables() does.
Result<std::vector<uint32_t>> deviceImage(const Image &image, const Handler &handler,
                                          const Overlay &overlay);

/// Writes length and checksum of an image anew.
void sealDeviceImage(std::vector<uint32_t> &words);

} // namespace acis::rtl

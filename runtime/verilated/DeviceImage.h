// A handler as the instruction loader of the hardware reads it from memory: the writes of
// deviceTables() in a row, with a head that says for which hardware they are.
//
// Little-endian words of 32 bits. Head: magic "ACiL", version 2, hardwareFingerprint() low and
// high, words of the image, CRC-32 (IEEE 802.3) of all words with this one taken as 0, words of
// code, entry, first context, contexts, bytes of off-chip memory that the handler needs, sections,
// four zeros. A section: address of its first entry (table << 28 | PE << 20 | index, as in
// runtime/rtl/top/acis_core.sv), entries, words of an entry (1..16), the entries.
#pragma once

#include "runtime/verilated/Tables.h"

namespace acis::rtl {

inline constexpr uint32_t DeviceImageMagic = 0x4c694341, DeviceImageVersion = 3;
inline constexpr unsigned DeviceImageHead = 16; ///< words

/// The words of `handler`, at an address of memory that is a multiple of 4096. Fails as
/// deviceTables() does.
Result<std::vector<uint32_t>> deviceImage(const Image &image, const Handler &handler,
                                          const Overlay &overlay);

/// Writes length and checksum of an image anew.
void sealDeviceImage(std::vector<uint32_t> &words);

} // namespace acis::rtl

// Overlay::parse() on any text: an overlay that holds together, or an error that says
// where.
#include "backend/overlay/Overlay.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  acis::Result<acis::Overlay> overlay = acis::Overlay::parse(text, "f");
  if (!overlay) {
    if (overlay.error().where.empty() || overlay.error().what.empty())
      std::abort();
    return 0;
  }
  if (overlay->pes.size() != overlay->numPes() || overlay->vregBeats() == 0)
    std::abort();
  (void)overlay->fingerprint();
  return 0;
}

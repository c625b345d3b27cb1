// How a pass gets its overlay: from its creator, or from the file that its option names.
#pragma once

#include "backend/overlay/Overlay.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/LogicalResult.h"

#include <memory>
#include <string>

namespace acis::dfg {

class OverlaySource {
public:
  void set(const Overlay &given) { overlay = &given; }

  /// Null after an error at `loc`.
  const Overlay *get(const std::string &file, mlir::Location loc) {
    if (overlay)
      return overlay;
    if (file.empty()) {
      mlir::emitError(loc) << "the pass has no overlay; give overlay=<file.json>";
      return nullptr;
    }
    Result<Overlay> read = Overlay::load(file);
    if (!read) {
      mlir::emitError(loc) << read.error().str();
      return nullptr;
    }
    loaded = std::make_shared<Overlay>(std::move(*read));
    overlay = loaded.get();
    return overlay;
  }

private:
  const Overlay *overlay = nullptr;
  std::shared_ptr<Overlay> loaded; ///< shared, because passes are copied
};

/// A pass of PassBase, with the option `overlay`, that needs one.
template <typename PassBase> class OverlayPass : public PassBase {
public:
  using PassBase::PassBase;
  /// It has to live as long.
  void useOverlay(const Overlay &given) { source.set(given); }

private:
  virtual mlir::LogicalResult runWith(const Overlay &overlay) = 0;

  void runOnOperation() final {
    const Overlay *overlay = source.get(this->overlayFile, this->getOperation().getLoc());
    if (!overlay || failed(runWith(*overlay)))
      this->signalPassFailure();
  }

  OverlaySource source;
};

template <typename PassT, typename... Options>
std::unique_ptr<PassT> createWith(const Overlay &overlay, Options... options) {
  auto pass = std::make_unique<PassT>(std::move(options)...);
  pass->useOverlay(overlay);
  return pass;
}

} // namespace acis::dfg

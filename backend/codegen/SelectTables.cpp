// Initial values of arrays as content of the register files.
#include "backend/codegen/SelectInternal.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace acis::codegen {
namespace {

/// Containers of `laneBits` bits, narrower elements with zeros above them; zeros at the
/// end are left out, since register files are zero at load.
std::vector<uint8_t> contentOf(mlir::DenseElementsAttr values, size_t first, size_t count,
                               unsigned laneBits) {
  std::vector<uint8_t> bytes;
  bytes.reserve(count * laneBits / 8);
  auto append = [&](const llvm::APInt &bits) {
    for (unsigned at = 0; at < laneBits; at += 8)
      bytes.push_back(at < bits.getBitWidth() ? uint8_t(bits.extractBitsAsZExtValue(8, at)) : 0);
  };
  if (llvm::isa<mlir::FloatType>(values.getElementType())) {
    auto all = values.getValues<llvm::APFloat>();
    for (size_t i = first; i < first + count; ++i)
      append(all[i].bitcastToAPInt());
  } else {
    auto all = values.getValues<llvm::APInt>();
    for (size_t i = first; i < first + count; ++i)
      append(all[i]);
  }
  while (!bytes.empty() && bytes.back() == 0)
    bytes.pop_back();
  bytes.resize((bytes.size() + 3) / 4 * 4);
  return bytes;
}

} // namespace

void addTables(dfg::ArrayOp array, const ArrayPlace &place, unsigned handler,
               const Overlay &overlay, std::vector<MTable> &tables) {
  auto values = llvm::dyn_cast_if_present<mlir::DenseElementsAttr>(array.getInitialAttr());
  if (!values)
    return;
  unsigned laneBits = overlay.lanes * 32 / place.vf;
  unsigned slices = place.perVpe ? array.getShape()[0] : 1;
  for (unsigned slice = 0; slice < slices; ++slice) {
    MTable table;
    table.name = array.getSymName().str();
    table.handler = handler;
    table.pe = place.perVpe ? slice : place.pe;
    table.beat = place.vreg * overlay.vregBeats();
    table.bytes =
        contentOf(values, size_t(slice) * size_t(place.elements), size_t(place.elements), laneBits);
    if (!table.bytes.empty())
      tables.push_back(std::move(table));
  }
}

} // namespace acis::codegen

// See Padding.h. Local numbers and pointers are values; records are as Clang made them, since the
// types of addresses say which members they have.
#include "passes/llvm/objects/Padding.h"

#include "passes/llvm/windows/Streams.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace acis {
namespace {

/// So many bytes from an address on.
struct Written {
  Value *pointer = nullptr;
  uint64_t bytes = 0;
};

std::optional<Written> writtenBy(Instruction &inst, const DataLayout &data) {
  if (auto *store = dyn_cast<StoreInst>(&inst))
    return Written{store->getPointerOperand(),
                   data.getTypeStoreSize(store->getValueOperand()->getType())};
  auto *fill = dyn_cast<MemIntrinsic>(&inst);
  auto *length = fill ? dyn_cast<ConstantInt>(fill->getLength()) : nullptr;
  return length ? std::optional(Written{fill->getRawDest(), length->getZExtValue()}) : std::nullopt;
}

/// Bytes of padding behind a member of a record that ends at a byte of it; 0 where none does.
uint64_t gapAt(StructType &record, uint64_t end, const DataLayout &data) {
  const StructLayout &layout = *data.getStructLayout(&record);
  if (end == 0 || end > layout.getSizeInBytes())
    return 0;
  const unsigned member = layout.getElementContainingOffset(end - 1);
  const uint64_t memberEnd = layout.getElementOffset(member).getFixedValue() +
                             data.getTypeAllocSize(record.getElementType(member));
  const uint64_t next = member + 1 < record.getNumElements()
                            ? layout.getElementOffset(member + 1).getFixedValue()
                            : layout.getSizeInBytes();
  return memberEnd == end ? next - end : 0;
}

/// Bytes of padding behind what is written, of all the records that it is in.
uint64_t paddingBehind(const Written &written, const DataLayout &data) {
  uint64_t end = written.bytes, padding = 0; // `end`: in what the address so far leads to
  for (auto *address = dyn_cast<GEPOperator>(written.pointer); address;
       address = dyn_cast<GEPOperator>(address->getPointerOperand())) {
    SmallVector<std::pair<StructType *, uint64_t>, 4> way; // record or null, and where in it
    for (auto step = gep_type_begin(address), last = gep_type_end(address); step != last; ++step) {
      auto *index = dyn_cast<ConstantInt>(step.getOperand());
      StructType *record = step.getStructTypeOrNull();
      if (!index || (way.empty() && !index->isZero()))
        way.assign(1, {nullptr, UINT64_MAX}); // further out nothing is known
      else if (record)
        way.push_back({record, data.getStructLayout(record)->getElementOffset(
                                   unsigned(index->getZExtValue()))});
      else
        way.push_back({nullptr, index->getZExtValue() * step.getSequentialElementStride(data)});
    }
    for (auto [record, offset] : reverse(way)) {
      if (offset == UINT64_MAX)
        return padding;
      end += offset;
      const uint64_t gap = record ? gapAt(*record, end, data) : 0;
      end += gap;
      padding += gap;
    }
  }
  return padding;
}

/// Whether constants alone say where in a variable each access is: SROA will make values of it.
bool isAccessedByConstants(const AllocaInst &variable) {
  SmallVector<const Value *, 8> work{&variable};
  while (!work.empty())
    for (const User *user : work.pop_back_val()->users())
      if (auto *address = dyn_cast<GEPOperator>(user)) {
        if (!address->hasAllConstantIndices())
          return false;
        work.push_back(address);
      }
  return true;
}

class PaddingWriter {
public:
  explicit PaddingWriter(Function &handler) : handler(handler), data(handler.getDataLayout()) {}

  bool run() {
    findSent();
    SmallVector<Instruction *, 16> insts;
    for (Instruction &inst : instructions(handler))
      insts.push_back(&inst);
    bool isChanged = false;
    for (Instruction *inst : insts)
      if (const std::optional<Written> written = writtenBy(*inst, data);
          written && isSent(*written->pointer))
        isChanged |= fill(*inst, *written, paddingBehind(*written, data));
    return isChanged;
  }

private:
  /// Local records that are copied to the output, or to one that is.
  void findSent() {
    for (size_t known = SIZE_MAX; known != sent.size();) {
      known = sent.size();
      for (Instruction &inst : instructions(handler)) {
        auto *copy = dyn_cast<MemTransferInst>(&inst);
        auto *from =
            copy ? dyn_cast<AllocaInst>(getUnderlyingObject(copy->getRawSource())) : nullptr;
        if (from && from->getAllocatedType()->isStructTy() && isAccessedByConstants(*from) &&
            isSent(*copy->getRawDest()))
          sent.insert(from);
      }
    }
  }

  bool isSent(const Value &pointer) const {
    return isOutputPointer(&pointer) || sent.contains(getUnderlyingObject(&pointer));
  }

  bool fill(Instruction &inst, const Written &written, uint64_t padding) {
    IRBuilder<> builder(inst.getNextNode());
    builder.SetCurrentDebugLocation(inst.getDebugLoc());
    bool isChanged = false;
    for (uint64_t byte = written.bytes; byte < written.bytes + padding; ++byte)
      if (!isBehindLength(*written.pointer, byte)) {
        builder.CreateStore(builder.getInt8(0), builder.CreateConstInBoundsGEP1_64(
                                                    builder.getInt8Ty(), written.pointer, byte));
        isChanged = true;
      }
    return isChanged;
  }

  /// Whether a byte of the output is behind all that the handler sets the length to.
  bool isBehindLength(const Value &address, uint64_t byte) const {
    APInt offset(data.getIndexTypeSizeInBits(address.getType()), byte);
    if (address.stripAndAccumulateConstantOffsets(data, offset, /*AllowNonInbounds=*/true) !=
        handler.getArg(OutParameter))
      return false;
    bool isSet = false;
    for (const User *user : handler.getArg(LenParameter)->users())
      if (auto *store = dyn_cast<StoreInst>(user)) {
        auto *length = dyn_cast<ConstantInt>(store->getValueOperand());
        if (!length || length->getValue().ugt(offset.getZExtValue()))
          return false;
        isSet = true;
      }
    return isSet;
  }

  Function &handler;
  const DataLayout &data;
  SmallPtrSet<const Value *, 8> sent;
};

} // namespace

bool writePadding(Function &handler) { return PaddingWriter(handler).run(); }

} // namespace acis

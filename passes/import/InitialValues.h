// The content of an array at load, as an attribute of the dialect.
#pragma once

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Constant;
} // namespace llvm

namespace acis::import {

/// The elements of `initial`, an array (of arrays) of the sizes `shape`, row by row; what C
/// leaves undefined is 0.
mlir::ElementsAttr initialValues(const llvm::Constant &initial, mlir::Type element,
                                 llvm::ArrayRef<int64_t> shape);

} // namespace acis::import

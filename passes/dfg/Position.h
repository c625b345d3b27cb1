// The affine position of an access, as a value: a constant and a sum of products.
#pragma once

#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/Value.h"

namespace acis::dfg {

/// scale * a, or scale * a * b when b is set.
struct Term {
  int64_t scale = 1;
  mlir::Value a, b;
};

struct Position {
  int64_t offset = 0;
  llvm::SmallVector<Term, 4> terms;

  /// Folds constants, adds up terms with the same factors and drops zeros.
  void simplify();
  /// The constant c of the terms c * index; the others are left alone.
  int64_t coefficient(mlir::Value index) const;
  /// A term that multiplies `index` with another value, or null.
  const Term *productWith(mlir::Value index) const;
  /// Removes the terms c * index.
  void remove(mlir::Value index);
  /// Replaces `index` by `scale` * value + `offset` everywhere (value null: a constant).
  void substitute(mlir::Value index, mlir::Value value, int64_t scale, int64_t offset);
  /// Equal offset and terms; both simplified.
  bool operator==(const Position &other) const;
  /// Equal terms; the offsets may differ.
  bool sameTerms(const Position &other) const;
};

/// The operands and attributes that an op keeps a position in.
struct PositionParts {
  llvm::SmallVector<mlir::Value, 4> terms;
  llvm::SmallVector<int64_t, 4> scales;
  llvm::SmallVector<int32_t, 4> arity;
};
PositionParts splitPosition(const Position &position);
Position readPosition(mlir::ValueRange terms, int64_t offset, llvm::ArrayRef<int64_t> scales,
                      llvm::ArrayRef<int32_t> arity);

// Text form, as in [%i * 64 + %p * %rows * 4 + %pos + 16].
mlir::ParseResult parsePosition(mlir::OpAsmParser &parser,
                                llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &terms,
                                mlir::IntegerAttr &offset, mlir::DenseI64ArrayAttr &scales,
                                mlir::DenseI32ArrayAttr &arity);
void printPosition(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::OperandRange terms,
                   mlir::IntegerAttr offset, mlir::DenseI64ArrayAttr scales,
                   mlir::DenseI32ArrayAttr arity);

// The VPE of an access: nothing, or vpe(%p), vpe(%p + 1), vpe(3).
mlir::ParseResult parseVpe(mlir::OpAsmParser &parser,
                           std::optional<mlir::OpAsmParser::UnresolvedOperand> &vpe,
                           mlir::IntegerAttr &offset);
void printVpe(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Value vpe,
              mlir::IntegerAttr offset);

} // namespace acis::dfg

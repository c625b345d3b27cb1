// Accesses of a nest as operations of the dialect.
#pragma once

#include "passes/import/EmitValues.h"

namespace acis::import {

class AccessEmitter {
public:
  /// Adds the arrays that are accessed to the handler of `nest`.
  AccessEmitter(const NestPlan &plan, dfg::NestOp nest, ValueEmitter &values,
                llvm::ScalarEvolution &evolution);

  void emit(const PlannedAccess &planned);

private:
  /// The place of an access, in the parts that operations have it in.
  struct Place {
    dfg::PositionParts parts;
    int64_t offset = 0;
    // Arrays only
    dfg::ArrayOp array;
    mlir::Value vpe, index;
    mlir::IntegerAttr vpeOffset, indexScale;
  };
  Place placeOf(const PlannedAccess &planned);
  void addElement(const PlannedAccess &planned, Place &place, mlir::Location loc);
  void markPart(const PlannedAccess &planned, mlir::Operation *access);
  dfg::Position positionOf(const PlannedAccess &planned);
  dfg::ArrayOp arrayOf(const Object &object);
  void readArray(const PlannedAccess &planned, Place &at, mlir::Location loc);
  template <typename OpT>
  void read(const PlannedAccess &planned, const Place &at, mlir::Location loc);
  void write(const PlannedAccess &planned, Place &at, mlir::Location loc);

  const NestPlan &plan;
  const std::vector<unsigned> parts; ///< by access
  dfg::NestOp nest;
  ValueEmitter &values;
  llvm::ScalarEvolution &evolution;
};

} // namespace acis::import

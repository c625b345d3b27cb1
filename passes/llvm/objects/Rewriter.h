// Writes what uses a table for the arrays that its columns are.
#pragma once

#include "passes/llvm/objects/Emitter.h"
#include "passes/llvm/objects/Table.h"

#include "llvm/IR/InstrTypes.h"

namespace llvm {
class MemIntrinsic;
class MemSetInst;
class MemTransferInst;
} // namespace llvm

namespace acis {

class Rewriter {
public:
  explicit Rewriter(Table &table);

  /// The objects, and pointers to them, are gone then; an object that is its
  /// own column stays.
  void run();

private:
  void makeColumns();
  llvm::Constant *initialValues(const Column &column) const;
  void rewrite(llvm::Instruction &user);
  void rewriteComparison(llvm::ICmpInst &compare);
  void rewriteDifference(llvm::BinaryOperator &difference);
  void rewriteAccess(llvm::Instruction &access, llvm::Value &pointer);
  void rewriteSet(llvm::MemSetInst &set);
  void rewriteCopy(llvm::MemTransferInst &copy);
  void copyWithin(llvm::IRBuilder<> &builder, llvm::MemTransferInst &copy, const Run &to,
                  const Run &from, llvm::Value *records);
  void copyNumbers(llvm::IRBuilder<> &builder, llvm::Value *to, llvm::Value *from, const Run &run);
  void copyFromTable(llvm::IRBuilder<> &builder, llvm::MemTransferInst &copy,
                     llvm::GlobalVariable &values, uint64_t at);
  void copyRecords(llvm::MemTransferInst &copy);
  void copyRecord(llvm::IRBuilder<> &builder, llvm::MemTransferInst &copy, uint64_t bytes,
                  llvm::Value *ahead);
  bool isOfNumbers(llvm::MemIntrinsic &call);
  llvm::Value *recordsOf(llvm::IRBuilder<> &builder, llvm::MemIntrinsic &call,
                         llvm::Value &pointer);
  void erase();

  bool isOurs(llvm::Value *pointer) { return places.of(*pointer).has_value(); }
  const Column &columnOf(const Run &run) const { return table.columns()[run.column]; }
  llvm::Type *typeOf(const Run &run) const { return columnOf(run).number().number; }
  uint64_t bytesOf(const Run &run) const { return run.count * columnOf(run).number().stride; }
  llvm::SmallVector<Run, 8> runsAt(llvm::Value &pointer, uint64_t bytes);

  /// Where a run starts whose range starts at a pointer, or `ahead` elements
  /// behind it.
  llvm::Value *placeOf(llvm::IRBuilder<> &builder, llvm::Value &pointer, const Run &run,
                       llvm::Value *ahead = nullptr);

  Table &table;
  Places &places;
  const llvm::DataLayout &data;
  llvm::Type *numberType;
  Emitter emitter;
  llvm::SmallVector<llvm::Value *, 8> arrays; ///< one for each column
};

} // namespace acis

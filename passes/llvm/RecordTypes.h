// The types of records and of arrays of records, and their initial values.
#pragma once

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalVariable.h"

namespace acis {

/// What an array, or an array of arrays, has as its elements. A structure of one member, as
/// std::array is, is that member.
llvm::Type *elementOf(llvm::Type *type);

/// The record that these are; null if they are none. A structure without a name is none of the
/// source: Clang makes them of arrays that end in zeros, and of padding.
llvm::StructType *recordOf(llvm::Type *type);

/// Arrays of one member where `type` has arrays of records: the same dimensions.
llvm::Type *arrayOfMember(llvm::Type *type, unsigned member);

/// Whether a pointer to `type` may be one to its first part, `inner`.
bool beginsWith(llvm::Type *type, llvm::Type *inner);

/// The type by which the source knows a variable, as its users tell it; the one of its initial
/// value may be another, of the same bytes. Every user is an instruction.
llvm::Type *sourceTypeOf(const llvm::GlobalVariable &variable);

/// The initial values of one member, of type arrayOfMember(). The variable has records.
llvm::Constant *valuesOfMember(const llvm::GlobalVariable &variable, unsigned member);

} // namespace acis

// Tables and their look-up.
#include "compiler/rewriter/MpiCalls.h"

#include "llvm/ADT/STLExtras.h"

namespace acis::rewriter {
namespace {

constexpr MpiCall Collectives[] = {
#define ACIS_MPI_COLLECTIVE(name, ...) {#name, __VA_ARGS__},
#include "compiler/rewriter/MpiCalls.def"
};

constexpr const char *Unsupported[] = {
#define ACIS_MPI_UNSUPPORTED(name) #name,
#include "compiler/rewriter/MpiCalls.def"
};

constexpr const char *Quiet[] = {
#define ACIS_MPI_QUIET(name) #name,
#include "compiler/rewriter/MpiCalls.def"
};

constexpr MpiType Types[] = {{"MPI_INT", 4, 'i'},           {"MPI_INTEGER", 4, 'i'},
                             {"MPI_UNSIGNED", 4, 'i'},      {"MPI_LONG", 8, 'i'},
                             {"MPI_UNSIGNED_LONG", 8, 'i'}, {"MPI_LONG_LONG", 8, 'i'},
                             {"MPI_LONG_LONG_INT", 8, 'i'}, {"MPI_UNSIGNED_LONG_LONG", 8, 'i'},
                             {"MPI_SHORT", 2, 'i'},         {"MPI_UNSIGNED_SHORT", 2, 'i'},
                             {"MPI_CHAR", 1, 'i'},          {"MPI_SIGNED_CHAR", 1, 'i'},
                             {"MPI_UNSIGNED_CHAR", 1, 'i'}, {"MPI_C_BOOL", 1, 'i'},
                             {"MPI_CXX_BOOL", 1, 'i'},      {"MPI_INT8_T", 1, 'i'},
                             {"MPI_UINT8_T", 1, 'i'},       {"MPI_INT16_T", 2, 'i'},
                             {"MPI_UINT16_T", 2, 'i'},      {"MPI_INT32_T", 4, 'i'},
                             {"MPI_UINT32_T", 4, 'i'},      {"MPI_INT64_T", 8, 'i'},
                             {"MPI_UINT64_T", 8, 'i'},      {"MPI_FLOAT", 4, 'f'},
                             {"MPI_DOUBLE", 8, 'f'},        {"MPI_LONG_DOUBLE", 16, 'f'},
                             {"MPI_BYTE", 1, 'b'}};

constexpr const char *Ops[] = {"MPI_SUM", "MPI_PROD", "MPI_MIN",  "MPI_MAX", "MPI_LAND",
                               "MPI_LOR", "MPI_LXOR", "MPI_BAND", "MPI_BOR", "MPI_BXOR"};

} // namespace

llvm::StringRef shortName(llvm::StringRef function) {
  function.consume_front("P");
  function.consume_front("MPI_");
  return function;
}

MpiClass classOf(llvm::StringRef function) {
  if (!function.starts_with("MPI_") && !function.starts_with("PMPI_"))
    return MpiClass::None;
  llvm::StringRef name = shortName(function);
  if (findCollective(function))
    return MpiClass::Collective;
  if (llvm::is_contained(Unsupported, name))
    return MpiClass::Unsupported;
  return llvm::is_contained(Quiet, name) ? MpiClass::Quiet : MpiClass::Communication;
}

const MpiCall *findCollective(llvm::StringRef function) {
  llvm::StringRef name = shortName(function);
  if (name.size() == function.size())
    return nullptr;
  const auto *found = llvm::find_if(Collectives, [&](auto &call) { return name == call.name; });
  return found == std::end(Collectives) ? nullptr : found;
}

const MpiType *findType(llvm::StringRef name) {
  const auto *found = llvm::find_if(Types, [&](auto &type) { return name == type.name; });
  return found == std::end(Types) ? nullptr : found;
}

bool isPredefinedOp(llvm::StringRef name) { return llvm::is_contained(Ops, name); }

} // namespace acis::rewriter

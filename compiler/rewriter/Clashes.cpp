// Looks names up in the table of all names that were read, those of headers and macros too.
#include "compiler/rewriter/Clashes.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/IdentifierTable.h"

using namespace clang;

namespace acis::rewriter {
namespace {

/// What acis_cccf.h declares, and the names in the rewritten text that have no label.
constexpr const char *Needed[] = {"ACIS_CCCF_VERSION",
                                  "ACIS_COLL_ALLREDUCE",
                                  "ACIS_COLL_REDUCE",
                                  "ACIS_COLL_SCAN",
                                  "ACIS_COLL_BCAST",
                                  "ACIS_COLL_GATHER",
                                  "ACIS_COLL_ALLGATHER",
                                  "ACIS_COLL_SCATTER",
                                  "ACIS_COLL_ALLTOALL",
                                  "ACIS_COLL_REDUCE_SCATTER",
                                  "ACIS_COLL_REDUCE_SCATTER_BLOCK",
                                  "ACIS_Coll_kind",
                                  "ACIS_Coll",
                                  "ACIS_STREAM_IN",
                                  "ACIS_INBOUND",
                                  "ACIS_STREAM_OUT",
                                  "ACIS_OUTBOUND",
                                  "ACIS_Role",
                                  "ACIS_Array",
                                  "ACIS_Op",
                                  "ACIS_Ifused",
                                  "ACIS_Isemifused",
                                  "ACIS_Ikernel",
                                  "ACIS_DECLINED",
                                  "ACIS_ARRAYS_SHARED",
                                  "ACIS_ARRAYS_NO_ROOM",
                                  "ACIS_ARRAYS_NOT_HAD",
                                  "ACIS_Driver",
                                  "ACIS_Set_driver",
                                  "ACIS_Get_counts",
                                  "ACIS_Allreduce",
                                  "ACIS_Scan",
                                  "ACIS_Reduce",
                                  "ACIS_Bcast",
                                  "ACIS_Gather",
                                  "ACIS_Scatter",
                                  "ACIS_Allgather",
                                  "ACIS_Alltoall",
                                  "ACIS_Reduce_scatter",
                                  "ACIS_Reduce_scatter_block",
                                  "ACIS_Make_op",
                                  "ACIS_Make_switch_op",
                                  "ACIS_Use",
                                  "ACIS_Size_op",
                                  "ACIS_Place_op",
                                  "acis",
                                  "acis_pointer",
                                  "acis_coll_",
                                  "acis_ranks",
                                  "acis_run_"};

/// Names inside acis_cccf.h, which only a macro could change.
constexpr const char *Inner[] = {
    "Op",          "args",      "arrays",      "base",      "binary", "binary_bytes", "buffer",
    "by_driver",   "bytes",     "by_software", "coll",      "comm",   "count",        "counts",
    "driver",      "first",     "fused",       "kernel",    "kind",   "none",         "num_arrays",
    "object",      "place",     "ranks",       "uses",      "op",     "recv",         "recv_count",
    "recv_counts", "recv_type", "request",     "role",      "root",   "run",          "second",
    "semifused",   "send",      "send_count",  "send_type", "size_t", "type",         "version"};

/// The same of acis_ranges.h.
constexpr const char *NeededForSizes[] = {
    "ACIS_Range",    "ACIS_Turns",   "acis_add",      "acis_and",       "acis_any",
    "acis_at",       "acis_bytes",   "acis_clear",    "acis_div",       "acis_fit",
    "acis_ge",       "acis_grow",    "acis_gt",       "acis_has",       "acis_held",
    "acis_is_end",   "acis_is_none", "acis_join",     "acis_le",        "acis_lt",
    "acis_meet",     "acis_minus",   "acis_mul",      "acis_next_turn", "acis_none",
    "acis_opposite", "acis_product", "acis_quotient", "acis_range",     "acis_rem",
    "acis_room",     "acis_shl",     "acis_shr",      "acis_span",      "acis_sub",
    "acis_sum",      "acis_turns",   "acis_use",      "acis_v",         "acis_next",
    "acis_turn"};
constexpr const char *InnerForSizes[] = {
    "Again", "a",    "again", "all",   "b",       "base",  "buffer", "by",    "bytes",
    "count", "down", "end",   "grown", "hi",      "i",     "index",  "isNew", "is_signed",
    "lo",    "most", "next",  "place", "product", "range", "ranges", "room",  "size",
    "sum",   "turn", "turns", "up",    "used",    "value"};

const IdentifierInfo *lookUp(const ASTContext &context, llvm::StringRef name) {
  auto found = context.Idents.find(name);
  return found == context.Idents.end() ? nullptr : found->second;
}

Refusal judgeNames(const ASTContext &context, const std::string &header, const char *guard,
                   llvm::ArrayRef<const char *> needed, llvm::ArrayRef<const char *> inner) {
  // A program may make such calls by hand, too.
  if (lookUp(context, guard))
    return {};
  for (const char *name : needed)
    if (lookUp(context, name))
      return {"names", "the program has the name '" + std::string(name) +
                           "', which the rewritten text needs"};
  for (const char *name : inner)
    if (const IdentifierInfo *info = lookUp(context, name); info && info->hadMacroDefinition())
      return {"names",
              header + " cannot be read where the program has a macro '" + std::string(name) + "'"};
  return {};
}

} // namespace

Clashes::Clashes(const Program &program, const std::vector<std::string> &unread) {
  for (const std::string &name : unread)
    ownMpi.insert(name);
  for (const FunctionDecl *function : program.functions())
    if (function->getDeclName().isIdentifier() && function->getName().starts_with("MPI_"))
      ownMpi.insert(function->getName());
}

Refusal Clashes::judgeMpi(const Collective &collective) const {
  if (!collective.call)
    return {};
  std::string name = Program::calleeName(collective.call);
  if (llvm::StringRef(name).starts_with("PMPI_"))
    return {"own-mpi", "it calls " + name + ", past functions that are called like MPI's"};
  if (ownMpi.contains(name))
    return {"own-mpi", "the program has an " + name + " of its own, which must be called"};
  return {};
}

Refusal Clashes::judge(const Candidate &candidate) {
  for (const Collective *collective : {&candidate.first, &candidate.second})
    if (Refusal refusal = judgeMpi(*collective))
      return refusal;
  if (ownMpi.contains("MPI_Wait"))
    return {"own-mpi", "the program has an MPI_Wait of its own, which would be called more often"};
  return judgeNames(candidate.in->getASTContext(), "acis_cccf.h", "ACIS_CCCF_H", Needed, Inner);
}

Refusal Clashes::judgeSizes(const Candidate &candidate) const {
  return judgeNames(candidate.in->getASTContext(), "acis_ranges.h", "ACIS_RANGES_H", NeededForSizes,
                    InnerForSizes);
}

const std::vector<std::string> &Clashes::similarNames(const ASTContext &context) {
  auto [place, isNew] = similar.try_emplace(&context);
  if (isNew)
    for (const auto &entry : context.Idents)
      if (entry.first().starts_with("acis_"))
        place->second.push_back(entry.first().str());
  return place->second;
}

bool Clashes::isTaken(const ASTContext &context, llvm::StringRef label) {
  std::string end = "_" + label.str(), middle = end + "_";
  return llvm::any_of(similarNames(context), [&](const std::string &name) {
    return llvm::StringRef(name).ends_with(end) || name.find(middle) != name.npos;
  });
}

} // namespace acis::rewriter

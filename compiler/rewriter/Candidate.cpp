// Names of the report.
#include "compiler/rewriter/Candidate.h"

#include "llvm/ADT/StringSwitch.h"

namespace acis::rewriter {

const char *refusalClass(llvm::StringRef code) {
  return llvm::StringSwitch<const char *>(code)
      .Case("not-consumed", "no-chain")
      .Cases({"scalar", "scalar+io", "no-op"}, "trivial")
      .Cases({"derived-type", "user-op", "alltoallv", "alltoallw", "allgatherv"}, "unsupported")
      .Cases({"gatherv", "scatterv", "exscan", "iallreduce", "ireduce"}, "unsupported")
      .Cases({"ibcast", "igather", "iallgather", "iscatter", "ialltoall"}, "unsupported")
      .Case("template", "unsupported")
      .Default("unsafe");
}

const char *kindName(Kind kind) {
  switch (kind) {
  case Kind::Fused:
    return "fused";
  case Kind::SemiFused:
    return "semi-fused";
  case Kind::KernelDot:
    return "kernel-dot";
  case Kind::KernelSpmv:
    return "kernel-spmv";
  case Kind::KernelGemm:
    return "kernel-gemm";
  }
  return "";
}

const char *roleName(Role role) {
  switch (role) {
  case Role::StreamIn:
    return "stream-in";
  case Role::Inbound:
    return "inbound";
  case Role::StreamOut:
    return "stream-out";
  case Role::Outbound:
    return "outbound";
  }
  return "";
}

} // namespace acis::rewriter

// Candidates as remarks, as a table for people and as JSON.
#pragma once

#include "compiler/rewriter/Candidate.h"

#include <string>
#include <vector>

namespace llvm::json {
class Array;
} // namespace llvm::json

namespace acis::rewriter {

/// One line per candidate: file:line:column: remark: ...
std::string remarks(const std::vector<Candidate> &candidates);
/// What --mpi-report prints: pattern, arrays with sizes, times, decision.
std::string reportText(const std::vector<Candidate> &candidates);
/// The value of "candidates"; docs/mpi-rewriting.md lists the fields.
llvm::json::Array reportJson(const std::vector<Candidate> &candidates);

} // namespace acis::rewriter

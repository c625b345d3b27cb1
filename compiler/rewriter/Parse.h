// Files of an MPI program to Clang's trees, in process.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace clang {
class ASTUnit;
} // namespace clang

namespace acis::rewriter {

struct ParseOptions {
  std::vector<std::string> files;
  std::vector<std::string> flags; ///< after --; empty: from the database, if there is one
  std::string database;           ///< folder of compile_commands.json (-p)
  std::string resourceDir;        ///< Clang's own headers; empty: where the build found them
  /// By absolute name, in place of what a file holds; outlives the trees. Null: none.
  const std::map<std::string, std::string> *texts = nullptr;
};

/// One tree for each file, null where it does not compile. `messages` gets what Clang says.
/// When no flag leads to mpi.h it is looked for where `mpicc -show` says it is.
std::vector<std::unique_ptr<clang::ASTUnit>> parse(const ParseOptions &options,
                                                   std::string &messages);

/// The include folders that `mpicc -show` names; empty: there is no mpicc.
std::vector<std::string> findMpiIncludes();

} // namespace acis::rewriter

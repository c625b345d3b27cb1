// What is wrong with a command line that CLI11 refuses, in the words of all tools.
#pragma once

#include "backend/support/Nearest.h"

#include <CLI/CLI.hpp>

namespace acis::tools {

/// An argument that no option takes comes first: what CLI11 misses is then often only
/// misspelt.
inline std::string commandLineProblem(const CLI::App &app, const CLI::Error &error) {
  for (const std::string &word : app.remaining()) {
    if (!word.starts_with("-"))
      continue;
    std::vector<std::string> names;
    for (const CLI::Option *option : app.get_options())
      for (const std::string &name : option->get_lnames())
        names.push_back("--" + name);
    return "unknown option '" + word + "'" + didYouMean(word, names);
  }
  return error.what();
}

} // namespace acis::tools

// What is wrong with a command line that CLI11 refuses, in the words of all tools.
#pragma once

#include "backend/support/Nearest.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <optional>

namespace acis {

/// The subcommand that was given, or the program itself.
inline const CLI::App &chosenCommand(const CLI::App &app) {
  const CLI::App *chosen = &app;
  while (!chosen->get_subcommands().empty())
    chosen = chosen->get_subcommands().front();
  return *chosen;
}

/// An argument that no option takes comes first: what CLI11 misses is then often only
/// misspelt.
inline std::string commandLineProblem(const CLI::App &whole, const CLI::Error &error) {
  const CLI::App &app = chosenCommand(whole);
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

/// Parses the command line of the tool `name`. The exit code if it ends here: after --help or
/// --version, or, with `mistake`, after what is wrong has been said.
inline std::optional<int> parseCommandLine(CLI::App &app, int argc, char **argv,
                                           const std::string &name, int mistake = 1) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &success) {
    return app.exit(success);
  } catch (const CLI::Error &error) {
    std::fprintf(stderr, "%s: error: %s\nsee %s --help\n", name.c_str(),
                 commandLineProblem(app, error).c_str(), name.c_str());
    return mistake;
  }
  return std::nullopt;
}

} // namespace acis

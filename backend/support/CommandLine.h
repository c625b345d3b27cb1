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

/// What is wrong with the command of an app that needs one.
inline std::string commandProblem(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; }))
    names.push_back(command->get_name());
  std::string allowed;
  for (const std::string &name : names)
    allowed += (allowed.empty() ? "" : ", ") + name;
  if (!app.remaining().empty()) {
    const std::string word = app.remaining().front(), nearest = didYouMean(word, names);
    return "unknown command '" + word + "'" + (nearest.empty() ? "; allowed: " + allowed : nearest);
  }
  return "no command; allowed: " + allowed;
}

/// What CLI11 says of how often an option or its value was given: "--in: 1 required FILE missing",
/// "--in: At Most 1 required but received 2". Empty if it is about something else.
inline std::string countProblem(const std::string &text) {
  constexpr std::string_view most = ": At Most 1 required but received ";
  constexpr std::string_view needed = ": 1 required ", missing = " missing";
  if (const size_t at = text.find(most); at != std::string::npos)
    return text.substr(0, at) + ": given " + text.substr(at + most.size()) + " times; give it once";
  const size_t at = text.find(needed);
  if (at == std::string::npos || !text.ends_with(missing))
    return "";
  const size_t begin = at + needed.size();
  return text.substr(0, at) + ": no value; expected " +
         text.substr(begin, text.size() - missing.size() - begin);
}

/// What CLI11 says of an option's value, in the words of the tools.
inline std::string valueProblem(const std::string &text) {
  constexpr std::string_view none = "Could not convert: ", between = " = ";
  constexpr std::string_view unbounded =
      " to 179769313486231570"; // the largest double, and its rest
  if (text.starts_with(none))
    if (const size_t at = text.find(between); at != std::string::npos)
      return text.substr(none.size(), at - none.size()) + ": found '" +
             text.substr(at + between.size()) + "', which is not a number that it takes";
  if (const size_t at = text.find(unbounded); at != std::string::npos)
    return text.substr(0, at) + " and more";
  const std::string count = countProblem(text);
  return count.empty() ? text : count;
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
  const std::string text = error.what();
  if (text == "A subcommand is required")
    return commandProblem(app);
  if (error.get_name() == "ExtrasError" && !app.remaining().empty())
    return "found '" + app.remaining().front() + "', an argument that it does not take";
  return valueProblem(text);
}

/// Says what is wrong with the command line of the tool `name`, and where its options are listed;
/// the exit code then. Nothing if `problem` is empty.
inline std::optional<int> refuseCommandLine(const std::string &name, const std::string &problem,
                                            int mistake = 1) {
  if (problem.empty())
    return std::nullopt;
  std::fprintf(stderr, "%s: error: %s\nsee %s --help\n", name.c_str(), problem.c_str(),
               name.c_str());
  return mistake;
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
    return refuseCommandLine(name, commandLineProblem(app, error), mistake);
  }
  return std::nullopt;
}

/// Of a tool that runs a program (CLI::App::prefix_command): the program and its arguments, without
/// a "--" in front of them. What is wrong, or "".
inline std::string takeProgram(const CLI::App &app, std::vector<std::string> &command) {
  command = app.remaining();
  if (!command.empty() && command.front() == "--")
    command.erase(command.begin());
  if (command.empty())
    return "no program is named";
  return command.front().starts_with("-") ? commandLineProblem(app, CLI::Error("", "")) : "";
}

} // namespace acis

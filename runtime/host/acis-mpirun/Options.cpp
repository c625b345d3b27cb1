// The command line through CLI11, whose exceptions end in this file.
#include "runtime/host/acis-mpirun/Options.h"

#include "backend/support/CommandLine.h"

#include <iostream>

namespace acis::tools {

namespace {

constexpr const char *description =
    "Runs an MPI program, as it is, with its collectives done by a switch.\n\n"
    "Starts a switch on this machine, or uses the one that --switch names; then starts the\n"
    "program with the MPI library that it is linked with, and libacis-mpi before that.";

constexpr const char *footer =
    "Example: acis-mpirun -n 4 --why ./program input.txt\n"
    "Exit code: the launcher's, or 1 after an error before the program was started.";

void declare(CLI::App &app, MpirunOptions &options) {
  app.set_help_flag("-h,--help", "print this help");
  app.set_version_flag("--version", "acis-mpirun (ACiS) " ACIS_VERSION, "print the version");
  app.footer(footer);
  app.prefix_command();
  app.add_option("-n,--np", options.ranks, "how many processes (default: 1)")
      ->check(CLI::Range(1u, 65536u))
      ->type_name("N");
  app.add_option("--mpi", options.mpi,
                 "mpich or openmpi (default: the one that the program is linked with)")
      ->check(CLI::IsMember({"mpich", "openmpi"}))
      ->type_name("NAME");
  CLI::Option *at = app.add_option("--switch", options.switchAt, "use the switch at this address");
  at->type_name("HOST:PORT");
  app.add_option("--job", options.job, "number of the job at that switch (default: 1)")
      ->needs(at)
      ->type_name("N");
  app.add_option("--key-file", options.keyFile,
                 "file with the job's key at that switch, as acisctl job-key prints it")
      ->needs(at)
      ->type_name("FILE");
  app.add_option("--topology", options.topology,
                 "start every switch of a topology file; ranks go to its leaves in blocks")
      ->type_name("FILE");
  app.add_option("--config", options.config,
                 "overlay that the started switch runs user-defined operators on")
      ->type_name("FILE");
  app.add_option("--operator", options.operators,
                 "function=file[:handler]: a compiled operator for a function that the\n"
                 "program gives to MPI_Op_create (may be repeated)")
      ->allow_extra_args(false)
      ->type_name("TEXT");
  app.add_flag("--why{1}", options.why,
               "say at the end what was offloaded and what was not, and why; --why=FILE\n"
               "appends it to a file, --why=FILE.json writes it as JSON");
  app.add_option("--timeout", options.timeout,
                 "seconds after which a collective fails (default: 600)")
      ->type_name("S");
  app.add_option("--launcher-arg", options.launcherArguments,
                 "argument for mpiexec (may be repeated)")
      ->allow_extra_args(false)
      ->type_name("ARG");
  app.add_option("--switch-arg", options.switchArguments,
                 "argument for the started acisd (may be repeated)")
      ->allow_extra_args(false)
      ->type_name("ARG");
  app.add_flag("--plain", options.plain, "run without switch and library, to compare");
}

} // namespace

std::optional<int> parseOptions(int argc, char **argv, MpirunOptions &options) {
  CLI::App app(description, "acis-mpirun");
  declare(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() == 0)
      return app.exit(error);
    std::cerr << "acis-mpirun: error: " << commandLineProblem(app, error) << "\n";
    return 1;
  }
  options.command = app.remaining();
  if (!options.command.empty() && options.command[0] == "--")
    options.command.erase(options.command.begin());
  if (options.command.empty() || options.command[0].starts_with("-")) {
    std::cerr << "acis-mpirun: error: "
              << (options.command.empty() ? "no program is named"
                                          : "unknown option '" + options.command[0] + "'")
              << "; see acis-mpirun --help\n";
    return 1;
  }
  return std::nullopt;
}

} // namespace acis::tools

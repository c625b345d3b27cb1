// The command line through CLI11, whose exceptions end in this file.
#include "runtime/host/acis-mpirun/Options.h"

#include "backend/support/CommandLine.h"

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
  CLI::Option *topology =
      app.add_option("--topology", options.topology,
                     "start every switch of a topology file; ranks go to its leaves in blocks")
          ->excludes(at)
          ->type_name("FILE");
  app.add_flag("--running", options.isRunning,
               "the switches of the topology file run already; ranks go to the leaf that it\n"
               "names for their host")
      ->needs(topology);
  app.add_option("--job", options.job, "number of the job at switches that run (default: 1)")
      ->type_name("N");
  app.add_option("--key-file", options.keyFile,
                 "file with the job's key there, as acisctl job-key prints it")
      ->type_name("FILE");
  CLI::Option *hosts =
      app.add_option("--host", options.host, "hosts that the ranks run on, with ranks of each")
          ->type_name("NODE0:2,NODE1:2");
  CLI::Option *hostFile = app.add_option("--hostfile", options.hostFile,
                                         "the same, a host a line: node0:2 or node0 slots=2")
                              ->excludes(hosts)
                              ->type_name("FILE");
  app.add_option("--launcher", options.launcher,
                 "mpiexec (default), of the program's MPI, which knows the allocations of Slurm\n"
                 "and others; or srun, which has the hosts from its own options")
      ->check(CLI::IsMember({"mpiexec", "srun"}))
      ->excludes(hosts)
      ->excludes(hostFile)
      ->type_name("NAME");
  app.add_option("--rsh", options.remoteShell, "program to reach them with (default: ssh)")
      ->type_name("PROGRAM");
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
  app.add_option("--placement", options.placement,
                 "which ranks share a host: apart (none), or a number for each, as 0,0,1,1\n"
                 "(default: those that can share memory; where all do, MPI does its collectives)")
      ->type_name("apart|LIST");
  app.add_option("--costs", options.costs,
                 "measure, none, or a file that is read, or written if it is not there: what\n"
                 "collectives cost between hosts, by which it is chosen who does them")
      ->type_name("FILE");
  app.add_option("--algorithm", options.algorithm,
                 "who does collectives, as switch, nodes, library, allreduce:ring@65536")
      ->type_name("RULES");
  app.add_option("--launcher-arg", options.launcherArguments,
                 "argument for mpiexec (may be repeated)")
      ->allow_extra_args(false)
      ->type_name("ARG");
  app.add_option("--switch-arg", options.switchArguments,
                 "argument for the started acisd (may be repeated)")
      ->allow_extra_args(false)
      ->type_name("ARG");
  app.add_flag("--device", options.device, "let MPI calls take OpenCL buffers; with --plain, too");
  app.add_flag("--plain", options.plain, "run without switch and its library, to compare");
}

/// Of options that do not go together; "" where they do.
std::string problemOf(const CLI::App &app, const MpirunOptions &options) {
  const bool joins = !options.switchAt.empty() || options.isRunning;
  for (const char *name : {"--job", "--key-file"})
    if (app.count(name) > 0 && !joins)
      return std::string(name) + ": is of a switch that runs already; name one with --switch, or "
                                 "say --topology FILE --running";
  for (const char *name : {"--host", "--hostfile"})
    if (app.count(name) > 0 && !joins && !options.plain)
      return std::string(name) + ": other hosts do not reach a switch that is started on this one; "
                                 "name one that runs with --switch, or say --topology FILE "
                                 "--running, or --plain for none";
  return "";
}

} // namespace

std::optional<int> parseOptions(int argc, char **argv, MpirunOptions &options) {
  CLI::App app(description, "acis-mpirun");
  declare(app, options);
  if (std::optional<int> code = parseCommandLine(app, argc, argv, "acis-mpirun"))
    return code;
  std::string problem = takeProgram(app, options.command);
  return refuseCommandLine("acis-mpirun", problem.empty() ? problemOf(app, options) : problem);
}

} // namespace acis::tools

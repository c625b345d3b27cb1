// The command line through CLI11, whose exceptions end in this file.
#include "runtime/sim/acis-simrun/Options.h"

#include "backend/support/CommandLine.h"

namespace acis::tools {

namespace {

constexpr const char *description =
    "Runs an MPI program, as it is, on a simulated cluster, with its collectives done by "
    "simulated\n"
    "switches.\n\n"
    "The program is compiled with smpicc, smpicxx or smpif90 in place of mpicc and its like. Its\n"
    "ranks, the library that takes the place of MPI's collectives, and the switches are the code "
    "that\n"
    "runs on metal; the network and time are SimGrid's.";

constexpr const char *footer =
    "Example: acis-simrun -n 128 --platform fat-tree.json --why ./program input.txt\n"
    "Exit code: the program's, or 1 after an error and at the limit of simulated time.";

void declareRun(CLI::App &app, SimrunOptions &options) {
  app.add_option("-n,--np", options.ranks, "how many ranks, each on a host of its own (default: 1)")
      ->check(CLI::Range(1u, 16'384u))
      ->type_name("N");
  app.add_option("--platform", options.platform, "platform file (docs/simulation.md)")
      ->required()
      ->type_name("FILE");
  app.add_flag("--plain", options.plain, "by MPI alone, to compare: switches only forward");
  app.add_option("--algorithms", options.algorithms,
                 "whose choice of algorithms MPI has: default, mpich, ompi, mvapich2 or impi")
      ->check(CLI::IsMember({"default", "mpich", "ompi", "mvapich2", "impi"}))
      ->type_name("NAME");
  app.add_option("--computation", options.computation,
                 "what passes between calls of MPI: none (default; the same on each run), or\n"
                 "measured: the time that this machine takes")
      ->check(CLI::IsMember({"none", "measured"}))
      ->type_name("NAME");
  app.add_option("--host-speed", options.hostSpeed,
                 "Gflop/s of this machine, to scale measured times to the platform's hosts\n"
                 "(default: they are as fast)")
      ->check(CLI::PositiveNumber)
      ->type_name("GFLOPS");
  app.add_option("--compute", options.compute,
                 "file of what ranks compute before each blocking collective of all of them, CSV\n"
                 "or JSON: rows with step, rank, call, and us; what ACIS_STEPS or --record writes")
      ->type_name("FILE");
  app.add_option("--compute-scale", options.computeScale,
                 "takes so many times as long as the file says (default: 1)")
      ->check(CLI::Range(0.0, 1e6))
      ->type_name("FACTOR");
  app.add_option("--record", options.record,
                 "write what was measured to this file, for --compute (with --computation\n"
                 "measured)")
      ->type_name("FILE");
  app.add_option("--operator", options.operators,
                 "function=file[:handler]: a compiled operator for a function that the program\n"
                 "gives to MPI_Op_create (may be repeated)")
      ->allow_extra_args(false)
      ->type_name("TEXT");
  app.add_option("--config", options.config,
                 "overlay of each switch, for fused calls and operators of the program: a\n"
                 "description, or the name of a shipped one (u280.json)")
      ->type_name("FILE");
  app.add_option("--faults", options.faults,
                 "loss=0.01,duplicate=...,reorder=...,corrupt=...,delay=... of the switches'\n"
                 "datagrams")
      ->type_name("TEXT");
  app.add_option("--seed", options.seed, "of faults (default: 1)")->type_name("N");
  app.add_option("--limit", options.limit,
                 "simulated seconds after which the run ends with an error (default: 1000)")
      ->check(CLI::PositiveNumber)
      ->type_name("S");
}

void declareReports(CLI::App &app, SimrunOptions &options) {
  app.add_flag("--why{1}", options.why,
               "say at the end what was offloaded and what was not, and why; --why=FILE\n"
               "appends it to a file");
  app.add_option("--json", options.json, "write simulated time and traffic to this file")
      ->type_name("FILE");
  app.add_option("--timeline", options.timeline,
                 "write what ranks, switches and links do to this file, for ui.perfetto.dev")
      ->type_name("FILE");
  app.add_option("--progress", options.progress,
                 "say how far the run is after each so many seconds; 0: never (default: 10, if\n"
                 "standard error is a terminal)")
      ->check(CLI::NonNegativeNumber)
      ->type_name("S");
  app.add_flag("--links", options.links, "there also: what each link has carried");
  app.add_option("--timeout", options.timeout,
                 "simulated seconds after which a collective fails (default: 600)")
      ->type_name("S");
  app.add_option("--smpi-arg", options.smpiArguments,
                 "argument for SMPI, as --cfg=smpi/allreduce:rdb (may be repeated)")
      ->allow_extra_args(false)
      ->type_name("ARG");
}

/// Of options that do not go together; "" where they do.
std::string problemOf(const SimrunOptions &options) {
  if (!options.record.empty() && options.computation != "measured")
    return "--record: nothing is measured; add --computation measured";
  if (!options.compute.empty() && options.computation == "measured")
    return "--compute: times come from the file; take --computation measured out";
  return "";
}

} // namespace

std::optional<int> parseOptions(int argc, char **argv, SimrunOptions &options) {
  CLI::App app(description, "acis-simrun");
  app.set_help_flag("-h,--help", "print this help");
  app.set_version_flag("--version", "acis-simrun (ACiS) " ACIS_VERSION, "print the version");
  app.footer(footer);
  app.prefix_command();
  declareRun(app, options);
  declareReports(app, options);
  if (std::optional<int> code = parseCommandLine(app, argc, argv, "acis-simrun"))
    return code;
  std::string problem = problemOf(options);
  return refuseCommandLine("acis-simrun",
                           problem.empty() ? takeProgram(app, options.command) : problem);
}

} // namespace acis::tools

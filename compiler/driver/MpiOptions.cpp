// Reads the command line of acisc --mpi; MpiOptions.td is the table.
#include "compiler/driver/MpiOptions.h"

#include "compiler/driver/CommandLine.h"

#include "llvm/Option/Arg.h"

#define ACIS_OPTION_TABLE "compiler/driver/MpiOptions.inc"
#include "compiler/driver/OptionTable.h"

using namespace llvm;
using namespace llvm::opt;

namespace acis::driver {
namespace {

std::string check(const InputArgList &args, MpiOptions &options) {
  if (options.files.empty())
    return "no source file; give the files of the MPI program";
  if (options.inPlace && !options.output.empty())
    return "'--in-place' and '-o' exclude each other";
  if (!options.outputFolder.empty() && (options.inPlace || !options.output.empty()))
    return "'--output-dir' goes with neither '-o' nor '--in-place'";
  if (options.files.size() > 1 && !options.output.empty())
    return "'-o' names one file, but there are " + std::to_string(options.files.size()) +
           " sources; without it each is written beside its source";
  if (const Arg *arg = args.getLastArg(OPT_ranks_EQ))
    if (StringRef(arg->getValue()).getAsInteger(10, options.ranks) || options.ranks < 2)
      return "'" + arg->getAsString(args) + "' is no number of ranks; allowed: from 2 on";
  if (const Arg *arg = args.getLastArg(OPT_max_array_bytes_EQ))
    if (StringRef(arg->getValue()).getAsInteger(10, options.maxArrayBytes))
      return "'" + arg->getAsString(args) + "' is no number of bytes";
  return "";
}

} // namespace

bool isMpiCommand(int argc, const char *const *argv) {
  for (int i = 1; i < argc && StringRef(argv[i]) != "--"; i++)
    if (StringRef(argv[i]) == "--mpi")
      return true;
  return false;
}

ParseResult parseMpiOptions(int argc, const char *const *argv, MpiOptions &options,
                            std::string &text) {
  CommandLineTable table;
  int end = 1;
  while (end < argc && StringRef(argv[end]) != "--")
    end++;
  for (int i = end + 1; i < argc; i++)
    options.flags.push_back(argv[i]);
  CommandLine line = readCommandLine(table, ArrayRef(argv + 1, argv + end), OPT_UNKNOWN,
                                     "flags of the compiler go after --");
  const InputArgList &args = line.args;
  if (args.hasArg(OPT_help)) {
    text = helpText(table, "acisc --mpi <app.c>... [options] [-- <compiler flags>]",
                    "rewrites MPI programs to fused collectives");
    return ParseResult::Done;
  }
  text = line.error;
  if (!text.empty())
    return ParseResult::Error;
  for (const std::string &file : args.getAllArgValues(OPT_INPUT))
    if (!is_contained(options.files, file))
      options.files.push_back(file);
  for (const std::string &file : args.getAllArgValues(OPT_context_EQ))
    if (!is_contained(options.files, file) && !is_contained(options.context, file))
      options.context.push_back(file);
  options.ownMpi = args.getAllArgValues(OPT_own_mpi_EQ);
  options.localFunctions = args.getAllArgValues(OPT_assume_local_EQ);
  options.database = args.getLastArgValue(OPT_p).str();
  options.config = args.getLastArgValue(OPT_config_EQ).str();
  options.outputFolder = args.getLastArgValue(OPT_output_dir_EQ).str();
  options.output = args.getLastArgValue(OPT_o).str();
  options.resourceDir = args.getLastArgValue(OPT_resource_dir_EQ).str();
  options.inPlace = args.hasArg(OPT_in_place);
  options.dryRun = args.hasArg(OPT_dry_run);
  options.diff = args.hasArg(OPT_diff);
  if (const Arg *arg = args.getLastArg(OPT_whole_program, OPT_no_whole_program))
    options.scope = arg->getOption().matches(OPT_whole_program) ? rewriter::Scope::Program
                                                                : rewriter::Scope::File;
  options.force = args.hasArg(OPT_force);
  options.report = args.hasArg(OPT_mpi_report);
  options.reportFile = args.getLastArgValue(OPT_mpi_report_EQ).str();
  options.remarks = !args.hasArg(OPT_no_remarks) &&
                    (args.hasArg(OPT_remarks) || (!options.report && options.reportFile.empty()));
  text = check(args, options);
  return text.empty() ? ParseResult::Run : ParseResult::Error;
}

} // namespace acis::driver

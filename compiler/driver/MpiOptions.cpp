// Reads the command line of acisc --mpi; MpiOptions.td is the table.
#include "compiler/driver/MpiOptions.h"

#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace llvm::opt;

namespace acis::driver {
namespace {

enum Id {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "compiler/driver/MpiOptions.inc"
#undef OPTION
};

#define OPTTABLE_STR_TABLE_CODE
#include "compiler/driver/MpiOptions.inc"
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "compiler/driver/MpiOptions.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

constexpr OptTable::Info InfoTable[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "compiler/driver/MpiOptions.inc"
#undef OPTION
};

class MpiTable : public GenericOptTable {
public:
  MpiTable() : GenericOptTable(OptionStrTable, OptionPrefixesTable, InfoTable) {}
};

std::string helpText(const OptTable &table) {
  std::string text;
  raw_string_ostream out(text);
  table.printHelp(out, "acisc --mpi <app.c>... [options] [-- <compiler flags>]",
                  "rewrites MPI programs to fused collectives");
  return text;
}

std::string syntaxError(const OptTable &table, const InputArgList &args, unsigned missingIndex,
                        unsigned missingCount) {
  if (missingCount)
    return std::string("argument to '") + args.getArgString(missingIndex) + "' is missing";
  for (const Arg *arg : args.filtered(OPT_UNKNOWN)) {
    std::string spelling = arg->getAsString(args), nearest;
    std::string message = "unknown argument '" + spelling + "'";
    if (table.findNearest(spelling, nearest) <= 2)
      message += "; did you mean '" + nearest + "'?";
    return message + (nearest.empty() ? "; flags of the compiler go after --" : "");
  }
  return "";
}

std::string check(const InputArgList &args, MpiOptions &options) {
  if (options.files.empty())
    return "no source file; give the files of the MPI program";
  if (options.inPlace && !options.output.empty())
    return "'--in-place' and '-o' exclude each other";
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
  MpiTable table;
  int end = 1;
  while (end < argc && StringRef(argv[end]) != "--")
    end++;
  for (int i = end + 1; i < argc; i++)
    options.flags.push_back(argv[i]);
  unsigned missingIndex = 0, missingCount = 0;
  InputArgList args = table.ParseArgs(ArrayRef(argv + 1, argv + end), missingIndex, missingCount);
  if (args.hasArg(OPT_help)) {
    text = helpText(table);
    return ParseResult::Done;
  }
  text = syntaxError(table, args, missingIndex, missingCount);
  if (!text.empty())
    return ParseResult::Error;
  options.files = args.getAllArgValues(OPT_INPUT);
  options.database = args.getLastArgValue(OPT_p).str();
  options.config = args.getLastArgValue(OPT_config_EQ).str();
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

// The command line of acisc --mpi.
include "llvm/Option/OptParser.td"

class FF<string name, string help> : Flag<["--"], name>, HelpText<help>;

def mpi : FF<"mpi", "Find collectives with computation between them and rewrite the program">;
def output_group : OptionGroup<"output">, HelpText<"Output">;
def input_group : OptionGroup<"input">, HelpText<"Program">;
def info_group : OptionGroup<"info">, HelpText<"Information">;

let Group = output_group in {
def o : JoinedOrSeparate<["-"], "o">, MetaVarName<"<file>">,
  HelpText<"Write the rewritten file to <file> (default: beside the source, app.acis.c)">;
def output_dir_EQ : Joined<["--"], "output-dir=">, MetaVarName<"<folder>">,
  HelpText<"Write the n-th source, if it changes, to <folder>/<n>/ under its own name">;
def in_place : FF<"in-place", "Change the sources; the originals are kept as app.c.orig">;
def dry_run : FF<"dry-run", "Write no file; only say what would be done">;
def diff : FF<"diff", "Print the change as a unified diff and write no file">;
}

let Group = input_group in {
def p : JoinedOrSeparate<["-"], "p">, MetaVarName<"<folder>">,
  HelpText<"Take flags from compile_commands.json of <folder>; without it: those after -- ">;
def whole_program : FF<"whole-program",
  "Look into callees in the other given files (the default if no function is in two of them)">;
def no_whole_program : FF<"no-whole-program", "Do not">;
def assume_local_EQ : CommaJoined<["--"], "assume-local=">, MetaVarName<"<name>,...">,
  HelpText<"Functions of other files that do not communicate and touch no memory of the program "
           "but what their arguments lead to">;
def own_mpi_EQ : CommaJoined<["--"], "own-mpi=">, MetaVarName<"<name>,...">,
  HelpText<"Functions with names of MPI that other files of the program define: what calls them is "
           "left as it is">;
def context_EQ : Joined<["--"], "context=">, MetaVarName<"<file>">,
  HelpText<"Look into callees in <file> too, but do not report or change it">;
def config_EQ : Joined<["--"], "config=">, MetaVarName<"<overlay.json>">,
  HelpText<"Overlay to compile ops for; without it they run on the hosts">;
def config : Separate<["--"], "config">, Alias<config_EQ>;
def ranks_EQ : Joined<["--"], "ranks=">, MetaVarName<"<n>">,
  HelpText<"Ranks for which times are predicted (default 64)">;
def max_array_bytes_EQ : Joined<["--"], "max-array-bytes=">, MetaVarName<"<n>">,
  HelpText<"Largest inbound or outbound array (default 16384)">;
def force : FF<"force", "Rewrite also what the evaluator finds not worth it">;
def resource_dir_EQ : Joined<["-", "--"], "resource-dir=">, MetaVarName<"<folder>">,
  HelpText<"Where Clang's own headers are">;
}

let Group = info_group in {
def mpi_report : FF<"mpi-report", "Print for each candidate pattern, arrays, times and decision">;
def mpi_report_EQ : Joined<["--"], "mpi-report=">, MetaVarName<"<file.json>">,
  HelpText<"Write the report as JSON; - for stdout">;
def remarks : FF<"remarks", "Print one line per candidate (the default without --mpi-report)">;
def no_remarks : FF<"no-remarks", "Do not">;
def help : Flag<["--", "-"], "help">, HelpText<"Print this help">;
def h : Flag<["-"], "h">, Alias<help>;
}

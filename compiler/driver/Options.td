// The command line of acisc.
include "llvm/Option/OptParser.td"

class F<string letter, string help> : Flag<["-"], letter>, HelpText<help>;
class FF<string name, string help> : Flag<["--"], name>, HelpText<help>;

def output_group : OptionGroup<"output">, HelpText<"Output">;
def input_group : OptionGroup<"input">, HelpText<"Source">;
def info_group : OptionGroup<"info">, HelpText<"Information">;

let Group = output_group in {
def o : JoinedOrSeparate<["-"], "o">, MetaVarName<"<file>">,
  HelpText<"Write to <file> (default: source file with .acis; text to stdout)">;
def S : F<"S", "Write assembly text instead of a binary">;
def emit_llvm : F<"emit-llvm", "Write LLVM IR: in handler form, or of the phase of --stop-after">;
def MD : F<"MD", "Write a makefile's rule, too: the output and the files that it is made from, but for "
                 "system headers">;
def MMD : Flag<["-"], "MMD">, Alias<MD>;
def MF : JoinedOrSeparate<["-"], "MF">, MetaVarName<"<file>">,
  HelpText<"Where that rule goes (default: beside the output, with .d)">;
def MT : JoinedOrSeparate<["-"], "MT">, MetaVarName<"<target>">,
  HelpText<"What the rule says is made (default: the output)">;
def emit_EQ : Joined<["--"], "emit=">, MetaVarName<"dfg|dfg-opt|mapped">,
  HelpText<"Write the data-flow graphs: imported, optimised, or with places and routes">;
def stop_after_EQ : Joined<["--"], "stop-after=">, MetaVarName<"<phase>">,
  HelpText<"Stop after a phase, or a step of normal-form, and write what it gives (see "
           "--list-phases)">;
}

let Group = input_group in {
def min_ii_EQ : Joined<["--"], "min-ii=">, MetaVarName<"<n>">,
  HelpText<"Smallest initiation interval to try (default 1)">;
def mapper_EQ : Joined<["--"], "mapper=">, MetaVarName<"<how>">,
  HelpText<"heuristic (default); persistent: the same with many more tries at smaller initiation "
           "intervals, which takes seconds; or exact: a SAT solver proves that none exists or finds "
           "one">;
def mapper_timeout_EQ : Joined<["--"], "mapper-timeout=">, MetaVarName<"<seconds>">,
  HelpText<"Time of the exact mapper for one loop (default 10)">;
def mapper_seed_EQ : Joined<["--"], "mapper-seed=">, MetaVarName<"<n>">,
  HelpText<"Seed of the mapper's search (default 0)">;
def mapper_threads_EQ : Joined<["--"], "mapper-threads=">, MetaVarName<"<n>">,
  HelpText<"Threads of the mapper's search; the result is the same for all (default 1)">;
def config_EQ : Joined<["--"], "config=">, MetaVarName<"<overlay.json>">,
  HelpText<"Overlay to compile for (required)">;
def config : Separate<["--"], "config">, Alias<config_EQ>;
def D : JoinedOrSeparate<["-"], "D">, MetaVarName<"<macro>[=<value>]">, HelpText<"Define a macro">;
def U : JoinedOrSeparate<["-"], "U">, MetaVarName<"<macro>">, HelpText<"Undefine a macro">;
def I : JoinedOrSeparate<["-"], "I">, MetaVarName<"<folder>">,
  HelpText<"Add a folder to the include search path">;
def isystem : JoinedOrSeparate<["-"], "isystem">, MetaVarName<"<folder>">,
  HelpText<"The same, behind those of -I, for headers of which no warning is wanted">;
def include_file : Separate<["-", "--"], "include">, MetaVarName<"<file>">,
  HelpText<"Include a file before the source">;
def std_EQ : Joined<["-", "--"], "std=">, MetaVarName<"<standard>">,
  HelpText<"Language standard (default: gnu17, c++20)">;
def W_Joined : Joined<["-"], "W">, MetaVarName<"<warning>">, HelpText<"Warnings, as for clang">;
def w : F<"w", "No warnings of Clang">;
def O : Joined<["-"], "O">, MetaVarName<"<level>">,
  HelpText<"Accepted for makefiles: what is made is always optimised">;
def g : F<"g", "Keep source lines in the binary (always done; accepted for makefiles)">;
def certify : FF<"certify", "Compute the cycles that packets of each length take at most, and keep "
                            "them in the binary">;
def require_rate_EQ : Joined<["--"], "require-rate=">, MetaVarName<"<rate>@<bytes>">,
  HelpText<"Fail unless every handler is certified to keep up with a port of <rate>, such as 100G, "
           "from payloads of <bytes> on, such as 256B">;
def explore : FF<"explore", "Write no binary: compile for the overlay in other sizes, and print the "
                            "rate of each beside what its core takes of a device">;
def explore_EQ : Joined<["--"], "explore=">, MetaVarName<"<file>">,
  HelpText<"The same, and write it to <file>: .json, or a picture with its Pareto front, .svg">;
def sweep_EQ : Joined<["--"], "sweep=">, MetaVarName<"<field>=<values>">,
  HelpText<"Which sizes: a field of the description and JSON values, such as /pe/lanes=4,8,16; may "
           "be repeated (default: rows, columns and lanes, halved once and twice)">;
def payload_EQ : Joined<["--"], "payload=">, MetaVarName<"<bytes>">,
  HelpText<"Payload of the packets whose rate is compared (default 1024)">;
def device_EQ : Joined<["--"], "device=">, MetaVarName<"<name>">,
  HelpText<"Device whose cells are counted (default lfe5u-85f)">;
def resource_dir_EQ : Joined<["-", "--"], "resource-dir=">, MetaVarName<"<folder>">,
  HelpText<"Where Clang's own headers are">;
}

let Group = info_group in {
def report : FF<"report", "Print what was mapped and what limits it">;
def report_EQ : Joined<["--"], "report=">, MetaVarName<"json|html|<file>">,
  HelpText<"Write the report, with every placed node, to <file>: a page if it ends in .html, else "
           "JSON; 'json' or 'html' alone: beside the output">;
def remarks : FF<"remarks", "Say for each loop why it was or was not mapped">;
def time_phases : FF<"time-phases", "Print the time of each phase">;
def verify_each : FF<"verify-each", "Verify the program after each pass">;
def scalar_loops : FF<"scalar-loops", "Leave loops that the array cannot run to the scalar unit, which is slow, with a warning each">;
def no_double_buffer : FF<"no-double-buffer", "Keep one copy of arrays that a loop loads anew">;
def mpi : FF<"mpi", "Rewrite an MPI program instead; see acisc --mpi --help">;
def list_phases : FF<"list-phases", "List the phases, and the steps inside of them">;
def list_phases_EQ : Joined<["--"], "list-phases=">, MetaVarName<"markdown">,
  HelpText<"The same as a page, with what each step needs and why it stands where it does">;
def list_refusals : FF<"list-refusals", "List as a page what is refused, and what to write instead">;
def color : FF<"color", "Colour messages">;
def no_color : FF<"no-color", "Do not colour messages">;
def help : Flag<["--", "-"], "help">, HelpText<"Print this help">;
def h : Flag<["-"], "h">, Alias<help>;
def version : FF<"version", "Print the version">;
}

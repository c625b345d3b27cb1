"""A compiler's command line: what it reads, and which of its flags are for what."""
import os
import shlex

C, CXX = (".c",), (".cc", ".cpp", ".cxx", ".c++", ".cp", ".C", ".CPP")
# Compiled by the same drivers, and not read by acisc.
OTHERS = (".f", ".F", ".for", ".f77", ".f90", ".F90", ".f95", ".F95", ".f03", ".F03", ".f08",
          ".F08", ".s", ".S", ".i", ".ii")
NO_LINK = ("-c", "-S", "-E", "-M", "-MM", "-fsyntax-only")
# Flags with a value of their own, by what they are for.
COMPILE = ("-I", "-D", "-U", "-isystem", "-iquote", "-idirafter", "-iprefix", "-include",
           "-imacros", "-isysroot", "--param", "-Xclang", "-Xpreprocessor", "-Xassembler",
           "-wrapper", "-aux-info", "-imultilib", "-dumpbase", "-dumpdir", "-B", "-specs")
LINK = ("-L", "-l", "-T", "-u", "-z", "-e", "-Xlinker", "-rpath", "-h")
DEPENDENCIES = ("-MF", "-MT", "-MQ")
LINK_ONLY = ("-L", "-l", "-Wl,", "-shared", "-static", "-s", "-rdynamic", "-nostartfiles",
             "-nodefaultlibs", "-nostdlib", "-pie", "-no-pie", "-r", "-T", "-fuse-ld=")
EXACT = ("-s", "-r", "-pie")


def is_link_only(flag):
    return flag in LINK_ONLY or (flag not in EXACT and flag.startswith(
        tuple(f for f in LINK_ONLY if f not in EXACT)))


def expanded(arguments, depth=8):
    """The arguments with those of response files (@file) in their place."""
    result = []
    for argument in arguments:
        if depth and argument.startswith("@") and os.path.isfile(argument[1:]):
            with open(argument[1:], errors="surrogateescape") as file:
                result += expanded(shlex.split(file.read()), depth - 1)
        else:
            result.append(argument)
    return result


class CommandLine:
    """`driver`: cc or cxx, which takes a .c for C++."""

    def __init__(self, arguments, driver):
        self.arguments = arguments = expanded(arguments)
        self.flags, self.dependencies = [], []  # of the compiler alone; -MMD and its like
        self.sources = {}                       # index of the argument: language
        self.others = set()                     # of other languages
        self.output, self.inputs = "", False
        language, i = "", 0
        while i < len(arguments):
            argument, value = arguments[i], arguments[i + 1:i + 2]
            if argument == "-x":
                language = value[0] if value else ""
                i += 1
            elif argument == "-o":
                self.output = value[0] if value else ""
                i += 1
            elif argument.startswith("-o"):
                self.output = argument[2:]
            elif argument in COMPILE:
                self.flags += [argument, *value]
                i += 1
            elif argument in LINK:
                self.inputs |= argument == "-l"
                i += 1
            elif argument in DEPENDENCIES:
                self.dependencies += [argument, *value]
                i += 1
            elif argument.startswith(("-M", "-Wp,-M")) and argument not in NO_LINK:
                self.dependencies.append(argument)
            elif argument[:1] != "-" or argument == "-":
                self.inputs = True
                if (found := self._language(argument, language, driver)):
                    self.sources[i] = found
                elif argument.endswith(OTHERS) and language in ("", "none"):
                    self.others.add(i)
            elif argument in NO_LINK:
                pass
            elif is_link_only(argument):
                self.inputs |= argument.startswith("-l")
            else:
                self.flags.append(argument)
            i += 1

    @staticmethod
    def _language(name, forced, driver):
        if not os.path.isfile(name):
            return ""
        if forced not in ("", "none"):
            return forced if forced in ("c", "c++") else ""
        ending = os.path.splitext(name)[1]
        return "c++" if ending in CXX or (ending in C and driver == "cxx") else (
            "c" if ending in C else "")

    @property
    def compiles_only(self):
        return "-c" in self.arguments and not self.stops_before

    @property
    def stops_before(self):
        """It makes no object."""
        return any(a in NO_LINK and a != "-c" for a in self.arguments) or "-###" in self.arguments

    @property
    def makes_program(self):
        return self.inputs and not self.stops_before and not any(
            a in ("-c", "-shared", "-r") for a in self.arguments)

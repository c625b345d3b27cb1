// The table, as lists by effect.
#include "compiler/rewriter/Library.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

namespace acis::rewriter {
namespace {

/// Clang's name for a class of the C++ library, e.g. "std::vector"; empty for others.
std::string stdClass(clang::QualType type) {
  const clang::CXXRecordDecl *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record || !record->isInStdNamespace())
    return "";
  return record->getQualifiedNameAsString();
}

bool isMath(llvm::StringRef name) {
  static const llvm::StringSet<> Names = {
      "sqrt",     "cbrt",    "fabs",    "abs",      "labs",   "llabs",  "pow",     "exp",
      "exp2",     "log",     "log2",    "log10",    "log1p",  "expm1",  "sin",     "cos",
      "tan",      "asin",    "acos",    "atan",     "atan2",  "sinh",   "cosh",    "tanh",
      "floor",    "ceil",    "round",   "trunc",    "rint",   "fmod",   "fmin",    "fmax",
      "fma",      "hypot",   "lround",  "copysign", "isnan",  "isinf",  "min",     "max",
      "clamp",    "toupper", "tolower", "isalpha",  "strlen", "strcmp", "strncmp", "memcmp",
      "popcount", "move",    "forward"};
  if (Names.contains(name))
    return true;
  // float and long double forms
  return !name.empty() && (name.back() == 'f' || name.back() == 'l') &&
         Names.contains(name.drop_back());
}

/// Declared by a system header, or by the language: old programs declare sqrt() themselves.
bool isOfLibrary(const clang::FunctionDecl *function) {
  if (function->getBuiltinID() || function->isInStdNamespace())
    return true;
  const clang::SourceManager &sources = function->getASTContext().getSourceManager();
  return llvm::any_of(function->redecls(), [&](const clang::FunctionDecl *decl) {
    return sources.isInSystemHeader(sources.getExpansionLoc(decl->getLocation()));
  });
}

LibraryEffect effectOfName(llvm::StringRef function) {
  llvm::StringRef name = function;
  bool isStd = name.consume_front("std::");
  name.consume_front("__builtin_");
  if (isMath(name))
    return LibraryEffect::Pure;
  using enum LibraryEffect;
  LibraryEffect effect =
      llvm::StringSwitch<LibraryEffect>(name)
          .Cases({"memcpy", "memmove", "memset", "strcpy", "strncpy", "swap"}, Memory)
          .Cases({"__memcpy_chk", "__memset_chk", "__memmove_chk"}, Memory)
          .Cases({"atoi", "atol", "atoll", "atof"}, Pure)
          .Cases({"strtol", "strtoul", "strtod", "sprintf", "snprintf"}, Memory)
          .Cases({"qsort", "bsearch"}, Loop)
          .Cases({"rand", "srand", "random", "srandom"}, Random)
          .Cases({"drand48", "srand48", "lrand48", "mrand48"}, Random)
          .Cases({"malloc", "calloc", "realloc", "free", "alloca"}, Alloc)
          .Cases({"aligned_alloc", "posix_memalign"}, Alloc)
          .Cases({"MPI_Wtime", "clock", "time", "gettimeofday"}, Timer)
          .Cases({"clock_gettime", "omp_get_wtime", "times", "getrusage"}, Timer)
          .Cases({"printf", "puts", "putchar", "fflush", "putc"}, Print)
          .Cases({"fprintf", "fputs", "fputc", "perror", "__printf_chk"}, Print)
          .Cases({"scanf", "fscanf", "fgets", "fread", "fwrite"}, Io)
          .Cases({"fopen", "fclose", "getchar", "fgetc", "vprintf"}, Io)
          .Cases({"write", "read", "open", "close", "sleep"}, Io)
          .Cases({"exit", "abort", "_exit", "__assert_fail", "MPI_Abort"}, Exit)
          .Cases({"expect", "unreachable", "assume"}, Pure)
          .Default(Unknown);
  if (effect != Unknown || !isStd)
    return effect;
  return llvm::StringSwitch<LibraryEffect>(name)
      .Cases({"accumulate", "inner_product", "reduce", "transform_reduce"}, Loop)
      .Cases({"fill", "fill_n", "copy", "copy_n", "copy_if", "iota"}, Loop)
      .Cases({"generate", "generate_n", "transform", "for_each"}, Loop)
      .Cases({"max_element", "min_element", "minmax_element"}, Loop)
      .Cases({"count", "count_if", "any_of", "all_of", "none_of", "equal"}, Loop)
      .Cases({"find", "find_if", "lower_bound", "upper_bound"}, Loop)
      .Cases({"partial_sum", "exclusive_scan", "inclusive_scan"}, Loop)
      .Cases({"adjacent_difference", "adjacent_find", "mismatch"}, Loop)
      .Cases({"sort", "stable_sort", "partial_sort", "nth_element"}, Loop)
      .Cases({"is_sorted", "binary_search", "merge", "inplace_merge"}, Loop)
      .Cases({"reverse", "rotate", "swap_ranges", "unique"}, Loop)
      .Cases({"remove", "remove_if", "replace", "replace_if"}, Loop)
      .Cases({"partition", "stable_partition"}, Loop)
      .Cases({"make_heap", "sort_heap", "push_heap", "pop_heap"}, Loop)
      .Case("endl", Print)
      .Default(Unknown);
}

} // namespace

LibraryEffect libraryEffect(const clang::FunctionDecl *function) {
  if (!function)
    return LibraryEffect::Unknown;
  std::string name = function->getQualifiedNameAsString();
  // mpi.h may be any file.
  bool isMpi = llvm::StringRef(name).starts_with("MPI_");
  return isMpi || isOfLibrary(function) ? effectOfName(name) : LibraryEffect::Unknown;
}

bool looksLikeClock(const clang::FunctionDecl *function) {
  if (!function || function->isVariadic() || !function->getDeclName().isIdentifier())
    return false;
  std::string name = function->getName().lower();
  static constexpr llvm::StringRef Words[] = {"timer",     "wtime",      "walltime", "wall_time",
                                              "wallclock", "wall_clock", "stopwatch"};
  auto isNumber = [](clang::QualType type) {
    return type->isArithmeticType() || type->isEnumeralType();
  };
  clang::QualType result = function->getReturnType();
  return llvm::any_of(Words, [&](llvm::StringRef word) { return name.find(word) != name.npos; }) &&
         (result->isVoidType() || isNumber(result)) &&
         llvm::all_of(function->parameters(),
                      [&](const clang::ParmVarDecl *param) { return isNumber(param->getType()); });
}

bool isContainer(clang::QualType type) {
  std::string name = stdClass(type);
  return name == "std::vector" || name == "std::array" || name == "std::unique_ptr" ||
         name == "std::valarray" || name == "std::span" || name == "std::basic_string";
}

bool isIterator(clang::QualType type) {
  const clang::CXXRecordDecl *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || isContainer(type))
    return false;
  std::string name = record->getQualifiedNameAsString();
  return llvm::StringRef(name).starts_with("__gnu_cxx::__normal_iterator") ||
         (record->isInStdNamespace() && name.find("iterator") != std::string::npos);
}

bool isStream(clang::QualType type) {
  std::string name = stdClass(type);
  return name.find("stream") != std::string::npos;
}

} // namespace acis::rewriter

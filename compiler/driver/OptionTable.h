// The option table that TableGen made of a .td file, as types of the including file:
//   #define ACIS_OPTION_TABLE "compiler/driver/Options.inc"
//   #include "compiler/driver/OptionTable.h"
// gives OPT_... ids and the class CommandLineTable. One table per source file.
#ifndef ACIS_OPTION_TABLE
#error "name the generated file of the table in ACIS_OPTION_TABLE"
#endif

#include "llvm/Option/OptTable.h"

namespace acis::driver {
namespace {

using namespace llvm::opt; // names of flags in the table

enum OptionId {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include ACIS_OPTION_TABLE
#undef OPTION
};

#define OPTTABLE_STR_TABLE_CODE
#include ACIS_OPTION_TABLE
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include ACIS_OPTION_TABLE
#undef OPTTABLE_PREFIXES_TABLE_CODE

constexpr llvm::opt::OptTable::Info InfoTable[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include ACIS_OPTION_TABLE
#undef OPTION
};

class CommandLineTable : public llvm::opt::GenericOptTable {
public:
  CommandLineTable() : GenericOptTable(OptionStrTable, OptionPrefixesTable, InfoTable) {}
};

} // namespace
} // namespace acis::driver

// From the tables that the compiler runs: Phases.def, passes/llvm/Steps.h, the dfg pass pipeline.
#include "compiler/driver/PhaseList.h"

#include "backend/overlay/Overlay.h"
#include "passes/dfg/Passes.h"
#include "passes/llvm/Steps.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace acis::driver {
namespace {

constexpr PhaseEntry Phases[] = {
#define ACIS_PHASE(id, name, gives) {Phase::id, name, gives},
#include "compiler/driver/Phases.def"
};

/// A row of the tables below a phase.
struct Row {
  std::string name, does, why, needs, gives, then;
};

StringRef textOf(Cleanup cleanup) {
  switch (cleanup) {
  case Cleanup::None:
    return "";
  case Cleanup::Promote:
    return "sroa";
  case Cleanup::Simplify:
    return "simplify";
  case Cleanup::PromoteAndSimplify:
    return "sroa, simplify";
  case Cleanup::LowerSwitch:
    return "lower-switch";
  }
  llvm_unreachable("a cleanup without a name");
}

std::vector<Row> formRows() {
  std::vector<Row> rows;
  for (const ModuleStep &step : moduleSteps())
    rows.push_back({step.name.str(), step.does.str(), step.why.str(), "", "", ""});
  for (const Step &step : handlerSteps())
    rows.push_back({step.name.str(), step.does.str(), step.why.str(), textOf(step.needs),
                    textOf(step.gives), textOf(step.then).str()});
  return rows;
}

std::vector<Row> dfgRows(ArrayRef<dfg::DfgStep> steps) {
  std::vector<Row> rows;
  Overlay any; // a pass is asked for its name only
  for (const dfg::DfgStep &step : steps) {
    std::unique_ptr<mlir::Pass> pass = step.create(any);
    rows.push_back({pass->getArgument().str(), pass->getDescription().str(), step.why,
                    dfg::textOf(step.needs), dfg::textOf(step.gives), ""});
  }
  return rows;
}

std::vector<Row> rowsOf(Phase phase) {
  if (phase == Phase::NormalForm)
    return formRows();
  if (phase == Phase::Optimise)
    return dfgRows(dfg::dfgSteps());
  if (phase == Phase::Map)
    return dfgRows(dfg::mapStep());
  return {};
}

void printTable(raw_ostream &out, const std::vector<Row> &rows) {
  const bool hasThen = any_of(rows, [](const Row &row) { return !row.then.empty(); });
  out << "| step | what it does | why it stands here | needs | holds from then on |"
      << (hasThen ? " when it changed something |\n" : "\n");
  out << "|---|---|---|---|---|" << (hasThen ? "---|\n" : "\n");
  for (const Row &row : rows) {
    out << formatv("| `{0}` | {1} | {2} | {3} | {4} |", row.name, row.does, row.why, row.needs,
                   row.gives);
    out << (hasThen ? " " + row.then + " |\n" : "\n");
  }
}

} // namespace

ArrayRef<PhaseEntry> phases() { return Phases; }

std::string phasesAsText() {
  std::string text;
  raw_string_ostream out(text);
  for (const PhaseEntry &entry : phases()) {
    out << left_justify(entry.name, 14) << entry.gives << '\n';
    for (const Row &row : rowsOf(entry.phase))
      out << "  " << left_justify(row.name, 26) << row.does << '\n';
  }
  return text;
}

std::string phasesAsMarkdown() {
  std::string text;
  raw_string_ostream out(text);
  out << "<!-- Printed by acisc --list-phases=markdown and mlir-tblgen; do not edit. -->\n\n"
         "# Phases and passes\n\n"
         "The way from a source file to a switch binary, in order. `--stop-after=<phase>` writes "
         "what a phase\ngives, `--stop-after=<step>` what a step of `normal-form` leaves.\n\n"
         "| phase | gives |\n|---|---|\n";
  for (const PhaseEntry &entry : phases())
    out << formatv("| `{0}` | {1} |\n", entry.name, entry.gives);
  for (const PhaseEntry &entry : phases()) {
    std::vector<Row> rows = rowsOf(entry.phase);
    if (rows.empty())
      continue;
    out << formatv("\n## {0}\n\n", entry.name);
    if (entry.phase == Phase::NormalForm)
      out << "Each step is a pass of `opt`, `acis-<step>`, of the plugin AcisPasses. What it gives "
             "holds up to\nthe end of the phase; `--verify-each` checks what a step needs, and all "
             "that holds behind it.\n\n";
    else
      out << "Each step is a pass of `acis-opt`, which checks the same with `dfg-transforms` and "
             "`dfg-pipeline`.\n\n";
    printTable(out, rows);
  }
  out << "\n## Passes of the dfg dialect\n\n";
  return text;
}

} // namespace acis::driver

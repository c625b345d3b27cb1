// MLIR's locations keep file, line and column, and the calls of inlined code.
#include "compiler/driver/MlirMessages.h"

#include "passes/dfg/NestLocation.h"
#include "passes/dfg/Refuse.h"

namespace acis::driver {

mlir::FileLineColLoc placeOf(mlir::Location location) {
  mlir::FileLineColLoc found;
  location->walk([&](mlir::Location part) {
    found = mlir::dyn_cast<mlir::FileLineColLoc>(part);
    return found ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return found;
}

namespace {

Severity severityOf(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Error:
    return Severity::Error;
  case mlir::DiagnosticSeverity::Warning:
    return Severity::Warning;
  case mlir::DiagnosticSeverity::Remark:
    return Severity::Remark;
  case mlir::DiagnosticSeverity::Note:
    break;
  }
  return Severity::Note;
}

Diagnostic convert(mlir::Diagnostic &from) {
  Diagnostic diagnostic;
  diagnostic.severity = severityOf(from.getSeverity());
  diagnostic.refusal = diagnostic.severity == Severity::Error ? dfg::refusalOf(from)
                                                              : Refusal(Why::Said, from.str());
  if (mlir::FileLineColLoc place = placeOf(from.getLocation())) {
    diagnostic.file = place.getFilename().str();
    diagnostic.line = place.getLine();
    diagnostic.column = place.getColumn();
  }
  diagnostic.nest = dfg::nestOf(from.getLocation());
  diagnostic.handler = diagnostic.nest.substr(0, diagnostic.nest.find('/'));
  for (mlir::Diagnostic &note : from.getNotes())
    diagnostic.note(convert(note));
  return diagnostic;
}

} // namespace

MlirMessages::MlirMessages(mlir::MLIRContext &context, Diagnostics &list)
    : handler(&context, [&list](mlir::Diagnostic &from) {
        list.push_back(convert(from));
        return mlir::success();
      }) {}

} // namespace acis::driver

// The value is metadata of the diagnostic: [kind, [part, ..]], which is not printed.
#include "passes/dfg/Refuse.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace acis::dfg {

InFlightDiagnostic refuse(Location at, const Refusal &refusal) {
  Builder builder(at.getContext());
  llvm::SmallVector<llvm::StringRef> parts(refusal.parts.begin(), refusal.parts.end());
  Attribute value = builder.getArrayAttr(
      {builder.getI32IntegerAttr(int32_t(refusal.why)), builder.getStrArrayAttr(parts)});
  InFlightDiagnostic error = mlir::emitError(at) << textOf(refusal);
  error.getUnderlyingDiagnostic()->getMetadata().push_back(DiagnosticArgument(value));
  return error;
}

InFlightDiagnostic refuse(const Refused &refused) {
  InFlightDiagnostic error = refuse(refused.at, refused.refusal);
  if (refused.elsewhere)
    error.attachNote(*refused.elsewhere) << refused.there;
  return error;
}

Refusal refusalOf(Diagnostic &diagnostic) {
  for (DiagnosticArgument &argument : diagnostic.getMetadata()) {
    if (argument.getKind() != DiagnosticArgument::DiagnosticArgumentKind::Attribute)
      continue;
    auto value = dyn_cast<ArrayAttr>(argument.getAsAttribute());
    if (!value || value.size() != 2)
      continue;
    Refusal refusal(Why(cast<IntegerAttr>(value[0]).getInt()));
    for (auto part : cast<ArrayAttr>(value[1]).getAsRange<StringAttr>())
      refusal.parts.push_back(part.str());
    return refusal;
  }
  return fault(diagnostic.str());
}

} // namespace acis::dfg

#include "backend/codegen/SourceError.h"

#include "llvm/Support/raw_ostream.h"

namespace acis::codegen {

char SourceError::ID = 0;

void SourceError::log(llvm::raw_ostream &os) const {
  if (!file.empty())
    os << file << ':' << line << ':' << column << ": ";
  os << "error: " << textOf(refusal);
}

std::error_code SourceError::convertToErrorCode() const { return llvm::inconvertibleErrorCode(); }

} // namespace acis::codegen

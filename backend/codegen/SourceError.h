// An error at a place in the user's source, as an llvm::Error.
#pragma once

#include "backend/support/Refusal.h"

#include "llvm/Support/Error.h"

#include <string>

namespace acis::codegen {

/// Prints as "file:line:column: error: text"; without a file as "error: text".
class SourceError : public llvm::ErrorInfo<SourceError> {
public:
  static char ID;

  SourceError(std::string file, unsigned line, unsigned column, Refusal refusal,
              std::string nest = "")
      : file(std::move(file)), refusal(std::move(refusal)), nest(std::move(nest)), line(line),
        column(column) {}

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

  std::string file;
  Refusal refusal;
  std::string nest; ///< "handler/nest" that it is about, if it is about one
  unsigned line = 0, column = 0;
};

} // namespace acis::codegen

// Errors of device buffers as MPI has them.
#pragma once

#include <mpi.h>

#include <string>

namespace acis::device {

/// A code with this text, of a class of this library, given to the error handler of `comm`; its
/// result is what the call returns. A handler that ends the program gets the text on standard error
/// first.
int raiseError(MPI_Comm comm, const std::string &text);

/// A code of MPI's own, likewise.
int raiseCode(MPI_Comm comm, int code);

} // namespace acis::device

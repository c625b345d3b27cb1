// See Errors.h.
#include "runtime/host/device/mpi/Errors.h"

#include <algorithm>
#include <cstdio>

namespace acis::device {

namespace {

/// MPICH gives no text to a code that is added to a class of the standard.
int errorClass() {
  static const int made = [] {
    int number = MPI_ERR_OTHER;
    PMPI_Add_error_class(&number);
    return number;
  }();
  return made;
}

} // namespace

int raiseError(MPI_Comm comm, const std::string &text) {
  MPI_Errhandler handler = MPI_ERRORS_ARE_FATAL;
  PMPI_Comm_get_errhandler(comm, &handler);
  if (handler == MPI_ERRORS_ARE_FATAL)
    std::fprintf(stderr, "acis: %s\n", text.c_str());
  PMPI_Errhandler_free(&handler);
  int code = MPI_ERR_OTHER;
  PMPI_Add_error_code(errorClass(), &code);
  std::string shortened = "acis: " + text;
  shortened.resize(std::min<size_t>(shortened.size(), MPI_MAX_ERROR_STRING - 1));
  PMPI_Add_error_string(code, shortened.data()); // not const in every mpi.h
  PMPI_Comm_call_errhandler(comm, code);
  return code;
}

int raiseCode(MPI_Comm comm, int code) {
  PMPI_Comm_call_errhandler(comm, code);
  return code;
}

} // namespace acis::device

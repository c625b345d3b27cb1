// The error codes of this library. Each has a text of its own, and to a program they are of the
// class MPI_ERR_OTHER: MPICH gives no text to a code that is added to a class of the standard,
// so they are added to one of ours, which MPI_Error_class does not show.
#include "runtime/host/mpi/interpose/Process.h"

#include <mpi.h>

#include <algorithm>
#include <cstdio>

namespace acis::mpi {
namespace {

int errorClass() {
  static const int made = [] {
    int number = MPI_ERR_OTHER;
    PMPI_Add_error_class(&number);
    return number;
  }();
  return made;
}

std::atomic<bool> anyRaised = false;

} // namespace

int raiseError(MPI_Comm comm, const std::string &text) {
  MPI_Errhandler handler = MPI_ERRORS_ARE_FATAL;
  PMPI_Comm_get_errhandler(comm, &handler);
  if (handler == MPI_ERRORS_ARE_FATAL)
    std::fprintf(stderr, "acis: rank %d: %s\n", process().rank, text.c_str());
  PMPI_Errhandler_free(&handler);

  anyRaised = true;
  int code = MPI_ERR_OTHER;
  PMPI_Add_error_code(errorClass(), &code);
  std::string shortened = "acis: " + text;
  shortened.resize(std::min<size_t>(shortened.size(), MPI_MAX_ERROR_STRING - 1));
  PMPI_Add_error_string(code, shortened.data()); // not const in every mpi.h
  PMPI_Comm_call_errhandler(comm, code);
  return code;
}

} // namespace acis::mpi

extern "C" int MPI_Error_class(int code, int *errorClass) {
  using namespace acis::mpi;
  const int result = PMPI_Error_class(code, errorClass);
  if (result == MPI_SUCCESS && anyRaised && *errorClass == acis::mpi::errorClass())
    *errorClass = MPI_ERR_OTHER;
  return result;
}

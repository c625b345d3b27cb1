// The MPI functions behind ours: those of libacis-mpi where that is loaded too, else the library's.
#pragma once

#include <dlfcn.h>
#include <mpi.h>

/// ACIS_NEXT(MPI_Send)(...)
#define ACIS_NEXT(name)                                                                            \
  ([]() -> decltype(&name) {                                                                       \
    static const auto found = reinterpret_cast<decltype(&name)>(dlsym(RTLD_NEXT, #name));          \
    return found;                                                                                  \
  }())

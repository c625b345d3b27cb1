// The names of persistent collectives: those of MPI 4, or of Open MPI's extension. INIT is not
// defined where the MPI underneath has none.
#pragma once

#include <mpi.h>
#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#if defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define INIT(prefix, mpi) prefix##X_##mpi##_init
#elif MPI_VERSION >= 4
#define INIT(prefix, mpi) prefix##_##mpi##_init
#endif
#define INIT_TEXT_OF(name) #name
#define INIT_TEXT(name) INIT_TEXT_OF(name)

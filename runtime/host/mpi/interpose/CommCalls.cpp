// The calls that make communicators: done by the MPI underneath, after which the members of a
// program with non-blocking collectives agree on an entry in the switch. MPI_Comm_idup and its like
// are not followed, since nothing may block in them; the first blocking collective on their result
// sets it up.
#include "runtime/host/mpi/interpose/Communicator.h"
#include "runtime/host/mpi/interpose/Process.h"

#include <mpi.h>

using namespace acis::mpi;

#define LIST(...) __VA_ARGS__

// The new communicator is the last parameter, `made`.
#define MAKES(name, parameters, arguments)                                                         \
  extern "C" int MPI_##name(parameters, MPI_Comm *made) {                                          \
    int code = PMPI_##name(arguments, made);                                                       \
    if (code == MPI_SUCCESS && process().settings.policy.joinsAtCreation)                          \
      setUp(*made);                                                                                \
    return code;                                                                                   \
  }

MAKES(Comm_dup, LIST(MPI_Comm comm), LIST(comm))
MAKES(Comm_dup_with_info, LIST(MPI_Comm comm, MPI_Info info), LIST(comm, info))
MAKES(Comm_split, LIST(MPI_Comm comm, int color, int key), LIST(comm, color, key))
MAKES(Comm_split_type, LIST(MPI_Comm comm, int type, int key, MPI_Info info),
      LIST(comm, type, key, info))
MAKES(Comm_create, LIST(MPI_Comm comm, MPI_Group group), LIST(comm, group))
MAKES(Comm_create_group, LIST(MPI_Comm comm, MPI_Group group, int tag), LIST(comm, group, tag))
MAKES(Cart_create,
      LIST(MPI_Comm comm, int dimensions, const int sizes[], const int periodic[], int reorder),
      LIST(comm, dimensions, sizes, periodic, reorder))
MAKES(Cart_sub, LIST(MPI_Comm comm, const int remaining[]), LIST(comm, remaining))
MAKES(Graph_create,
      LIST(MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder),
      LIST(comm, nodes, index, edges, reorder))
MAKES(Dist_graph_create,
      LIST(MPI_Comm comm, int n, const int sources[], const int degrees[], const int destinations[],
           const int weights[], MPI_Info info, int reorder),
      LIST(comm, n, sources, degrees, destinations, weights, info, reorder))
MAKES(Dist_graph_create_adjacent,
      LIST(MPI_Comm comm, int inDegree, const int sources[], const int sourceWeights[],
           int outDegree, const int destinations[], const int destinationWeights[], MPI_Info info,
           int reorder),
      LIST(comm, inDegree, sources, sourceWeights, outDegree, destinations, destinationWeights,
           info, reorder))
MAKES(Intercomm_merge, LIST(MPI_Comm comm, int high), LIST(comm, high))

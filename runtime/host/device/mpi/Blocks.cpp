// See Blocks.h.
#include "runtime/host/device/mpi/Blocks.h"

#include <vector>

namespace acis::device {

Blocks::Blocks(bool isUsed, int count, const int counts[], const int offsets[], MPI_Datatype of) {
  if (isUsed)
    make(
        PMPI_Type_indexed(count, const_cast<int *>(counts), const_cast<int *>(offsets), of, &type));
}

Blocks::Blocks(bool isUsed, int count, const int counts[], const int bytes[],
               const MPI_Datatype of[]) {
  if (!isUsed)
    return;
  const std::vector<MPI_Aint> wide(bytes, bytes + count);
  make(PMPI_Type_create_struct(count, const_cast<int *>(counts), wide.data(),
                               const_cast<MPI_Datatype *>(of), &type));
}

Blocks::Blocks(bool isUsed, int count, const int counts[], const MPI_Aint bytes[],
               const MPI_Datatype of[]) {
  if (isUsed)
    make(PMPI_Type_create_struct(count, const_cast<int *>(counts), const_cast<MPI_Aint *>(bytes),
                                 const_cast<MPI_Datatype *>(of), &type));
}

Blocks::~Blocks() {
  if (isMade)
    PMPI_Type_free(&type);
}

void Blocks::make(int code) {
  isMade = code == MPI_SUCCESS && PMPI_Type_commit(&type) == MPI_SUCCESS;
  if (!isMade)
    type = MPI_BYTE;
}

Neighbours::Neighbours(MPI_Comm comm) {
  int form = MPI_UNDEFINED, weighted = 0, rank = 0;
  PMPI_Topo_test(comm, &form);
  PMPI_Comm_rank(comm, &rank);
  if (form == MPI_CART) {
    PMPI_Cartdim_get(comm, &in);
    out = in *= 2;
  } else if (form == MPI_GRAPH) {
    PMPI_Graph_neighbors_count(comm, rank, &in);
    out = in;
  } else if (form == MPI_DIST_GRAPH) {
    PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
  }
}

} // namespace acis::device

#include "solver.hpp"
#include <cstdlib>
#include <iostream>
#include <mpi.h>
void exchange(Sparse *A, const double *x) {
  double *mine = A->send_buffer;
  double *outside = (double *)x + A->rows;
  int total = 0, rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Request *request = new MPI_Request[A->neighbours];
  for (int i = 0; i < A->neighbours; i++) {
    MPI_Irecv(outside, A->recv_length[i], MPI_DOUBLE, A->neighbour[i], 99, MPI_COMM_WORLD,
              request + i);
    outside += A->recv_length[i];
    total += A->send_length[i];
  }
  for (int i = 0; i < total; i++)
    mine[i] = x[A->to_send[i]];
  for (int i = 0; i < A->neighbours; i++) {
    MPI_Send(mine, A->send_length[i], MPI_DOUBLE, A->neighbour[i], 99, MPI_COMM_WORLD);
    mine += A->send_length[i];
  }
  MPI_Status status;
  for (int i = 0; i < A->neighbours; i++)
    if (MPI_Wait(request + i, &status)) {
      std::cerr << "MPI_Wait error\n" << std::endl;
      exit(-1);
    }
  delete[] request;
}

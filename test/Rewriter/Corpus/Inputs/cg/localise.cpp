#include "solver.hpp"
#include <cstdlib>
#include <iostream>
#include <map>
#include <mpi.h>
using std::cerr;
using std::cout;
using std::endl;
void localise(Sparse *A) {
  std::map<int, int> externals;
  int i, j, count_external = 0, rank, size;
  double t0;
  int debug = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int start_row = A->start_row, local_rows = A->rows;
  int *external_index = new int[10000];
  int *external_local = new int[10000];
  for (i = 0; i < local_rows; i++)
    for (j = 0; j < A->counts[i]; j++)
      if (A->columns_of[i][j] >= local_rows && externals.find(A->columns_of[i][j]) == externals.end())
        external_index[count_external++] = A->columns_of[i][j];
  if (debug) {
    t0 = timer() - t0;
    cout << "transformed in " << t0 << endl;
  }
  if (debug) t0 = timer();
  A->external = count_external;
  int *work = new int[size];
  int *offsets = new int[size];
  for (i = 0; i < size; i++) work[i] = 0;
  work[rank] = start_row;
  MPI_Allreduce(work, offsets, size, MPI_INT, /*@owners*/
                MPI_SUM, MPI_COMM_WORLD);
  // Who owns each
  int *owner = new int[count_external];
  int *new_owner = new int[count_external];
  for (i = 0; i < count_external; i++) {
    int index = external_index[i];
    for (int j = size - 1; j >= 0; j--)
      if (offsets[j] <= index) {
        owner[i] = j;
        break;
      }
  }
  if (debug) {
    t0 = timer() - t0;
    cout << "found in " << t0 << endl;
  }
  if (debug) t0 = timer();
  int count = local_rows;
  for (i = 0; i < count_external; i++) external_local[i] = -1;
  for (i = 0; i < count_external; i++)
    if (external_local[i] == -1) {
      external_local[i] = count++;
      for (j = i + 1; j < count_external; j++)
        if (owner[j] == owner[i])
          external_local[j] = count++;
    }
  for (i = 0; i < local_rows; i++)
    for (j = 0; j < A->counts[i]; j++)
      if (A->columns_of[i][j] < 0)
        A->columns_of[i][j] = external_local[externals[-A->columns_of[i][j] - 1]];
  for (i = 0; i < count_external; i++)
    new_owner[external_local[i] - local_rows] = owner[i];
  t0 = timer();
  int *talk = new int[size];
  for (i = 0; i < size; i++) talk[i] = 0;
  for (i = 0; i < count_external; i++) {
    if (talk[new_owner[i]] == 0)
      talk[new_owner[i]] = 1;
    talk[new_owner[i]] += size;
  }
  MPI_Allreduce(talk, work, size, MPI_INT, MPI_SUM, /*@talk*/
                MPI_COMM_WORLD);
  int senders = work[rank] % size;
  int total = (work[rank] - senders) / size;
  if (senders > 500) {
    cerr << "too many messages: " << senders << endl;
    abort();
  }
  if (total > 10000) {
    cerr << "too much to send" << endl;
    abort();
  }
  A->neighbours = senders;
  delete[] talk;
  delete[] offsets;
}

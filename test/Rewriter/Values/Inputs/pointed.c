// Numbers that begin with constants and are written through pointers before the op.
#include <mpi.h>
#include <stdio.h>
#define N 8
static void put(int *to, int value) { *to = value; }
struct pair { int first, second; };
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int turn = 0; turn < 3; turn++) {
    int limit = 3, other = 4, third = 7, wanted = turn, hits = 0, data[N], all[8];
    struct pair best = {-1, -2};
    int marks[N] = {9, 9, 9};
    int *p = turn ? &limit : &third;
    *p = rank + turn;
    put(&other, rank * 2);
    for (int i = 0; i < N; i++)
      data[i] = (i + rank) % 5;
    MPI_Bcast(&wanted, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++) {
      if (data[i] == wanted + limit) {
        best.first = i;
        hits += other;
        marks[i] = third;
      } else if (data[i] > 3)
        best.second = third;
    }
    MPI_Gather(&hits, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    int sum = 0;
    for (int i = 0; i < N; i++)
      sum = 11 * sum + marks[i];
    printf("%d: %d %d %d, %d\n", rank, hits, best.first, best.second, sum);
    if (rank == 0)
      for (int i = 0; i < size; i++)
        printf("all %d\n", all[i]);
  }
  MPI_Finalize();
}

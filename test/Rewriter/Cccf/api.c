// The calls by hand: requests with MPI_Wait, Test and Waitall, errors, a driver below.
// RUN: mpicc.mpich -Wall -Wextra -Werror -Wno-stringop-overflow -I%obj_root/include %s %libdir/libacis-cccf-mpich.a -o %t
// RUN: mpiexec.mpich -n 3 %t | FileCheck %s
// REQUIRES: mpich
#include <acis_cccf.h>
#include <stdio.h>

typedef struct {
  int *in, *out;
} Args;

static void twice(void *pointer) {
  Args *args = pointer;
  for (int i = 0; i < 8; i++)
    args->out[i] = 2 * args->in[i];
}

static int asked;
static int decline(const ACIS_Coll *first, const ACIS_Op *op, MPI_Comm comm, MPI_Request *request) {
  (void)first, (void)op, (void)comm, (void)request;
  asked++;
  return ACIS_DECLINED;
}
static int serve(const ACIS_Op *op, const ACIS_Coll *second, MPI_Comm comm, MPI_Request *request) {
  (void)op;
  return MPI_Ibarrier(comm, request) || second->kind != ACIS_COLL_ALLREDUCE;
}

int main(int argc, char **argv) {
  int a[8], b[8], c[8], d[8], rank, size, done = 0, error;
  MPI_Init(&argc, &argv);
  MPI_Comm comm = MPI_COMM_WORLD;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int i = 0; i < 8; i++)
    a[i] = rank + i;
  Args args = {b, c}, swapped = {a, d};
  ACIS_Op op = ACIS_Make_op(twice, &args), other = ACIS_Make_op(twice, &swapped);
  MPI_Request requests[3];

  ACIS_Ifused(ACIS_Allreduce(a, b, 8, MPI_INT, MPI_SUM), op,
              ACIS_Allreduce(c, d, 8, MPI_INT, MPI_MAX), comm, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  int good = requests[0] == MPI_REQUEST_NULL;
  for (int i = 0; i < 8; i++)
    good &= d[i] == 2 * (size * i + size * (size - 1) / 2);
  // CHECK: 0 fused 1
  if (rank == 0)
    printf("0 fused %d\n", good);

  ACIS_Isemifused(ACIS_Bcast(b, 8, MPI_INT, 1), op, comm, &requests[0]);
  while (!done)
    MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE);
  // CHECK: 1 semifused 1
  if (rank == 0)
    printf("1 semifused %d\n", c[3] == 2 * b[3]);

  ACIS_Ikernel(other, ACIS_Allreduce(MPI_IN_PLACE, d, 8, MPI_INT, MPI_SUM), comm, &requests[0]);
  ACIS_Isemifused(ACIS_Scan(b, b + 4, 2, MPI_INT, MPI_SUM), op, comm, &requests[1]);
  requests[2] = MPI_REQUEST_NULL;
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  // CHECK: 2 kernel 1
  if (rank == 0)
    printf("2 kernel %d\n", d[1] == 2 * (size + size * (size - 1) / 2));

  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  ACIS_Coll none = ACIS_Bcast(b, 8, MPI_INT, 0);
  none.kind = 0;
  int class = 0;
  error = ACIS_Isemifused(none, op, comm, &requests[0]);
  MPI_Error_class(error, &class);
  good = class == MPI_ERR_ARG && requests[0] == MPI_REQUEST_NULL;
  ACIS_Op empty = ACIS_Make_op(NULL, NULL);
  good &= ACIS_Isemifused(ACIS_Bcast(b, 8, MPI_INT, 0), empty, comm, &requests[0]) != MPI_SUCCESS;
  good &= ACIS_Ikernel(op, ACIS_Reduce_scatter(b, c, NULL, MPI_INT, MPI_SUM), comm, &requests[0]) !=
          MPI_SUCCESS;
  good &= ACIS_Isemifused(ACIS_Bcast(b, -1, MPI_INT, 0), op, comm, &requests[0]) != MPI_SUCCESS;
  // CHECK: 3 errors 1
  if (rank == 0)
    printf("3 errors %d\n", good);

  // The second collective is done all the same; its code is what is returned.
  for (int i = 0; i < 8; i++)
    d[i] = -1;
  error = ACIS_Ifused(ACIS_Bcast(b, 8, MPI_INT, size), op,
                      ACIS_Allreduce(c, d, 8, MPI_INT, MPI_MAX), comm, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  // CHECK: 4 first error 1
  if (rank == 0)
    printf("4 first error %d\n", error == MPI_SUCCESS && d[1] == 2 * b[1]);

  // Intercommunicators are not for drivers. Rank 0 is one half, the others are the other.
  MPI_Comm half, both;
  MPI_Comm_split(comm, rank > 0, rank, &half);
  MPI_Intercomm_create(half, 0, comm, rank > 0 ? 0 : 1, 3, &both);
  ACIS_Driver none_of_them = {ACIS_CCCF_VERSION, NULL, decline, serve};
  ACIS_Set_driver(&none_of_them);
  ACIS_Ikernel(op, ACIS_Allreduce(a, d, 8, MPI_INT, MPI_SUM), both, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  ACIS_Set_driver(NULL);
  // CHECK: 5 inter 1
  if (rank == 0)
    printf("5 inter %d\n", d[0] == size * (size - 1) / 2);
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);

  ACIS_Driver driver = {ACIS_CCCF_VERSION, NULL, decline, serve}, future = {99, NULL, NULL, NULL};
  good = ACIS_Set_driver(&future) == MPI_ERR_ARG && ACIS_Set_driver(&driver) == MPI_SUCCESS;
  long before, bySwitch, bySoftware;
  ACIS_Get_counts(&bySwitch, &before);
  ACIS_Isemifused(ACIS_Bcast(b, 8, MPI_INT, 0), op, comm, &requests[0]);
  good &= ACIS_Ikernel(op, ACIS_Allreduce(a, b, 8, MPI_INT, MPI_SUM), comm, &requests[1]) == 0;
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  ACIS_Get_counts(&bySwitch, &bySoftware);
  good &= asked == 1 && bySwitch == 1 && bySoftware == before + 1;
  ACIS_Set_driver(NULL);
  // CHECK: 6 driver 1
  if (rank == 0)
    printf("6 driver %d\n", good);
  MPI_Finalize();
  return 0;
}

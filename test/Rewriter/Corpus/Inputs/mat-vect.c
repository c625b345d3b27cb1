/* Dense matrix times vector in functions, with checks of errors. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
void Check_for_error(int local_ok, char fname[], char message[], MPI_Comm comm) {
  int ok;
  MPI_Allreduce(&local_ok, &ok, 1, MPI_INT, MPI_MIN, comm); /*@ok*/
  if (ok == 0) {
    int my_rank;
    MPI_Comm_rank(comm, &my_rank);
    if (my_rank == 0) {
      fprintf(stderr, "Proc %d > In %s, %s\n", my_rank, fname, message);
      fflush(stderr);
    }
    MPI_Finalize();
    exit(-1);
  }
}
void Get_dims(int *m_p, int *local_m_p, int *n_p, int *local_n_p, int my_rank, int comm_sz,
              MPI_Comm comm) {
  int local_ok = 1;
  if (my_rank == 0) {
    printf("Enter the number of rows\n");
    *m_p = 16;
    *n_p = 16;
  }
  MPI_Bcast(m_p, 1, MPI_INT, 0, comm); /*@m*/
  MPI_Bcast(n_p, 1, MPI_INT, 0, comm); /*@n*/
  if (*m_p <= 0 || *n_p <= 0 || *m_p % comm_sz != 0 || *n_p % comm_sz != 0)
    local_ok = 0;
  Check_for_error(local_ok, "Get_dims", "m and n must be positive", comm);
  *local_m_p = *m_p / comm_sz;
  *local_n_p = *n_p / comm_sz;
}
void Allocate_arrays(double **local_A_pp, double **local_x_pp, double **local_y_pp, int local_m,
                     int n, int local_n, MPI_Comm comm) {
  int local_ok = 1;
  *local_A_pp = malloc(local_m * n * sizeof(double));
  *local_x_pp = malloc(local_n * sizeof(double));
  *local_y_pp = malloc(local_m * sizeof(double));
  if (*local_A_pp == NULL || local_x_pp == NULL || local_y_pp == NULL)
    local_ok = 0;
  Check_for_error(local_ok, "Allocate_arrays", "Can't allocate local arrays", comm);
}
void Read_vector(char prompt[], double local_vec[], int n, int local_n, int my_rank,
                 MPI_Comm comm) {
  double *vec = NULL;
  int i, local_ok = 1;
  if (my_rank == 0) {
    vec = malloc(n * sizeof(double));
    if (vec == NULL)
      local_ok = 0;
    Check_for_error(local_ok, "Read_vector", "Can't allocate temporary vector", comm);
    printf("Enter the vector %s\n", prompt);
    for (i = 0; i < n; i++)
      vec[i] = i;
    MPI_Scatter(vec, local_n, MPI_DOUBLE, local_vec, local_n, MPI_DOUBLE, 0, comm); /*@rootscatter*/
    free(vec);
  } else {
    Check_for_error(local_ok, "Read_vector", "Can't allocate temporary vector", comm);
    MPI_Scatter(vec, local_n, MPI_DOUBLE, local_vec, local_n, MPI_DOUBLE, 0, comm); /*@otherscatter*/
  }
}
void Print_vector(char title[], double local_vec[], int n, int local_n, int my_rank,
                  MPI_Comm comm) {
  double *vec = NULL;
  int i, local_ok = 1;
  if (my_rank == 0) {
    vec = malloc(n * sizeof(double));
    if (vec == NULL)
      local_ok = 0;
    Check_for_error(local_ok, "Print_vector", "Can't allocate temporary vector", comm);
    MPI_Gather(local_vec, local_n, MPI_DOUBLE, vec, local_n, MPI_DOUBLE, 0, comm); /*@rootgather*/
    printf("\nThe vector %s\n", title);
    for (i = 0; i < n; i++)
      printf("%f ", vec[i]);
    printf("\n");
    free(vec);
  } else {
    Check_for_error(local_ok, "Print_vector", "Can't allocate temporary vector", comm);
    MPI_Gather(local_vec, local_n, MPI_DOUBLE, vec, local_n, MPI_DOUBLE, 0, comm); /*@othergather*/
  }
}
void Parallel_vector_sum(double local_x[], double local_y[], double local_z[], int local_n) {
  int local_i;
  for (local_i = 0; local_i < local_n; local_i++)
    local_z[local_i] = local_x[local_i] + local_y[local_i];
}
void Mat_vect_mult(double local_A[], double local_x[], double local_y[], int local_m, int n,
                   int local_n, MPI_Comm comm) {
  double *x;
  int local_i, j;
  int local_ok = 1;
  x = malloc(n * sizeof(double));
  if (x == NULL)
    local_ok = 0;
  Check_for_error(local_ok, "Mat_vect_mult", "Can't allocate temporary vector", comm);
  MPI_Allgather(local_x, local_n, MPI_DOUBLE, x, local_n, MPI_DOUBLE, comm); /*@x*/
  for (local_i = 0; local_i < local_m; local_i++) {
    local_y[local_i] = 0.0;
    for (j = 0; j < n; j++)
      local_y[local_i] += local_A[local_i * n + j] * x[j];
  }
  free(x);
}
int main(void) {
  double *local_A, *local_x, *local_y;
  int m, local_m, n, local_n, my_rank, comm_sz, i;
  MPI_Comm comm;
  MPI_Init(NULL, NULL);
  comm = MPI_COMM_WORLD;
  MPI_Comm_size(comm, &comm_sz);
  MPI_Comm_rank(comm, &my_rank);
  Get_dims(&m, &local_m, &n, &local_n, my_rank, comm_sz, comm);
  Allocate_arrays(&local_A, &local_x, &local_y, local_m, n, local_n, comm);
  for (i = 0; i < local_m * n; i++)
    local_A[i] = i % 7;
  Read_vector("x", local_x, n, local_n, my_rank, comm); /*@read*/
  Mat_vect_mult(local_A, local_x, local_y, local_m, n, local_n, comm); /*@mult*/
  Print_vector("y", local_y, m, local_m, my_rank, comm);
  Read_vector("y", local_y, n, local_n, my_rank, comm);
  Parallel_vector_sum(local_x, local_y, local_y, local_n);
  Print_vector("z", local_y, n, local_n, my_rank, comm);
  free(local_A);
  free(local_x);
  free(local_y);
  MPI_Finalize();
  return 0;
}

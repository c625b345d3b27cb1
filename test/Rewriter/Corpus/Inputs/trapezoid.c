// Three broadcasts in a function that reads the input, the trapezoid rule in another one.
#include <mpi.h>
#include <stdio.h>

void get_input(int my_rank, int comm_sz, double *a_p, double *b_p, int *n_p) {
  if (my_rank == 0) {
    printf("using the interval 0 3 and 1200 trapezoids\n");
    *a_p = 0;
    *b_p = 3;
    *n_p = 1200;
  }
  MPI_Bcast(a_p, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Bcast(b_p, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Bcast(n_p, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

double f(double x) { return x * x; }

double trap(double left, double right, int count, double width) {
  double estimate = (f(left) + f(right)) / 2.0;
  for (int i = 1; i <= count - 1; i++)
    estimate += f(left + i * width);
  return estimate * width;
}

int main(void) {
  int my_rank, comm_sz, n, local_n;
  double a, b, h, local_a, local_b, local_int, total_int;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &comm_sz);
  get_input(my_rank, comm_sz, &a, &b, &n); /*@input*/
  h = (b - a) / n;
  local_n = n / comm_sz;
  local_a = a + my_rank * local_n * h;
  local_b = local_a + local_n * h;
  local_int = trap(local_a, local_b, local_n, h);
  MPI_Reduce(&local_int, &total_int, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); /*@sum*/
  if (my_rank == 0)
    printf("from %f to %f: %.10e\n", a, b, total_int);
  MPI_Finalize();
  return 0;
}

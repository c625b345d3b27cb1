/* Input goes out as a structure. */
#include <mpi.h>
#include <stdio.h>
void Build_mpi_type(double *a_p, double *b_p, int *n_p, MPI_Datatype *type_p) {
  int lengths[3] = {1, 1, 1};
  MPI_Datatype types[3] = {MPI_DOUBLE, MPI_DOUBLE, MPI_INT};
  MPI_Aint a_addr, b_addr, n_addr, offsets[3] = {0};
  MPI_Get_address(a_p, &a_addr);
  MPI_Get_address(b_p, &b_addr);
  MPI_Get_address(n_p, &n_addr);
  offsets[1] = b_addr - a_addr;
  offsets[2] = n_addr - a_addr;
  MPI_Type_create_struct(3, lengths, offsets, types, type_p);
  MPI_Type_commit(type_p);
}
void Get_input(int my_rank, int comm_sz, double *a_p, double *b_p, int *n_p) {
  MPI_Datatype type;
  Build_mpi_type(a_p, b_p, n_p, &type);
  if (my_rank == 0) {
    *a_p = 0;
    *b_p = 3;
    *n_p = 120;
  }
  MPI_Bcast(a_p, 1, type, 0, MPI_COMM_WORLD); /*@inner*/
  MPI_Type_free(&type);
}
double f(double x) { return x * x; }
double Trap(double left, double right, int count, double width) {
  double estimate, x;
  int i;
  estimate = (f(left) + f(right)) / 2.0;
  for (i = 1; i <= count - 1; i++) {
    x = left + i * width;
    estimate += f(x);
  }
  estimate = estimate * width;
  return estimate;
}
int main(void) {
  int my_rank, comm_sz, n, local_n;
  double a, b, h, local_a, local_b, local_int, total_int;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &comm_sz);
  Get_input(my_rank, comm_sz, &a, &b, &n); /*@input*/
  h = (b - a) / n;
  local_n = n / comm_sz;
  local_a = a + my_rank * local_n * h;
  local_b = local_a + local_n * h;
  local_int = Trap(local_a, local_b, local_n, h);
  MPI_Reduce(&local_int, &total_int, 1, MPI_DOUBLE, MPI_SUM, 0, /*@sum*/
             MPI_COMM_WORLD);
  if (my_rank == 0)
    printf("%.15e\n", total_int);
  MPI_Finalize();
  return 0;
}

/* Histogram with bins between the global minimum and maximum (the textbook's program, MPI). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int which_bin(float data, float bin_maxes[], int bin_count, float min_meas) {
  int bottom = 0, top = bin_count - 1;
  while (bottom <= top) {
    int mid = (bottom + top) / 2;
    float bin_max = bin_maxes[mid];
    float bin_min = mid == 0 ? min_meas : bin_maxes[mid - 1];
    if (data >= bin_max)
      bottom = mid + 1;
    else if (data < bin_min)
      top = mid - 1;
    else
      return mid;
  }
  return bin_count - 1;
}

int main(int argc, char *argv[]) {
  int my_rank, comm_sz, bin_count = 10, local_count = 500;
  float bin_maxes[10], *local_data, lo, hi, range[2], min_meas, max_meas;
  int loc_bin_cts[10], bin_counts[10];
  MPI_Comm comm = MPI_COMM_WORLD;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(comm, &comm_sz);
  MPI_Comm_rank(comm, &my_rank);
  local_data = malloc(local_count * sizeof(float));
  for (int i = 0; i < local_count; i++)
    local_data[i] = (float)((i * 31 + my_rank * 17) % 97) / 8.0f;
  lo = hi = local_data[0];
  for (int i = 1; i < local_count; i++) {
    if (local_data[i] < lo)
      lo = local_data[i];
    if (local_data[i] > hi)
      hi = local_data[i];
  }
  MPI_Allreduce(&lo, &min_meas, 1, MPI_FLOAT, MPI_MIN, comm); /*@min*/
  MPI_Allreduce(&hi, &max_meas, 1, MPI_FLOAT, MPI_MAX, comm); /*@max*/
  range[0] = (max_meas - min_meas) / bin_count;
  for (int b = 0; b < bin_count; b++) {
    bin_maxes[b] = min_meas + range[0] * (b + 1);
    loc_bin_cts[b] = 0;
  }
  for (int i = 0; i < local_count; i++) {
    int bin = which_bin(local_data[i], bin_maxes, bin_count, min_meas);
    loc_bin_cts[bin]++;
  }
  MPI_Reduce(loc_bin_cts, bin_counts, bin_count, MPI_INT, MPI_SUM, 0, comm); /*@bins*/
  if (my_rank == 0)
    for (int b = 0; b < bin_count; b++) {
      printf("%.3f:\t", bin_maxes[b]);
      for (int j = 0; j < bin_counts[b] / 20; j++)
        printf("X");
      printf("\n");
    }
  free(local_data);
  MPI_Finalize();
  return 0;
}

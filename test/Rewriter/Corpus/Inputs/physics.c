/* Bodies, histograms, ring products, scans. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct {
  double *x, *y, *fx, *fy, *mass;
  int local, total;
} Bodies;
void forces(Bodies *b, MPI_Comm comm) {
  double *all = malloc(b->total * sizeof(double));
  MPI_Allgather(b->x, b->local, MPI_DOUBLE, all, b->local, MPI_DOUBLE, comm); /*@bodies*/
  for (int i = 0; i < b->local; i++) {
    b->fx[i] = 0;
    for (int j = 0; j < b->total; j++) {
      double d = all[j] - b->x[i];
      if (d != 0)
        b->fx[i] += b->mass[j] * d / (fabs(d) * d * d);
    }
  }
  free(all);
}
void equalise(unsigned char *image, int n, MPI_Comm comm) {
  int histogram[256] = {0}, all[256], cdf[256], sum = 0;
  for (int i = 0; i < n; i++)
    histogram[image[i]]++;
  MPI_Allreduce(histogram, all, 256, MPI_INT, MPI_SUM, comm); /*@histogram*/
  for (int i = 0; i < 256; i++) {
    sum += all[i];
    cdf[i] = sum;
  }
  for (int i = 0; i < n; i++)
    image[i] = (unsigned char)(cdf[image[i]] * 255 / sum);
}
void offsets(int mine, int *starts, int n, MPI_Comm comm) {
  int before;
  MPI_Scan(&mine, &before, 1, MPI_INT, MPI_SUM, comm); /*@scan*/
  before -= mine;
  for (int i = 0; i < n; i++)
    starts[i] += before;
}
void ring_product(double *a, double *b, double *c, int n, MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int step = 0; step < size; step++) {
    int k0 = (rank + step) % size * n;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
          c[i * n + j] += a[i * n * size + k0 + k] * b[k * n + j];
    MPI_Sendrecv_replace(b, n * n, MPI_DOUBLE, (rank + size - 1) % size, 0, (rank + 1) % size, 0,
                         comm, MPI_STATUS_IGNORE);
  }
}
void summa(double *a, double *b, double *c, double *pa, double *pb, int n, int q, MPI_Comm row,
           MPI_Comm col) {
  for (int k = 0; k < q; k++) {
    memcpy(pa, a, n * n * sizeof(double));
    memcpy(pb, b, n * n * sizeof(double));
    MPI_Bcast(pa, n * n, MPI_DOUBLE, k, row); /*@pa*/
    MPI_Bcast(pb, n * n, MPI_DOUBLE, k, col); /*@pb*/
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) /* the product */
        for (int l = 0; l < n; l++)
          c[i * n + j] += pa[i * n + l] * pb[l * n + j];
  }
}
void gram_schmidt(double *v, double *basis, int m, int n, MPI_Comm comm) {
  double *h = malloc(m * sizeof(double)), *g = malloc(m * sizeof(double));
  for (int k = 0; k < m; k++) {
    h[k] = 0;
    for (int i = 0; i < n; i++)
      h[k] += basis[k * n + i] * v[i];
  }
  MPI_Allreduce(h, g, m, MPI_DOUBLE, MPI_SUM, comm); /*@project*/
  for (int k = 0; k < m; k++)
    for (int i = 0; i < n; i++)
      v[i] -= g[k] * basis[k * n + i];
  double local = 0, norm;
  for (int i = 0; i < n; i++)
    local += v[i] * v[i];
  MPI_Allreduce(&local, &norm, 1, MPI_DOUBLE, MPI_SUM, comm); /*@length*/
  norm = 1 / sqrt(norm);
  for (int i = 0; i < n; i++)
    basis[m * n + i] = v[i] * norm;
  free(h);
  free(g);
}
void work(double *tasks, double *mine, int n, int rank, MPI_Comm comm) {
  double part = 0, all = 0;
  MPI_Scatter(tasks, n, MPI_DOUBLE, mine, n, MPI_DOUBLE, 0, comm); /*@tasks*/
  for (int i = 0; i < n; i++)
    part += sin(mine[i]);
  MPI_Allreduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, comm); /*@work*/
  for (int i = 0; i < n; i++)
    mine[i] /= all;
  MPI_Gather(mine, n, MPI_DOUBLE, tasks, n, MPI_DOUBLE, 0, comm); /*@back*/
  MPI_Barrier(comm);
  if (rank == 0)
    printf("%g\n", tasks[0]);
}
void saved(double *field, int n, int rank, MPI_Comm comm) {
  double *all = NULL;
  FILE *file;
  if (rank == 0)
    all = malloc(64 * n * sizeof(double));
  MPI_Gather(field, n, MPI_DOUBLE, all, n, MPI_DOUBLE, 0, comm); /*@saved*/
  if (rank == 0) {
    file = fopen("/dev/null", "w");
    for (int i = 0; i < n; i++)
      fprintf(file, "%g\n", all[i]);
    fclose(file);
    free(all);
  }
}
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double tasks[1024], mine[16], basis[64] = {1};
  int starts[16] = {0};
  unsigned char image[64] = {3, 4, 5};
  for (int i = 0; i < 1024; i++)
    tasks[i] = i;
  work(tasks, mine, 16, rank, MPI_COMM_WORLD);
  gram_schmidt(mine, basis, 2, 16, MPI_COMM_WORLD);
  offsets(rank, starts, 16, MPI_COMM_WORLD);
  equalise(image, 64, MPI_COMM_WORLD);
  saved(mine, 16, rank, MPI_COMM_WORLD);
  printf("%g %d %d\n", mine[3], starts[2], image[4]);
  MPI_Finalize();
  return 0;
}

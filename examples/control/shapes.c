/* Five small programs of the communication of well-known ones, to measure how their ranks wait
 * (docs/control.md).
 *
 * usage: shapes SHAPE STEPS
 *
 *   graph      labels spread over a random graph, until few change (as miniVite)
 *   assembly   conjugate gradients on small blocks: little work between two sums (as miniFE)
 *   gradients  the same on large blocks (as HPCCG)
 *   particles  forces in cells, whose particles move between ranks (as CoMD)
 *   blast      a stencil whose step is the least that any cell allows (as LULESH)
 *
 * Prints one number that all of its work went into. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks;
static unsigned state;

static double uniform(void) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) / 16777216.0;
}

static double sum_of_all(double mine, MPI_Op op) {
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
  return all;
}

/* First and last element of `with` are the neighbours' last and first ones. */
static void exchange(double *with, int inner, int width) {
  const int left = rank ? rank - 1 : MPI_PROC_NULL;
  const int right = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  MPI_Sendrecv(with + width, width, MPI_DOUBLE, left, 0, with + (inner + 1) * width, width,
               MPI_DOUBLE, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(with + inner * width, width, MPI_DOUBLE, right, 1, with, width, MPI_DOUBLE, left, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double graph(int steps) {
  enum { Vertices = 20000, Degree = 12 };
  int *to = malloc(sizeof(int) * Vertices * Degree), *label = malloc(sizeof(int) * Vertices);
  double last = 0;
  for (int v = 0; v < Vertices; ++v) {
    label[v] = v;
    for (int e = 0; e < Degree; ++e)
      to[v * Degree + e] = (int)(uniform() * uniform() * Vertices); /* a few have many neighbours */
  }
  for (int step = 0; step < steps; ++step) {
    double changes = 0;
    for (int v = step % 4; v < Vertices; v += 1 + step % 4) {
      int least = label[v];
      for (int e = 0; e < Degree; ++e)
        least = label[to[v * Degree + e]] < least ? label[to[v * Degree + e]] : least;
      changes += least != label[v];
      label[v] = least;
    }
    last += sum_of_all(changes, MPI_SUM);
    if (step % 20 == 19) /* a new graph grows: some vertices begin again */
      for (int v = 0; v < Vertices; ++v)
        label[v] = v;
  }
  free(to);
  free(label);
  return last;
}

static double conjugate_gradients(int steps, int n) {
  const int plane = n * n, cells = n * plane;
  double *x = calloc((size_t)cells, 8), *r = calloc((size_t)cells, 8);
  double *p = calloc((size_t)(cells + 2 * plane), 8), *q = calloc((size_t)cells, 8);
  double rr = 0;
  for (int i = 0; i < cells; ++i)
    r[i] = p[plane + i] = 1 + i % 3;
  for (int i = 0; i < cells; ++i)
    rr += r[i] * r[i];
  rr = sum_of_all(rr, MPI_SUM);
  for (int step = 0; step < steps; ++step) {
    exchange(p, n, plane);
    double pq = 0, next = 0;
    for (int i = 0; i < cells; ++i) {
      const double *at = p + plane + i;
      double value = 6.1 * at[0] - at[-plane] - at[plane];
      value -= i % n ? at[-1] : 0;
      value -= (i + 1) % n ? at[1] : 0;
      value -= i % plane >= n ? at[-n] : 0;
      value -= i % plane < plane - n ? at[n] : 0;
      q[i] = value;
      pq += at[0] * value;
    }
    const double alpha = rr / sum_of_all(pq, MPI_SUM);
    for (int i = 0; i < cells; ++i) {
      x[i] += alpha * p[plane + i];
      r[i] -= alpha * q[i];
      next += r[i] * r[i];
    }
    next = sum_of_all(next, MPI_SUM);
    for (int i = 0; i < cells; ++i)
      p[plane + i] = r[i] + next / rr * p[plane + i];
    rr = next;
    if (rr < 1e-20) /* begins again */
      for (int i = 0; i < cells; ++i)
        rr += (r[i] = p[plane + i] = 1 + i % 3) * r[i];
  }
  double sum = 0;
  for (int i = 0; i < cells; ++i)
    sum += x[i];
  free(x), free(r), free(p), free(q);
  return sum_of_all(sum, MPI_SUM);
}

static double particles(int steps) {
  enum { Most = 4000, Cells = 16 };
  static double at[Most], speed[Most];
  int count = Most / 4;
  double energy = 0;
  for (int i = 0; i < count; ++i) {
    at[i] = uniform();
    speed[i] = 0.2 * (uniform() - 0.5);
  }
  for (int step = 0; step < steps; ++step) {
    double mine = 0;
    for (int i = 0; i < count; ++i)
      for (int j = i + 1; j < count; ++j) {
        const double d = at[i] - at[j];
        if (fabs(d) < 1.0 / Cells)
          mine += 1 / (d * d + 1e-4);
      }
    energy += sum_of_all(mine, MPI_SUM);
    /* Who leaves at the right goes to the next rank, round about. */
    double leave[Most], come[Most];
    int leaving = 0, stay = 0;
    for (int i = 0; i < count; ++i) {
      at[i] += fabs(speed[i]) * (rank % 2 ? 0.05 : 0.02);
      if (at[i] >= 1 && leaving < Most / 8)
        leave[leaving++] = at[i] - floor(at[i]);
      else {
        at[stay] = fmod(at[i], 1);
        speed[stay++] = speed[i];
      }
    }
    MPI_Status status;
    MPI_Sendrecv(leave, leaving, MPI_DOUBLE, (rank + 1) % ranks, 0, come, Most, MPI_DOUBLE,
                 (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, &status);
    int coming = 0;
    MPI_Get_count(&status, MPI_DOUBLE, &coming);
    for (count = stay; coming > 0 && count < Most; ++count) {
      at[count] = come[--coming];
      speed[count] = 0.2 * (uniform() - 0.5);
    }
  }
  return energy;
}

static double blast(int steps) {
  enum { Cells = 60000 };
  double *energy = calloc(Cells + 2, 8), *next = calloc(Cells + 2, 8), time = 0;
  if (rank == 0)
    energy[1] = 1e4;
  for (int step = 0; step < steps; ++step) {
    exchange(energy, Cells, 1);
    double least = 1;
    for (int i = 1; i <= Cells; ++i) {
      const double flux = energy[i - 1] - 2 * energy[i] + energy[i + 1];
      if (energy[i] > 1e-9) /* only where the blast has been */
        least = fmin(least, 0.4 / (1 + sqrt(energy[i])));
      next[i] = energy[i] + 0.3 * flux;
    }
    time += sum_of_all(least, MPI_MIN);
    memcpy(energy + 1, next + 1, Cells * 8);
  }
  free(energy);
  free(next);
  return time;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  state = 12345u + 77u * (unsigned)rank;
  const char *shape = argc > 2 ? argv[1] : "";
  const int steps = argc > 2 ? atoi(argv[2]) : 0;
  double result = 0;
  int known = 1;
  if (strcmp(shape, "graph") == 0)
    result = graph(steps);
  else if (strcmp(shape, "assembly") == 0)
    result = conjugate_gradients(steps, 10);
  else if (strcmp(shape, "gradients") == 0)
    result = conjugate_gradients(steps, 48);
  else if (strcmp(shape, "particles") == 0)
    result = particles(steps);
  else if (strcmp(shape, "blast") == 0)
    result = blast(steps);
  else
    known = 0;
  if (rank == 0 && known)
    printf("%s %.10g\n", shape, result);
  else if (rank == 0)
    fprintf(stderr, "usage: shapes graph|assembly|gradients|particles|blast STEPS\n");
  MPI_Finalize();
  return !known;
}

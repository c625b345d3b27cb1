/* usage: kmeans BINARY NODES
 * k-means of points that lie on memory nodes and stay there: in each step the centres go to them,
 * and the sums of each node come back. Checked against the same on this host. */
#include "kmeans-host.h"
#include "runtime/host/near/acis_near.h"

static void check(const char *problem) {
  if (problem) {
    fprintf(stderr, "kmeans: error: %s\n", problem);
    exit(1);
  }
}

static void check_here(const struct point *points, int count, const struct point *centres) {
  struct point here[CENTRES];
  struct sums sums[CENTRES];
  memcpy(here, points, sizeof here);
  for (int i = 0; i < STEPS; i++) {
    add_points(points, count, here, sums);
    move_centres(here, sums);
  }
  check(memcmp(here, centres, sizeof here) ? "this host finds other centres" : NULL);
}

static char binary[1 << 20];

static size_t read_binary(const char *path) {
  FILE *file = fopen(path, "rb");
  check(file ? NULL : "the binary cannot be read");
  const size_t size = fread(binary, 1, sizeof binary, file);
  fclose(file);
  return size;
}

int main(int argc, char **argv) {
  struct point centres[CENTRES];
  struct sums sums[CENTRES];
  acis_near_function *step;
  acis_near_block *there, *middle, *partial;
  acis_near_request request;
  const char *error = argc == 3 ? NULL : "a binary and addresses of nodes are needed";
  check(error);
  acis_near *near = acis_near_open(argv[2], 1, "", 0, 1, &error);
  check(error);
  const int count = EACH * (int)acis_near_nodes(near);
  struct point *points = make_points(count, centres);
  const size_t size = read_binary(argv[1]);
  check(acis_near_load(near, binary, size, "kmeans_step", sizeof *points, sizeof sums, &step));
  check(acis_near_alloc(near, EACH * sizeof *points, &there));
  check(acis_near_alloc(near, sizeof centres, &middle));
  check(acis_near_alloc(near, sizeof sums, &partial));
  check(acis_near_scatter(near, points, there, EACH * sizeof *points));
  for (int i = 0; i < STEPS; i++) {
    check(acis_near_bcast(near, centres, middle, sizeof centres));
    check(acis_near_local_reduce(near, step, there, middle, partial, EACH, &request));
    check(acis_near_wait(near, request, NULL));
    check(acis_near_reduce(near, partial, sums, 3 * CENTRES, ACIS_INT32, ACIS_SUM));
    move_centres(centres, sums);
  }
  acis_near_close(near);
  print_centres(centres);
  check_here(points, count, centres);
  free(points);
  return 0;
}

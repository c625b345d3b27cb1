/* User operators on items of several elements, in long calls: whatever way a call goes, the
 * operator has to see whole items. Prints a hash of each result. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

/* x -> a x + b modulo 2^32, one behind the other, and how many: associative, not commutative. */
void compose(void *before, void *behind, int *items, MPI_Datatype *type) {
  const uint32_t *a = before;
  uint32_t *b = behind;
  for (int i = 0; i < *items; i++, a += 3, b += 3) {
    const uint32_t factor = a[0] * b[0], shift = a[1] * b[0] + b[1];
    b[0] = factor, b[1] = shift, b[2] += a[2];
  }
}

/* The same of many shifts; items of 6,000 numbers are longer than what a call is cut into. */
enum { Row = 6000 };
void rows(void *before, void *behind, int *items, MPI_Datatype *type) {
  const uint32_t *a = before;
  uint32_t *b = behind;
  for (int i = 0; i < *items; i++, a += Row, b += Row) {
    for (int k = 1; k < Row; k++)
      b[k] += a[k] * b[0];
    b[0] *= a[0];
  }
}

/* The larger character. */
void later(void *before, void *behind, int *items, MPI_Datatype *type) {
  const char *a = before;
  char *b = behind;
  for (int i = 0; i < *items; i++)
    b[i] = a[i] > b[i] ? a[i] : b[i];
}

static uint32_t *numbers(size_t count) {
  uint32_t *at = malloc(4 * count);
  for (size_t i = 0; i < count; i++)
    at[i] = (uint32_t)(i * 2654435761u + rank * 40503u) | 1;
  return at;
}

static void say(const char *what, int items, const void *result, size_t bytes) {
  uint64_t hash = 1469598103934665603u;
  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ ((const uint8_t *)result)[i]) * 1099511628211u;
  printf("%d %s of %d: %016llx\n", rank, what, items, (unsigned long long)hash);
}

static void all(const char *what, int items, MPI_Datatype type, size_t bytes, MPI_Op op) {
  uint32_t *give = numbers(items * size * bytes / 4), *take = calloc(items * size, bytes);
  MPI_Allreduce(give, take, items, type, op, MPI_COMM_WORLD);
  say(what, items, take, items * bytes);
  MPI_Reduce(give, take, items, type, op, size - 1, MPI_COMM_WORLD);
  say("reduce", items, take, items * bytes);
  MPI_Scan(give, take, items, type, op, MPI_COMM_WORLD);
  say("scan", items, take, items * bytes);
  MPI_Reduce_scatter_block(give, take, items, type, op, MPI_COMM_WORLD);
  say("blocks", items, take, items * bytes);
  int counts[64];
  for (int r = 0; r < size; r++)
    counts[r] = r == 0 ? items * size : 0;
  MPI_Reduce_scatter(give, take, counts, type, op, MPI_COMM_WORLD);
  say("scatter", items, take, counts[rank] * bytes);
  MPI_Request request;
  MPI_Iallreduce(MPI_IN_PLACE, give, items, type, op, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  say("in place", items, give, items * bytes);
  free(give);
  free(take);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Datatype three, row;
  MPI_Type_contiguous(3, MPI_UINT32_T, &three);
  MPI_Type_contiguous(Row, MPI_UINT32_T, &row);
  MPI_Type_commit(&three);
  MPI_Type_commit(&row);
  MPI_Op then, times;
  MPI_Op_create(compose, 0, &then);
  MPI_Op_create(rows, 0, &times);
  for (int items = 1; items < 20000; items = items * 5 + 2)
    all("three", items, three, 12, then);
  uint32_t *give = numbers(Row * 5), *take = calloc(Row * 5, 4);
  MPI_Allreduce(give, take, 5, row, times, MPI_COMM_WORLD);
  say("rows", 5, take, Row * 5 * 4);
  free(give);
  free(take);
  static char text[70001], last[70001];
  for (int i = 0; i < 70000; i++)
    text[i] = (char)('a' + (i * 7 + rank * 11) % 26);
  MPI_Op letter;
  MPI_Op_create(later, 1, &letter);
  MPI_Allreduce(text, last, 70001, MPI_CHAR, letter, MPI_COMM_WORLD);
  say("letters", 70000, last, 70001);
  MPI_Finalize();
  return 0;
}

/* User operators on items that are no row of equal elements, or do not lie in memory as such.
 *
 *   structs FILE MOST
 *
 * Writes a hash of what the members are in each result, of less than MOST items, to FILE.RANK, and
 * at the end (SAY_TOUCHED) whether anything between members was written to. */
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, touched;
enum { Filler = 0x5a };

/* How a member lies in an item of a type. */
struct member {
  int at, bytes;
};
struct layout {
  const char *name;
  MPI_Datatype type;
  int extent, numMembers;
  struct member members[9];
  MPI_Op op;
};

static struct layout layouts[8];
static int numLayouts;

/* The function is told the type only. */
static const struct layout *layoutOf(MPI_Datatype type) {
  for (int i = 0; i < numLayouts; i++)
    if (layouts[i].type == type)
      return &layouts[i];
  abort();
}

/* The larger value with where it is; the first of equal ones: not commutative. */
void larger(void *before, void *behind, int *items, MPI_Datatype *type) {
  const struct layout *layout = layoutOf(*type);
  const char *a = before;
  char *b = behind;
  for (int i = 0; i < *items; i++, a += layout->extent, b += layout->extent) {
    double p, q;
    memcpy(&p, a + layout->members[0].at, 8);
    memcpy(&q, b + layout->members[0].at, 8);
    if (p >= q)
      for (int m = 0; m < 2; m++)
        memcpy(b + layout->members[m].at, a + layout->members[m].at, layout->members[m].bytes);
  }
}

/* Products of 3 x 3 matrices modulo 2^32. */
void product(void *before, void *behind, int *items, MPI_Datatype *type) {
  const struct layout *layout = layoutOf(*type);
  const char *a = before;
  char *b = behind;
  for (int i = 0; i < *items; i++, a += layout->extent, b += layout->extent) {
    uint32_t left[9], right[9];
    for (int m = 0; m < 9; m++) {
      memcpy(&left[m], a + layout->members[m].at, 4);
      memcpy(&right[m], b + layout->members[m].at, 4);
    }
    for (int m = 0; m < 9; m++) {
      uint32_t sum = 0;
      for (int k = 0; k < 3; k++)
        sum += left[m / 3 * 3 + k] * right[k * 3 + m % 3];
      memcpy(b + layout->members[m].at, &sum, 4);
    }
  }
}

/* Sums of all members: two of 16 and 64 bits, and one of 8. */
void sums(void *before, void *behind, int *items, MPI_Datatype *type) {
  const struct layout *layout = layoutOf(*type);
  const char *a = before;
  char *b = behind;
  for (int i = 0; i < *items; i++, a += layout->extent, b += layout->extent)
    for (int m = 0; m < layout->numMembers; m++) {
      uint64_t x = 0, y = 0; /* the machine is little-endian */
      memcpy(&x, a + layout->members[m].at, layout->members[m].bytes);
      memcpy(&y, b + layout->members[m].at, layout->members[m].bytes);
      y += x;
      memcpy(b + layout->members[m].at, &y, layout->members[m].bytes);
    }
}

static int isMember(const struct layout *layout, int at) {
  for (int m = 0; m < layout->numMembers; m++)
    if (at >= layout->members[m].at && at < layout->members[m].at + layout->members[m].bytes)
      return 1;
  return 0;
}

static void say(const struct layout *layout, const char *call, int asked, int items,
                const unsigned char *result) {
  uint64_t hash = 1469598103934665603u;
  for (int i = 0; i < items; i++)
    for (int at = 0; at < layout->extent; at++) {
      const unsigned char byte = result[(size_t)i * layout->extent + at];
      if (isMember(layout, at))
        hash = (hash ^ byte) * 1099511628211u;
      else
        touched += byte != Filler;
    }
  printf("%d %s %s of %d: %016llx\n", rank, layout->name, call, asked, (unsigned long long)hash);
}

static unsigned char *empty(const struct layout *layout, int items) {
  return memset(malloc((size_t)items * layout->extent), Filler, (size_t)items * layout->extent);
}

static unsigned char *given(const struct layout *layout, int items) {
  unsigned char *at = empty(layout, items);
  for (int i = 0; i < items; i++)
    for (int m = 0; m < layout->numMembers; m++) {
      const struct member *member = &layout->members[m];
      const uint64_t bits = (i * 31 + m * 7 + rank * 13) * 2654435761u | 1;
      const double value = (i * 7 + rank * 5) % 11;
      memcpy(at + (size_t)i * layout->extent + member->at,
             layout->op == layouts[0].op && m == 0 ? (const void *)&value : &bits, member->bytes);
    }
  return at;
}

static void all(const struct layout *of, int items) {
  const MPI_Datatype type = of->type;
  unsigned char *give = given(of, items * size), *take = empty(of, items * size);
  MPI_Request requests[2];
  int counts[64];
  MPI_Allreduce(give, take, items, type, of->op, MPI_COMM_WORLD);
  say(of, "allreduce", items, items, take);
  MPI_Reduce(give, take, items, type, of->op, size - 1, MPI_COMM_WORLD);
  say(of, "reduce", items, items, take);
  MPI_Scan(give, take, items, type, of->op, MPI_COMM_WORLD);
  say(of, "scan", items, items, take);
  memset(take, Filler, (size_t)items * of->extent);
  MPI_Exscan(give, take, items, type, of->op, MPI_COMM_WORLD);
  if (rank > 0)
    say(of, "exscan", items, items, take);
  else
    for (int i = 0; i < items * of->extent; i++)
      touched += take[i] != Filler;
  MPI_Reduce_scatter_block(give, take, items, type, of->op, MPI_COMM_WORLD);
  say(of, "blocks", items, items, take);
  for (int r = 0; r < size; r++)
    counts[r] = r == 0 ? items * size - (size - 1) : 1;
  MPI_Reduce_scatter(give, take, counts, type, of->op, MPI_COMM_WORLD);
  say(of, "scatter", items, counts[rank], take);
  MPI_Iallreduce(give, take, items, type, of->op, MPI_COMM_WORLD, &requests[0]);
  unsigned char *both = given(of, items);
  MPI_Iscan(MPI_IN_PLACE, both, items, type, of->op, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  say(of, "iallreduce", items, items, take);
  say(of, "iscan in place", items, items, both);
  MPI_Allreduce(MPI_IN_PLACE, give, items, type, of->op, MPI_COMM_WORLD);
  say(of, "in place", items, items, give);
  free(give);
  free(take);
  free(both);
}

static void add(const char *name, MPI_Datatype open, int extent, int numMembers,
                const struct member *members, MPI_Op op) {
  struct layout *layout = &layouts[numLayouts++];
  layout->name = name;
  layout->extent = extent;
  layout->numMembers = numMembers;
  layout->op = op;
  memcpy(layout->members, members, numMembers * sizeof *members);
  MPI_Type_create_resized(open, 0, extent, &layout->type);
  MPI_Type_commit(&layout->type);
  MPI_Type_free(&open);
}

static MPI_Datatype structOf(int numMembers, const struct member *members,
                             const MPI_Datatype *types) {
  int ones[9];
  MPI_Aint at[9];
  for (int m = 0; m < numMembers; m++)
    ones[m] = 1, at[m] = members[m].at;
  MPI_Datatype made;
  MPI_Type_create_struct(numMembers, ones, at, types, &made);
  return made;
}

int main(int argc, char **argv) {
  const int most = atoi(argv[2]);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char file[256];
  snprintf(file, sizeof file, "%s.%d", argv[1], rank);
  freopen(file, "w", stdout);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Op max, times, plus;
  MPI_Op_create(larger, 0, &max);
  MPI_Op_create(product, 0, &times);
  MPI_Op_create(sums, 1, &plus);

  const MPI_Datatype best[] = {MPI_DOUBLE, MPI_INT}, tiny[] = {MPI_LONG_DOUBLE, MPI_INT};
  const struct member asInC[] = {{0, 8}, {8, 4}}, apart[] = {{24, 8}, {8, 4}};
  add("best", structOf(2, asInC, best), 16, 2, asInC, max);
  add("apart", structOf(2, apart, best), 40, 2, apart, max);

  struct member cells[9];
  for (int m = 0; m < 9; m++)
    cells[m] = (struct member){m / 3 * 16 + m % 3 * 4, 4};
  MPI_Datatype rows;
  MPI_Type_vector(3, 3, 4, MPI_UINT32_T, &rows);
  add("matrix", rows, 64, 9, cells, times);

  const struct member mixed[] = {{0, 2}, {8, 8}, {16, 2}, {24, 8}, {32, 1}};
  MPI_Datatype open = structOf(2, mixed, (MPI_Datatype[]){MPI_INT16_T, MPI_INT64_T}), pair,
               pairs[2] = {MPI_DATATYPE_NULL, MPI_UINT8_T};
  MPI_Type_create_resized(open, 0, 16, &pairs[0]);
  MPI_Type_free(&open);
  MPI_Type_create_struct(2, (int[]){2, 1}, (MPI_Aint[]){0, 32}, pairs, &pair);
  MPI_Type_free(&pairs[0]);
  add("mixed", pair, 48, 5, mixed, plus);

  const struct member longs[] = {{0, 10}, {16, 4}};
  add("long double", structOf(2, longs, tiny), 32, 2, longs, plus);

  for (int i = 0; i < numLayouts; i++)
    for (int items = 1; items < most; items = items * 9 + 4)
      all(&layouts[i], items);
  for (int i = 0; i < numLayouts; i++)
    MPI_Type_free(&layouts[i].type);
  MPI_Op_free(&max);
  MPI_Op_free(&times);
  MPI_Op_free(&plus);
  if (getenv("SAY_TOUCHED"))
    printf("%d touched: %d\n", rank, touched);
  MPI_Finalize();
  return 0;
}

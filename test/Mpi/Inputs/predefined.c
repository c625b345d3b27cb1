/* Every predefined operation on every predefined type that the MPI library takes it on: writes a
 * hash of each result to FILE.RANK (its argument is FILE). */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { Arithmetic = 1, Order = 2, Logical = 4, Bitwise = 8, Location = 16 };
enum { Whole = Arithmetic | Order | Logical | Bitwise, Real = Arithmetic | Order };
#ifdef OPEN_MPI
#define CHARACTER 'u'
enum { Byte = Whole, DefaultWhole = Arithmetic | Order | Bitwise };
#else
#define CHARACTER 'i'
enum { Byte = Bitwise, DefaultWhole = Whole };
#endif

#define TYPE(type, form, classes) {#type, type, form, classes}
static const struct {
  const char *name;
  MPI_Datatype type;
  char form; /* i: signed, u: unsigned, f: float, l: of truth, p: with an index behind */
  int classes;
} types[] = {
    TYPE(MPI_CHAR, 'i', Whole),
    TYPE(MPI_SIGNED_CHAR, 'i', Whole),
    TYPE(MPI_UNSIGNED_CHAR, 'u', Whole),
    TYPE(MPI_BYTE, 'u', Byte),
    TYPE(MPI_SHORT, 'i', Whole),
    TYPE(MPI_UNSIGNED_SHORT, 'u', Whole),
    TYPE(MPI_INT, 'i', Whole),
    TYPE(MPI_UNSIGNED, 'u', Whole),
    TYPE(MPI_LONG, 'i', Whole),
    TYPE(MPI_UNSIGNED_LONG_LONG, 'u', Whole),
    TYPE(MPI_INT16_T, 'i', Whole),
    TYPE(MPI_UINT64_T, 'u', Whole),
    TYPE(MPI_AINT, 'i', Whole),
    TYPE(MPI_OFFSET, 'u', Whole), /* Open MPI orders it as if it had no sign */
    TYPE(MPI_COUNT, 'i', Whole),
    TYPE(MPI_C_BOOL, 'l', Logical),
    TYPE(MPI_CXX_BOOL, 'l', Logical),
    TYPE(MPI_FLOAT, 'f', Real),
    TYPE(MPI_DOUBLE, 'f', Real),
    TYPE(MPI_C_FLOAT_COMPLEX, 'f', Arithmetic),
    TYPE(MPI_C_DOUBLE_COMPLEX, 'f', Arithmetic),
    TYPE(MPI_2INT, 'p', Location),
    TYPE(MPI_CHARACTER, CHARACTER, Whole),
    TYPE(MPI_LOGICAL, 'l', Logical),
    TYPE(MPI_INTEGER, 'i', DefaultWhole),
    TYPE(MPI_INTEGER1, 'i', Whole),
    TYPE(MPI_INTEGER2, 'i', Whole),
    TYPE(MPI_INTEGER4, 'i', DefaultWhole),
    TYPE(MPI_INTEGER8, 'i', Whole),
    TYPE(MPI_REAL, 'f', Real),
    TYPE(MPI_DOUBLE_PRECISION, 'f', Real),
    TYPE(MPI_REAL4, 'f', Real),
    TYPE(MPI_REAL8, 'f', Real),
    TYPE(MPI_COMPLEX, 'f', Arithmetic),
    TYPE(MPI_DOUBLE_COMPLEX, 'f', Arithmetic),
    TYPE(MPI_COMPLEX8, 'f', Arithmetic),
    TYPE(MPI_COMPLEX16, 'f', Arithmetic),
    TYPE(MPI_2INTEGER, 'p', Location),
};

#define OPERATION(op, classes) {#op, op, classes}
static const struct {
  const char *name;
  MPI_Op op;
  int classes;
} operations[] = {OPERATION(MPI_SUM, Arithmetic),  OPERATION(MPI_PROD, Arithmetic),
                  OPERATION(MPI_MIN, Order),       OPERATION(MPI_MAX, Order),
                  OPERATION(MPI_LAND, Logical),    OPERATION(MPI_LOR, Logical),
                  OPERATION(MPI_LXOR, Logical),    OPERATION(MPI_BAND, Bitwise),
                  OPERATION(MPI_BOR, Bitwise),     OPERATION(MPI_BXOR, Bitwise),
                  OPERATION(MPI_MINLOC, Location), OPERATION(MPI_MAXLOC, Location)};

enum { Items = 70 };

/* Small numbers, of which sums and products are exact, and that all MPI libraries order alike. */
static void put(char form, int bytes, int parts, int rank, char *at) {
  for (int i = 0; i < Items * parts; i++, at += bytes) {
    int64_t number = (i * 5 + rank * 3) % 4;
    if (form == 'i')
      number -= 2;
    if (form == 'l')
      number = number > 1;
    const float single = number;
    const double both = number;
    memcpy(at, form != 'f' ? (void *)&number : bytes == 4 ? (void *)&single : (void *)&both, bytes);
  }
}

int main(int argc, char **argv) {
  int rank, calls = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char file[256];
  snprintf(file, sizeof file, "%s.%d", argv[1], rank);
  freopen(file, "w", stdout);
  for (unsigned t = 0; t < sizeof types / sizeof *types; t++) {
    static char give[Items * 16], take[Items * 16];
    int bytes = 0;
    if (types[t].type == MPI_DATATYPE_NULL)
      continue;
    MPI_Type_size(types[t].type, &bytes);
    const int isComplex = strstr(types[t].name, "COMPLEX") != NULL;
    const int parts = isComplex || types[t].form == 'p' ? 2 : 1;
    for (unsigned o = 0; o < sizeof operations / sizeof *operations; o++) {
      if (!(operations[o].classes & types[t].classes))
        continue;
      uint64_t hash = 1469598103934665603u;
      for (int way = 0; way < 3; way++) {
        put(types[t].form, bytes / parts, parts, rank, give);
        memset(take, 0, sizeof take);
        MPI_Request request;
        if (way == 0)
          MPI_Allreduce(give, take, Items, types[t].type, operations[o].op, MPI_COMM_WORLD);
        else if (way == 1)
          MPI_Scan(give, take, Items, types[t].type, operations[o].op, MPI_COMM_WORLD);
        else
          memcpy(take, give, sizeof take),
              MPI_Iallreduce(MPI_IN_PLACE, take, Items, types[t].type, operations[o].op,
                             MPI_COMM_WORLD, &request),
              MPI_Wait(&request, MPI_STATUS_IGNORE);
        calls++;
        for (int i = 0; i < Items * bytes; i++)
          hash = (hash ^ (unsigned char)take[i]) * 1099511628211u;
      }
      printf("%d %s %s: %016llx\n", rank, types[t].name, operations[o].name,
             (unsigned long long)hash);
    }
  }
  if (rank == 0)
    fprintf(stderr, "%d calls\n", calls);
  MPI_Finalize();
  return 0;
}

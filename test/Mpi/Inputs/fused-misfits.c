/* Fused calls by hand whose op is not one for the switch: its result is elsewhere, its arrays could
 * not be copied, its program is none. Each is done by its collectives. */
#include <acis_cccf.h>
#include <stdio.h>

static double sum[4], other[4], twice;

static void run(void *args) {
  (void)args;
  twice = 2 * sum[1];
}

int main(int argc, char **argv) {
  static const unsigned char binary[16] = "no program";
  double x[4] = {1, 2, 3, 4};
  ACIS_Array right[] = {{ACIS_STREAM_IN, sum, sizeof sum}, {ACIS_OUTBOUND, &twice, sizeof twice}};
  ACIS_Array wrong[] = {{ACIS_STREAM_IN, other, sizeof other}};
  struct {
    ACIS_Array *arrays;
    int count;
    const char *place;
  } calls[] = {{wrong, 1, "elsewhere"},
               {right, ACIS_ARRAYS_NOT_HAD, "not had"},
               {right, -99, "not known"},
               {right, 2, "no program"}};
  MPI_Init(&argc, &argv);
  for (int i = 0; i < 4; i++) {
    MPI_Request request;
    ACIS_Op op = ACIS_Make_switch_op(run, NULL, binary, sizeof binary, calls[i].arrays, calls[i].count);
    twice = 0;
    ACIS_Isemifused(ACIS_Allreduce(x, sum, 4, MPI_DOUBLE, MPI_SUM), ACIS_Place_op(calls[i].place, op),
                    MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    printf("%s: %g\n", calls[i].place, twice);
  }
  MPI_Finalize();
  return 0;
}

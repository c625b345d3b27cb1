// What is written for arrays whose sizes are known at run time: the numbers of the collectives,
// the ranges of what the op touches, the room for each array and what is used of it.
// RUN: rm -rf %t.d && mkdir %t.d && cp %s %t.d/app.c && cd %t.d
// RUN: acisc --mpi --force --config %overlays/u280-full.json --no-remarks app.c
// RUN: FileCheck %s < app.acis.c
#include <mpi.h>
void scale(float *x, long n, float *all, int each) {
  // CHECK: #include <acis_ranges.h>
  // CHECK: long long acis_numbers_[[L:[0-9]+]][] = {(long long)(each) * acis_ranks(MPI_COMM_WORLD)};
  // CHECK: ACIS_Range acis_used_[[L]][4];
  // CHECK: while (acis_next_turn(&acis_turn, acis_used_[[L]], 4)) {
  // CHECK: acis_lt({{.*}}, acis_at((long long)n));
  // CHECK: acis_use(&acis_used_[[L]][0], [[RANGE:acis_v.[0-9]+.]]);
  // CHECK: ACIS_Array acis_arrays_[[L]][] = {
  // CHECK-NEXT: {ACIS_INBOUND, acis_numbers_[[L]], 8},
  // CHECK: {ACIS_STREAM_IN, (void *)all, (size_t)(acis_numbers_[[L]][0] * 4)},
  // CHECK: {ACIS_INBOUND, (void *)x, [[ROOM:[0-9]+]]},
  // CHECK: {ACIS_OUTBOUND, (void *)x, [[ROOM]]},
  // CHECK: ACIS_Use acis_uses_[[L]][] = {
  // CHECK: {[[X:[0-9]+]], acis_bytes(acis_used_[[L]][0], 4)},
  // CHECK: {[[X]], acis_bytes(acis_used_[[L]][1], 4)},
  // CHECK: ACIS_Place_op("{{.*}}app.c:[[#]]", ACIS_Size_op(ACIS_Make_switch_op(
  MPI_Allgather(x, each, MPI_FLOAT, all, each, MPI_FLOAT, MPI_COMM_WORLD);
  for (long i = 0; i < n; i++)
    x[i] *= all[0];
}

// The report for people and as JSON.
// RUN: acisc --mpi --dry-run --mpi-report --ranks=128 %s | FileCheck %s
// RUN: acisc --mpi --dry-run --mpi-report=- %s | FileCheck --check-prefix=JSON %s
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: acisc --mpi --dry-run --mpi-report --max-array-bytes=100 %s | FileCheck --check-prefix=SMALL %s
#include <mpi.h>
#include <stdio.h>

int a[64], b[64], c[64], factor[64], rest[64], big[8192];

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // CHECK: report.c:[[#@LINE+1]]: fused Allreduce_op_Bcast to line [[#@LINE+6]]
  MPI_Allreduce(a, b, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++) {
    c[i] = b[i] * factor[i];
    rest[i] = b[i] % 3;
  }
  MPI_Bcast(c, 64, MPI_INT, 0, MPI_COMM_WORLD);
  // CHECK-NEXT: op          lines [[#@LINE-5]] to [[#@LINE-2]] (intra)
  // CHECK-NEXT: stream-in   a (MPI_INT), 256 bytes
  // CHECK-NEXT: inbound     factor (int), 256 bytes
  // CHECK-NEXT: stream-out  c (MPI_INT), 256 bytes
  // CHECK-NEXT: outbound    rest (int), 256 bytes
  // CHECK-NEXT: evaluator   ok
  // CHECK-NEXT: LoGcN       {{[0-9.]+}} us plain, {{[0-9.]+}} us fused, 128 ranks
  // CHECK-NEXT: result      read again by the host: it is returned as well
  // Seven rounds of 256 bytes both ways and a broadcast; two messages up, four of 256 bytes down.
  // CHECK-NEXT: per host    4092 bytes plain, 1536 fused, saved 2556
  // CHECK-NEXT: decision    rewritten
  // SMALL: evaluator   size
  // SMALL: decision    fusable, not rewritten [size]
  // CHECK: report.c:[[#@LINE+1]]: semi-fused Allreduce_op
  MPI_Allreduce(a, b, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    a[i] += b[i] * big[i * 100];
  // CHECK: inbound     big (int), 32768 bytes
  // CHECK: evaluator   size
  printf("%d %d %d\n", a[0], c[0], rest[0]);
  MPI_Finalize();
  return 0;
}
// REMARK: remark: fused Allreduce_op_Bcast to line {{[0-9]+}}: rewritten; on 64 ranks {{[0-9.]+}} us plain, {{[0-9.]+}} us fused, 3576 and 1536 bytes of a host
// JSON: "arrays": [
// JSON: "role": "stream-in",
// JSON: "coll_first": "Allreduce",
// JSON: "coll_second": "Bcast",
// JSON: "decision": "rewritten",
// JSON: "evaluator": "ok",
// JSON: "fusable": "yes",
// JSON: "kind": "fused",
// JSON: "level": "intra",
// JSON: "op_lines": "17-20",
// JSON: "pattern": "Allreduce_op_Bcast",
// JSON: "recv_live_out": "yes",
// JSON: "neg_class": "no-chain",
// JSON-NEXT: "neg_code": "not-consumed",

// Arrays that a loop reads and writes at once: an element that stands still while others pass, rows that all change
// by one of them, places that move on by more and more. Lanes read together, so those that C lets see what an earlier
// lane wrote are no lanes.
// RUN: acisc --config=%overlays/u280-full.json %s -o %t.acis --report > %t.report 2>&1
// RUN: FileCheck %s --input-file=%t.report --implicit-check-not=warning
// RUN: acisc --config=%overlays/u280-full.json %s --emit=dfg | FileCheck %s --check-prefix=WHY
// RUN: acisc --config=%overlays/mesh4x4.json %s -o %t.mesh.acis
// RUN: %host_cc -x c -O1 -ffp-contract=off -fPIC -shared %acis_include %s -o %t.so
// RUN: %python -c "import struct; open('%t.in', 'wb').write(struct.pack('<2560f', *(((i * 37 + i // 64) %% 251 - 120) / 8 for i in range(2560))))"
// RUN: %compare --handler still --in %t.in --packet-bytes 320 %t.acis
// RUN: %compare --handler last --in %t.in --packet-bytes 320 %t.acis
// RUN: %compare --handler apart --in %t.in --packet-bytes 320 %t.acis
// RUN: %compare --handler short_of_a_beat --in %t.in --packet-bytes 256 %t.acis
// RUN: %compare --handler closure --in %t.in --packet-bytes 1024 %t.acis
// RUN: %compare --handler eliminate --in %t.in --packet-bytes 1024 %t.acis
// RUN: %compare --handler row_before --in %t.in --packet-bytes 1024 %t.acis
// RUN: %compare --handler launched --in %t.in --packet-bytes 512 %t.acis
// RUN: %compare --handler triangle --in %t.in --packet-bytes 512 %t.acis
// RUN: %compare --handler behind --in %t.in --packet-bytes 512 %t.acis
// RUN: %compare --handler sent_behind --in %t.in --packet-bytes 512 %t.acis
// RUN: %compare --handler counted_on --in %t.in --packet-bytes 512 %t.acis
// RUN: acis-compare --config %overlays/mesh4x4.json --native %t.so --output-bytes 100000 --handler still --in %t.in --packet-bytes 320 %t.mesh.acis
// RUN: acis-compare --config %overlays/mesh4x4.json --native %t.so --output-bytes 100000 --handler closure --in %t.in --packet-bytes 1024 %t.mesh.acis
// RUN: acis-compare --config %overlays/mesh4x4.json --native %t.so --output-bytes 100000 --handler triangle --in %t.in --packet-bytes 512 %t.mesh.acis
// RUN: acis-compare --config %overlays/mesh4x4.json --native %t.so --output-bytes 100000 --handler behind --in %t.in --packet-bytes 512 %t.mesh.acis
#include <acis.h>
#define HANDLER(name)                                                                              \
  ACIS_HANDLER void name(const float *restrict in, float *restrict out, const float *restrict mem, \
                         uint32_t *len)

#define LOAD(array, count, first)                                                                  \
  for (int i = 0; i < count; i++)                                                                  \
  array[i] = in[first + i]
#define SEND(array, count)                                                                         \
  for (int i = 0; i < count; i++)                                                                  \
    out[i] = array[i];                                                                             \
  *len = 4 * count

// Iteration 20 writes what those behind it read.
// CHECK: still.k2 {{.*}}1 lane
HANDLER(still) {
  float a[40], b[40];
  LOAD(a, 40, 0);
  LOAD(b, 40, 40);
  for (int i = 0; i < 40; i++)
    a[i] = a[20] + b[i];
  SEND(a, 40);
}

// The last lane of a beat writes it, when all have read.
// CHECK: last.k2 {{.*}}16 lanes
HANDLER(last) {
  float a[40], b[40];
  LOAD(a, 40, 0);
  LOAD(b, 40, 40);
  for (int i = 0; i < 40; i++)
    a[i] = a[31] + b[i];
  SEND(a, 40);
}

// CHECK: apart.k2 {{.*}}16 lanes
HANDLER(apart) {
  float a[40], b[40];
  LOAD(a, 40, 0);
  LOAD(b, 40, 40);
  for (int i = 0; i < 32; i++)
    a[i] = a[33] + b[i];
  SEND(a, 40);
}

// CHECK: short_of_a_beat.k1 {{.*}}1 lane
HANDLER(short_of_a_beat) {
  float a[16];
  LOAD(a, 16, 0);
  for (int i = 0; i < 15; i++)
    a[i] = -a[10];
  SEND(a, 16);
}

// Floyd and Warshall: the row and the column of p change as well, where a node is a way to itself.
HANDLER(closure) {
  float d[16][16];
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 16; j++)
      d[i][j] = in[16 * i + j];
  for (int p = 0; p < 16; p++)
    for (int i = 0; i < 16; i++)
      for (int j = 0; j < 16; j++)
        d[i][j] = d[i][p] + d[p][j] < d[i][j] ? d[i][p] + d[p][j] : d[i][j];
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 16; j++)
      out[16 * i + j] = d[i][j];
  *len = 1024;
}

// WHY: @k1() attributes {scalar = "all lanes read an element of array 'd' that one of them may write, which the lanes behind it see in C
// Row 3 is taken from the rows behind it; its factor is written on the way.
HANDLER(eliminate) {
  float d[16][16];
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 16; j++)
      d[i][j] = in[16 * i + j];
  for (int i = 4; i < 16; i++)
    for (int j = 0; j < 16; j++)
      d[i][j] -= d[i][3] * d[3][j];
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 16; j++)
      out[16 * i + j] = d[i][j];
  *len = 1024;
}

// CHECK: row_before.k1 {{.*}}16 lanes
HANDLER(row_before) {
  float d[16][16];
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 16; j++)
      d[i][j] = in[16 * i + j];
  for (int i = 1; i < 16; i++)
    for (int j = 0; j < 16; j++)
      d[i][j] += d[i - 1][3];
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 16; j++)
      out[16 * i + j] = d[i][j];
  *len = 1024;
}

// Each row is a launch, whose place no launch can compare with the element.
HANDLER(launched) {
  float a[64], b[64];
  LOAD(a, 64, 0);
  LOAD(b, 64, 64);
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < 16; c++) {
      b[(r + 1) % 4 * 16 + c] = b[r * 16 + c] + 1;
      a[r * 16 + c] = -a[1 * 16 + 5] + b[r * 16 + c];
    }
  SEND(a, 64);
}

// The lower triangle of a matrix, packed: its columns have gaps that grow.
HANDLER(triangle) {
  float a[36], b[64];
  LOAD(a, 36, 0);
  LOAD(b, 64, 64);
  for (int i = 0; i < 8; i++) {
    int k = i * (i + 1) / 2 + i;
    for (int j = i; j < 8; j++) {
      a[k] += b[8 * j + i];
      k += j + 1;
    }
  }
  SEND(a, 36);
}

// Only the last iteration of two loops counts: the index is what they ended with.
HANDLER(behind) {
  float a[64], b[64];
  LOAD(a, 64, 0);
  LOAD(b, 64, 64);
  for (int p = 0; p < 8; p++)
    for (int r = 0; r < 8; r++)
      for (int c = 0; c < 8; c++)
        b[p * 8 + p] = a[((r + 1) % 8) * 8 + p] * __builtin_fabsf(a[((r + 1) % 8) * 8 + p]);
  SEND(b, 64);
}

// What is sent behind a nest goes on where that ended: its own counter still counts.
HANDLER(sent_behind) {
  float b[8][8], c[64];
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      b[i][j] = in[8 * i + j];
  LOAD(c, 64, 64);
  int k = 1;
  for (int i = 0; i < 8; i++) {
    for (int j = 1; j < 8; j++) {
      b[j][i] = b[j - 1][i] + c[k - 1];
      k++;
    }
    k++;
  }
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      *out++ = b[i][j];
  for (int i = 0; i < 64; i++)
    *out++ = c[i];
  *out++ = 0;
  *len = 516;
}

// A counter that goes on through both loops, as an index: in the inner one it starts from what the outer one carries.
HANDLER(counted_on) {
  float b[64], c[64];
  LOAD(b, 64, 0);
  LOAD(c, 64, 64);
  int k = 1;
  for (int i = 0; i < 8; i++) {
    for (int j = 1; j < 8; j++) {
      b[j * 8 + i] = b[j * 8 - 8 + i] + c[k & 63];
      k++;
    }
    k += 2;
  }
  SEND(b, 64);
}

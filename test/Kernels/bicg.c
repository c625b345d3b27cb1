/* The two products of a BiCG step over one pass of the matrix: s = A^T r and q = A p.
 *
 * in: float[1088] -1..1
 * packets: 1
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define ROWS 32
#define COLS 32

ACIS_HANDLER void bicg(const float *restrict in, float *restrict out, const float *restrict mem,
                       uint32_t *len) {
  float p[COLS], r[ROWS], s[COLS], q[ROWS];
  uint32_t at = 0;
  for (int j = 0; j < COLS; j++)
    p[j] = in[at++];
  for (int i = 0; i < ROWS; i++)
    r[i] = in[at++];
  for (int j = 0; j < COLS; j++)
    s[j] = 0;
  for (int i = 0; i < ROWS; i++) {
    float sum = 0;
    for (int j = 0; j < COLS; j++) {
      float a = in[at + i * COLS + j];
      s[j] = s[j] + r[i] * a;
      sum = sum + a * p[j];
    }
    q[i] = sum;
  }
  for (int j = 0; j < COLS; j++)
    out[j] = s[j];
  for (int i = 0; i < ROWS; i++)
    out[COLS + i] = q[i];
  *len = (COLS + ROWS) * 4;
}

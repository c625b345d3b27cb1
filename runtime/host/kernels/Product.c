/* See Product.h. */
#include "runtime/host/kernels/Product.h"

#include <string.h>

#ifdef ACIS_SIMULATED
/* The simulator's clock: what computing takes on its hosts, two operations for each product. */
void smpi_execute_flops(double flops);
static void simulate(double products) { smpi_execute_flops(2 * products); }
#else
static void simulate(double products) { (void)products; }
#endif

/* Wider vectors where the processor has them; none of these brings a fused multiply-add. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__) &&                  \
    !defined(ACIS_NO_CLONES)
#define ANY_WIDTH __attribute__((target_clones("default", "avx2")))
#else
#define ANY_WIDTH
#endif

enum { TileRows = 4, BlockInner = 256, VectorBytes = 32 };

typedef float FloatVector __attribute__((vector_size(VectorBytes)));
typedef double DoubleVector __attribute__((vector_size(VectorBytes)));

/* A block of BlockInner rows of b stays in the cache while rows of a pass; sums of a tile of c stay
 * in registers. Each element of c gets its products by rising index whatever the blocks. */
#define DEFINE_PRODUCT(T, Vector, name)                                                            \
  static inline void name##Tile(long long k, const T *a, long long lda, const T *b, long long ldb, \
                                T *c, long long ldc) {                                             \
    enum { Width = VectorBytes / sizeof(T) };                                                      \
    Vector sums[TileRows][2];                                                                      \
    for (int i = 0; i < TileRows; i++)                                                             \
      memcpy(sums[i], c + i * ldc, sizeof sums[i]);                                                \
    for (long long l = 0; l < k; l++) {                                                            \
      Vector row[2];                                                                               \
      memcpy(row, b + l * ldb, sizeof row);                                                        \
      for (int i = 0; i < TileRows; i++) {                                                         \
        const T factor = a[i * lda + l];                                                           \
        sums[i][0] += factor * row[0];                                                             \
        sums[i][1] += factor * row[1];                                                             \
      }                                                                                            \
    }                                                                                              \
    for (int i = 0; i < TileRows; i++)                                                             \
      memcpy(c + i * ldc, sums[i], sizeof sums[i]);                                                \
  }                                                                                                \
  static inline void name##Edge(long long m, long long n, long long k, const T *a, long long lda,  \
                                const T *b, long long ldb, T *c, long long ldc) {                  \
    for (long long i = 0; i < m; i++)                                                              \
      for (long long l = 0; l < k; l++)                                                            \
        for (long long j = 0; j < n; j++)                                                          \
          c[i * ldc + j] += a[i * lda + l] * b[l * ldb + j];                                       \
  }                                                                                                \
  ANY_WIDTH static void name(long long m, long long n, long long k, const T *a, long long lda,     \
                             const T *b, long long ldb, T *c, long long ldc) {                     \
    enum { Width = 2 * VectorBytes / sizeof(T) };                                                  \
    const long long wholeM = m / TileRows * TileRows, wholeN = n / Width * Width;                  \
    for (long long from = 0; from < k; from += BlockInner) {                                       \
      const long long inner = k - from < BlockInner ? k - from : BlockInner;                       \
      const T *left = a + from, *right = b + from * ldb;                                           \
      for (long long j = 0; j < wholeN; j += Width)                                                \
        for (long long i = 0; i < wholeM; i += TileRows)                                           \
          name##Tile(inner, left + i * lda, lda, right + j, ldb, c + i * ldc + j, ldc);            \
      name##Edge(wholeM, n - wholeN, inner, left, lda, right + wholeN, ldb, c + wholeN, ldc);      \
      name##Edge(m - wholeM, n, inner, left + wholeM * lda, lda, right, ldb, c + wholeM * ldc,     \
                 ldc);                                                                             \
    }                                                                                              \
  }

DEFINE_PRODUCT(float, FloatVector, productFloat)
DEFINE_PRODUCT(double, DoubleVector, productDouble)

void productAdd(int bytes, long long m, long long n, long long k, const void *a, long long lda,
                const void *b, long long ldb, void *c, long long ldc) {
  if (m <= 0 || n <= 0 || k <= 0)
    return;
  if (bytes == 4)
    productFloat(m, n, k, a, lda, b, ldb, c, ldc);
  else
    productDouble(m, n, k, a, lda, b, ldb, c, ldc);
  simulate((double)m * (double)n * (double)k);
}

#define DEFINE_SPARSE(T, name)                                                                     \
  static void name(const SparseRows *rows, long long first, long long end, const T *x,             \
                   long long here, const T *fetched, T *y) {                                       \
    const T *values = rows->values;                                                                \
    for (long long i = first; i < end; i++) {                                                      \
      T *to = &y[rows->rows ? rows->rows[i] : i], sum = rows->rows ? *to : 0;                      \
      for (long long e = rows->begin[i]; e < rows->begin[i + 1]; e++) {                            \
        const long long column = rows->columns[e];                                                 \
        sum += values[e] * (column < here ? x[column] : fetched[column - here]);                   \
      }                                                                                            \
      *to = sum;                                                                                   \
    }                                                                                              \
  }

DEFINE_SPARSE(float, sparseFloat)
DEFINE_SPARSE(double, sparseDouble)

void sparseAdd(int bytes, const SparseRows *rows, long long first, long long end, const void *x,
               long long here, const void *fetched, void *y) {
  if (end <= first)
    return;
  if (bytes == 4)
    sparseFloat(rows, first, end, x, here, fetched, y);
  else
    sparseDouble(rows, first, end, x, here, fetched, y);
  simulate((double)(rows->begin[end] - rows->begin[first]));
}

void addTo(int bytes, long long n, void *to, const void *from) {
  long long i;
  for (i = 0; i < n; i++)
    if (bytes == 4)
      ((float *)to)[i] += ((const float *)from)[i];
    else
      ((double *)to)[i] += ((const double *)from)[i];
}

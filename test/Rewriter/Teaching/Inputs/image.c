/* Image filters: a pointwise one, and a blur that needs neighbours. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define W 32
#define H 48

static void contrast(unsigned char *pixels, int n, float gain) {
  for (int i = 0; i < n; i++) {
    float v = 128.0f + gain * ((float)pixels[i] - 128.0f);
    if (v < 0.0f)
      v = 0.0f;
    if (v > 255.0f)
      v = 255.0f;
    pixels[i] = (unsigned char)v;
  }
}

int main(int argc, char **argv) {
  int rank, size;
  unsigned char *image = NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int rows = H / size;
  if (rank == 0) {
    image = malloc(W * H);
    for (int i = 0; i < W * H; i++)
      image[i] = (unsigned char)(i * 7 % 251);
  }
  unsigned char *strip = malloc(W * (rows + 2)), *out = malloc(W * rows);
  MPI_Scatter(image, W * rows, MPI_UNSIGNED_CHAR, strip + W, W * rows, MPI_UNSIGNED_CHAR, 0, /*@points*/
              MPI_COMM_WORLD);
  contrast(strip + W, W * rows, 1.5f);
  MPI_Gather(strip + W, W * rows, MPI_UNSIGNED_CHAR, image, W * rows, MPI_UNSIGNED_CHAR, 0, /*@pointsback*/
             MPI_COMM_WORLD);

  MPI_Scatter(image, W * rows, MPI_UNSIGNED_CHAR, strip + W, W * rows, MPI_UNSIGNED_CHAR, 0, /*@blur*/
              MPI_COMM_WORLD);
  int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  for (int i = 0; i < W; i++)
    strip[i] = strip[(rows + 1) * W + i] = 0;
  MPI_Sendrecv(strip + W, W, MPI_UNSIGNED_CHAR, up, 0, strip + (rows + 1) * W, W, MPI_UNSIGNED_CHAR,
               down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(strip + rows * W, W, MPI_UNSIGNED_CHAR, down, 1, strip, W, MPI_UNSIGNED_CHAR, up, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int y = 1; y <= rows; y++)
    for (int x = 0; x < W; x++)
      out[(y - 1) * W + x] =
          (unsigned char)((strip[(y - 1) * W + x] + strip[y * W + x] + strip[(y + 1) * W + x]) / 3);
  MPI_Gather(out, W * rows, MPI_UNSIGNED_CHAR, image, W * rows, MPI_UNSIGNED_CHAR, 0, /*@blurback*/
             MPI_COMM_WORLD);
  if (rank == 0) {
    unsigned sum = 0;
    for (int i = 0; i < W * rows * size; i++)
      sum = sum * 31 + image[i];
    printf("checksum %u\n", sum);
  }
  MPI_Finalize();
  return 0;
}

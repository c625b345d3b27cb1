/* Sobel filter: size of the gradient over a window of 3 x 3 pixels, written as the loops of
 * the window, saturated to a byte. The image comes first, as a whole.
 *
 * in: uint8[1024] 0..255
 * packets: 2
 * expect: maps
 */
// RUN: %kernel %s
#include <acis.h>

#define SIDE 32

static uint8_t image[SIDE * SIDE];

ACIS_HANDLER void sobel(const uint8_t *restrict in, uint8_t *restrict out,
                        const uint8_t *restrict mem, uint32_t *len) {
  for (int i = 0; i < SIDE * SIDE; i++)
    image[i] = in[i];
  for (int y = 1; y < SIDE - 1; y++)
    for (int x = 1; x < SIDE - 1; x++) {
      int gx = 0, gy = 0;
      for (int j = -1; j <= 1; j++)
        for (int k = -1; k <= 1; k++) {
          int pixel = image[(y + j) * SIDE + x + k];
          gx += pixel * k * (j == 0 ? 2 : 1);
          gy += pixel * j * (k == 0 ? 2 : 1);
        }
      int size = (gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy);
      out[(y - 1) * (SIDE - 2) + x - 1] = size > 255 ? 255 : size;
    }
  *len = (SIDE - 2) * (SIDE - 2);
}

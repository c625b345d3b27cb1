/* What both programs of k-means have beside what moves data: points, and a step of plain C. */
#ifndef KMEANS_HOST_H
#define KMEANS_HOST_H

#include "kmeans.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 10, EACH = 50000 /* points of a node or rank */ };

/* Four heaps; the first points are the first centres. */
static struct point *make_points(int count, struct point *centres) {
  struct point *points = malloc((size_t)count * sizeof *points);
  unsigned state = 1;
  if (!points)
    exit(1);
  for (int i = 0; i < count; i++) {
    state = state * 1664525 + 1013904223;
    const int heap = (int)(state >> 30), x = (int)(state >> 8 & 511), y = (int)(state >> 17 & 511);
    points[i] = (struct point){x + (heap & 1) * 600, y + (heap >> 1) * 600};
  }
  memcpy(centres, points, CENTRES * sizeof *centres);
  return points;
}

static void add_points(const struct point *points, int count, const struct point *centres,
                       struct sums *sums) {
  memset(sums, 0, CENTRES * sizeof *sums);
  for (int i = 0; i < count; i++) {
    int nearest = 0, least = 0;
    for (int k = 0; k < CENTRES; k++) {
      const int dx = points[i].x - centres[k].x, dy = points[i].y - centres[k].y;
      if (k == 0 || dx * dx + dy * dy < least)
        nearest = k, least = dx * dx + dy * dy;
    }
    sums[nearest].x += points[i].x;
    sums[nearest].y += points[i].y;
    sums[nearest].count++;
  }
}

static void move_centres(struct point *centres, const struct sums *sums) {
  for (int k = 0; k < CENTRES; k++)
    if (sums[k].count > 0)
      centres[k] = (struct point){sums[k].x / sums[k].count, sums[k].y / sums[k].count};
}

static void print_centres(const struct point *centres) {
  for (int k = 0; k < CENTRES; k++)
    printf("centre %d: %d %d\n", k, centres[k].x, centres[k].y);
}

#endif

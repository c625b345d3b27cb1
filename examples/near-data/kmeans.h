/* What the handler and the programs of k-means share: points in two dimensions, four centres. */
#ifndef KMEANS_H
#define KMEANS_H

#define CENTRES 4

struct point {
  int x, y;
};
/* Of the points that are nearest to one centre. */
struct sums {
  int x, y, count;
};

#endif

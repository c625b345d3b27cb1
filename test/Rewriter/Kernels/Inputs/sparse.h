typedef struct {
  int rows, external, neighbour;
  int *start, *column;
  double *value;
} Matrix;
void exchange(Matrix *m, double *x);
int product(Matrix *m, const double *x, double *y);
double dot(int n, const double *x, const double *y);
void update(int n, double alpha, const double *x, double beta, const double *y, double *w);

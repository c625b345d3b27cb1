#pragma once
struct Sparse {
  int rows, columns, start_row, external, neighbours;
  int *counts, **columns_of, *neighbour, *send_length, *recv_length, *to_send;
  double **values_of, *send_buffer;
  const char *title;
};
double timer();
int dot(const int n, const double *const x, const double *const y, double *const result,
        double &time_reduce);
int waxpby(const int n, const double alpha, const double *const x, const double beta,
           const double *const y, double *const w);
int product(Sparse *A, const double *const x, double *const y);
void exchange(Sparse *A, const double *x);
int solve(Sparse *A, const double *const b, double *const x, const int most,
          const double tolerance, int &iterations, double &norm, double *times);
int residual(const int n, const double *const v1, const double *const v2, double *const result);
void localise(Sparse *A);

/* Everything in one structure; functions take it. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct {
  MPI_Comm comm;
  int rank, size, n;
  double *field, *grad;
  double local_sum, global_sum, max;
} context_t;
static void init(context_t *ctx, int n) {
  ctx->comm = MPI_COMM_WORLD;
  MPI_Comm_rank(ctx->comm, &ctx->rank);
  MPI_Comm_size(ctx->comm, &ctx->size);
  ctx->n = n;
  ctx->field = malloc(n * sizeof(double));
  ctx->grad = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++)
    ctx->field[i] = (i + ctx->rank) % 7;
}
static void remove_mean(context_t *ctx) {
  ctx->local_sum = 0;
  for (int i = 0; i < ctx->n; i++)
    ctx->local_sum += ctx->field[i];
  MPI_Allreduce(&ctx->local_sum, &ctx->global_sum, 1, MPI_DOUBLE, MPI_SUM, ctx->comm); /*@mean*/
  double mean = ctx->global_sum / (ctx->n * ctx->size);
  for (int i = 0; i < ctx->n; i++)
    ctx->field[i] -= mean;
}
static void normalise(context_t *ctx) {
  double most = 0;
  for (int i = 0; i < ctx->n; i++)
    most = fmax(most, fabs(ctx->field[i]));
  MPI_Allreduce(&most, &ctx->max, 1, MPI_DOUBLE, MPI_MAX, ctx->comm); /*@max*/
  if (ctx->max > 0)
    for (int i = 0; i < ctx->n; i++)
      ctx->field[i] /= ctx->max;
}
static double energy(const context_t *ctx) {
  double e = 0, all;
  for (int i = 0; i < ctx->n; i++)
    e += ctx->field[i] * ctx->field[i];
  MPI_Reduce(&e, &all, 1, MPI_DOUBLE, MPI_SUM, 0, ctx->comm); /*@energy*/
  return ctx->rank == 0 ? all : 0;
}
int main(int argc, char **argv) {
  context_t ctx;
  MPI_Init(&argc, &argv);
  init(&ctx, 30);
  remove_mean(&ctx); /*@call*/
  normalise(&ctx);   /*@call2*/
  double e = energy(&ctx);
  if (ctx.rank == 0)
    printf("energy %.9f\n", e);
  MPI_Finalize();
  return 0;
}

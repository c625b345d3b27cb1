#include <mpi.h>
#include <stdio.h>
#define N 16
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int array[N] = {1, 2, 3, 4, 5, 6, 7, 8};
    int elements = N / size;
    int local[elements];
    MPI_Scatter(array, elements, MPI_INT, /*@scatter*/
                local, elements, MPI_INT,
                0, MPI_COMM_WORLD);
    int local_sum = 0;
    for (int i = 0; i < elements; i++)
        local_sum += local[i];
    int global_sum;
    MPI_Reduce(&local_sum, &global_sum, 1, MPI_INT, /*@reduce*/
               MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("Total Sum = %d\n", global_sum);
    int twice[elements], dot = 0, all;
    MPI_Scatter(array, elements, MPI_INT, local, elements, MPI_INT, 0, MPI_COMM_WORLD); /*@one*/
    MPI_Scatter(array, elements, MPI_INT, twice, elements, MPI_INT, 0, MPI_COMM_WORLD); /*@two*/
    for (int i = 0; i < elements; i++)
        dot += local[i] * twice[i];
    MPI_Reduce(&dot, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /*@dot*/
    if (rank == 0)
        printf("Dot Product = %d\n", all);
    MPI_Finalize();
    return 0;
}

// Algorithms of MPICH that SMPI 3.32 has not, of doubles that are summed, rank 0 the root, on
// MPI_COMM_WORLD. From their descriptions: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of
// Collective Communication Operations in MPICH" (2005), and MPICH's own names of its choices.
#pragma once

// From the root down a binomial tree, the largest part first.
void binomialScatter(const double *from, double *into, int count);
// Up a tree in which a node has up to k - 1 children on each level.
void knomialReduce(const double *from, double *into, int count, int k);

// A small library round MPI, as C++ projects have it.
#pragma once
#include <mpi.h>
#include <vector>
template <typename T> MPI_Datatype type_of();
template <> inline MPI_Datatype type_of<int>() { return MPI_INT; }
template <> inline MPI_Datatype type_of<double>() { return MPI_DOUBLE; }
class Comm {
public:
  explicit Comm(MPI_Comm comm) : comm(comm) {
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &count);
  }
  int rank() const { return me; }
  int size() const { return count; }
  double sum(double value) const {
    double result = 0;
    MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, MPI_SUM, comm);
    return result;
  }
  template <typename T> void broadcast(T *data, int n) const {
    MPI_Bcast(data, n, type_of<T>(), 0, comm);
  }
  template <typename T> void sum(const T *from, T *to, int n) const {
    MPI_Allreduce(from, to, n, type_of<T>(), MPI_SUM, comm);
  }
  void gather_all(const std::vector<double> &mine, std::vector<double> &all) const {
    MPI_Allgather(mine.data(), (int)mine.size(), MPI_DOUBLE, all.data(), (int)mine.size(),
                  MPI_DOUBLE, comm);
  }

private:
  MPI_Comm comm;
  int me, count;
};

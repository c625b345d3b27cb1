// Softmax of scores that are spread over the ranks, with lambdas and a small wrapper class.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <mpi.h>
#include <numeric>
#include <vector>

template <class T> struct MpiType;
template <> struct MpiType<double> {
  static MPI_Datatype get() { return MPI_DOUBLE; }
};
template <> struct MpiType<int> {
  static MPI_Datatype get() { return MPI_INT; }
};

class Communicator {
public:
  explicit Communicator(MPI_Comm comm) : comm(comm) {}
  template <class T> T allReduce(T value, MPI_Op op) const {
    T result{};
    MPI_Allreduce(&value, &result, 1, MpiType<T>::get(), op, comm);
    return result;
  }
  int rank() const {
    int r;
    MPI_Comm_rank(comm, &r);
    return r;
  }

private:
  MPI_Comm comm;
};

// exp(x - max) / sum of all, stable.
void softmax(std::vector<double> &scores, const Communicator &world) {
  double largest = scores.front();
  for (double s : scores)
    largest = std::max(largest, s);
  const double top = world.allReduce(largest, MPI_MAX); /*@top*/
  double sum = 0;
  for (double &s : scores) {
    s = std::exp(s - top);
    sum += s;
  }
  const double all = world.allReduce(sum, MPI_SUM); /*@all*/
  for (double &s : scores)
    s /= all;
}

// The same with algorithms of the library.
void softmaxStl(std::vector<double> &scores) {
  double largest = *std::max_element(scores.begin(), scores.end()), top = 0, sum = 0;
  MPI_Allreduce(&largest, &top, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); /*@stltop*/
  std::transform(scores.begin(), scores.end(), scores.begin(),
                 [top](double s) { return std::exp(s - top); });
  double local = std::accumulate(scores.begin(), scores.end(), 0.0);
  MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /*@stlsum*/
  std::for_each(scores.begin(), scores.end(), [sum](double &s) { s /= sum; });
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  Communicator world(MPI_COMM_WORLD);
  std::vector<double> scores(32);
  for (int i = 0; i < 32; i++)
    scores[i] = (i * 7 + world.rank()) % 11;
  std::vector<double> copy = scores;
  softmax(scores, world);
  softmaxStl(copy);
  std::printf("rank %d %.9f %.9f\n", world.rank(), scores[3], copy[5]);
  MPI_Finalize();
  return 0;
}

// What SMPI takes for free: the copies and folds inside of its collectives. It calls two functions
// of its own for these; here both let simulated time pass, too. acis-simrun loads this library
// before SMPI if the platform gives a host's speed, in seconds per byte, in ACIS_SIM_COSTS.
#include <mpi.h>
#include <simgrid/s4u/Actor.hpp>

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace {

struct Costs {
  double copy = 0, reduce = 0; ///< seconds per byte

  Costs() {
    if (const char *text = std::getenv("ACIS_SIM_COSTS"))
      if (std::sscanf(text, "%lf %lf", &copy, &reduce) != 2)
        copy = reduce = 0;
  }
};

void pass(double perByte, int count, MPI_Datatype type) {
  static const int most = 1 << 30;
  int size = 0;
  if (perByte > 0 && count > 0 && count < most && type != MPI_DATATYPE_NULL &&
      PMPI_Type_size(type, &size) == MPI_SUCCESS && size > 0)
    simgrid::s4u::this_actor::sleep_for(perByte * size * count);
}

const Costs &costs() {
  static const Costs value;
  return value;
}

template <typename Function> Function next(const char *name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

} // namespace

namespace simgrid::smpi {

// As SMPI has them; its header for these is not installed.
class Op {
public:
  void apply(const void *from, void *into, const int *count, Datatype *type) const;
};
class Datatype {
public:
  static int copy(const void *from, int fromCount, Datatype *fromType, void *to, int toCount,
                  Datatype *toType);
};

void Op::apply(const void *from, void *into, const int *count, Datatype *type) const {
  static const auto real =
      next<void (*)(const Op *, const void *, void *, const int *, Datatype *)>(
          "_ZNK7simgrid4smpi2Op5applyEPKvPvPKiPNS0_8DatatypeE");
  real(this, from, into, count, type);
  pass(costs().reduce, *count, type);
}

int Datatype::copy(const void *from, int fromCount, Datatype *fromType, void *to, int toCount,
                   Datatype *toType) {
  static const auto real = next<int (*)(const void *, int, Datatype *, void *, int, Datatype *)>(
      "_ZN7simgrid4smpi8Datatype4copyEPKviPS1_PviS4_");
  const int code = real(from, fromCount, fromType, to, toCount, toType);
  pass(costs().copy, fromCount, fromType);
  return code;
}

} // namespace simgrid::smpi

// Tables of MPI's named datatypes and operations.
#include "runtime/host/mpi/interpose/Types.h"

#include "runtime/host/mpi/interpose/Flavour.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <vector>

namespace acis::mpi {
namespace {

constexpr unsigned Arithmetic = unsigned(OpClass::Arithmetic);
constexpr unsigned Logical = unsigned(OpClass::Logical);
constexpr unsigned Bitwise = unsigned(OpClass::Bitwise);
constexpr unsigned Location = unsigned(OpClass::Location);
constexpr unsigned Integer = Arithmetic | Logical | Bitwise;

template <typename T> constexpr ElementType integerType() {
  constexpr bool isSigned = std::numeric_limits<T>::is_signed;
  switch (sizeof(T)) {
  case 1:
    return isSigned ? ElementType::Int8 : ElementType::Uint8;
  case 2:
    return isSigned ? ElementType::Int16 : ElementType::Uint16;
  case 4:
    return isSigned ? ElementType::Int32 : ElementType::Uint32;
  default:
    return isSigned ? ElementType::Int64 : ElementType::Uint64;
  }
}

struct NamedType {
  MPI_Datatype handle;
  ElementType element;
  unsigned classes;
};

#ifdef OPEN_MPI
// Its tables differ from MPICH's here; both have more than the standard.
constexpr unsigned Bytes = Integer, DefaultWhole = Arithmetic | Bitwise;
constexpr ElementType Character = ElementType::Uint8;
#else
constexpr unsigned Bytes = Bitwise, DefaultWhole = Integer;
constexpr ElementType Character = integerType<char>();
#endif

/// Sizes of C types as the compiler of this library has them. Classes are those that the MPI
/// library takes: of characters the standard has none, but both libraries take all.
std::vector<NamedType> cTypes() {
  return {{MPI_CHAR, integerType<char>(), Integer},
          {MPI_WCHAR, integerType<wchar_t>(), 0},
          {MPI_SIGNED_CHAR, ElementType::Int8, Integer},
          {MPI_UNSIGNED_CHAR, ElementType::Uint8, Integer},
          {MPI_SHORT, integerType<short>(), Integer},
          {MPI_UNSIGNED_SHORT, integerType<unsigned short>(), Integer},
          {MPI_INT, integerType<int>(), Integer},
          {MPI_UNSIGNED, integerType<unsigned>(), Integer},
          {MPI_LONG, integerType<long>(), Integer},
          {MPI_UNSIGNED_LONG, integerType<unsigned long>(), Integer},
          {MPI_LONG_LONG_INT, integerType<long long>(), Integer},
          {MPI_UNSIGNED_LONG_LONG, integerType<unsigned long long>(), Integer},
          {MPI_INT8_T, ElementType::Int8, Integer},
          {MPI_UINT8_T, ElementType::Uint8, Integer},
          {MPI_INT16_T, ElementType::Int16, Integer},
          {MPI_UINT16_T, ElementType::Uint16, Integer},
          {MPI_INT32_T, ElementType::Int32, Integer},
          {MPI_UINT32_T, ElementType::Uint32, Integer},
          {MPI_INT64_T, ElementType::Int64, Integer},
          {MPI_UINT64_T, ElementType::Uint64, Integer},
          {MPI_AINT, integerType<MPI_Aint>(), Integer},
          {MPI_OFFSET, integerType<MPI_Offset>(), Integer},
          {MPI_COUNT, integerType<MPI_Count>(), Integer},
          {MPI_BYTE, ElementType::Uint8, Bytes},
          {MPI_C_BOOL, ElementType::Uint8, Logical},
          {MPI_CXX_BOOL, ElementType::Uint8, Logical},
          {MPI_FLOAT, ElementType::Float32, Arithmetic},
          {MPI_DOUBLE, ElementType::Float64, Arithmetic},
          {MPI_C_FLOAT_COMPLEX, ElementType::Complex64, Arithmetic},
          {MPI_C_DOUBLE_COMPLEX, ElementType::Complex128, Arithmetic},
          {MPI_CXX_FLOAT_COMPLEX, ElementType::Complex64, Arithmetic},
          {MPI_CXX_DOUBLE_COMPLEX, ElementType::Complex128, Arithmetic},
          {MPI_SHORT_INT, ElementType::Int16Int, Location},
          {MPI_2INT, ElementType::Int32Int, Location},
          {MPI_LONG_INT, ElementType::Int64Int, Location},
          {MPI_FLOAT_INT, ElementType::Float32Int, Location},
          {MPI_DOUBLE_INT, ElementType::Float64Int, Location}};
}

/// Fortran's types, in the sizes that compilers give them by default or that their names say.
/// An MPI library without Fortran, or without a type, has MPI_DATATYPE_NULL here.
std::vector<NamedType> fortranTypes() {
  return {{MPI_CHARACTER, Character, Integer},
          {MPI_INTEGER, ElementType::Int32, DefaultWhole},
          {MPI_REAL, ElementType::Float32, Arithmetic},
          {MPI_DOUBLE_PRECISION, ElementType::Float64, Arithmetic},
          {MPI_LOGICAL, ElementType::Int32, Logical},
          {MPI_COMPLEX, ElementType::Complex64, Arithmetic},
          {MPI_DOUBLE_COMPLEX, ElementType::Complex128, Arithmetic},
          {MPI_INTEGER1, ElementType::Int8, Integer},
          {MPI_INTEGER2, ElementType::Int16, Integer},
          {MPI_INTEGER4, ElementType::Int32, DefaultWhole},
          {MPI_INTEGER8, ElementType::Int64, Integer},
          {MPI_REAL4, ElementType::Float32, Arithmetic},
          {MPI_REAL8, ElementType::Float64, Arithmetic},
          {MPI_COMPLEX8, ElementType::Complex64, Arithmetic},
          {MPI_COMPLEX16, ElementType::Complex128, Arithmetic},
          {MPI_2INTEGER, ElementType::Int32Int, Location}};
}

using NamedTable = std::unordered_map<MPI_Datatype, NamedType>;

const NamedTable &namedTypes() {
  static const NamedTable &table = *[] {
    auto *made = new NamedTable; // never destroyed: MPI may be used until exit
    for (const NamedType &type : cTypes())
      made->emplace(type.handle, type);
    for (const NamedType &type : fortranTypes()) {
      int size = 0;
      if (type.handle == MPI_DATATYPE_NULL || PMPI_Type_size(type.handle, &size) != MPI_SUCCESS ||
          size_t(size) != bytesOf(type.element))
        continue;
      made->emplace(type.handle, type);
    }
    return made;
  }();
  return table;
}

/// A derived type taken apart by one level, when that level is a duplicate or contiguous.
struct Peeled {
  MPI_Datatype inner = MPI_DATATYPE_NULL; ///< null: not such a type
  uint64_t count = 1;
  bool owned = false; ///< `inner` must be freed
};

int combinerOf(MPI_Datatype type) {
  int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  return combiner;
}

Peeled peel(MPI_Datatype type) {
  int combiner = combinerOf(type);
  if (combiner != MPI_COMBINER_DUP && combiner != MPI_COMBINER_CONTIGUOUS)
    return {};
  Peeled peeled;
  int integers[1] = {1};
  MPI_Aint addresses[1];
  int numIntegers = combiner == MPI_COMBINER_CONTIGUOUS;
  if (PMPI_Type_get_contents(type, numIntegers, 0, 1, integers, addresses, &peeled.inner) !=
      MPI_SUCCESS)
    return {};
  peeled.count = numIntegers ? integers[0] : 1;
  peeled.owned = combinerOf(peeled.inner) != MPI_COMBINER_NAMED;
  return peeled;
}

/// Whether items lie in memory as they are sent. A type of other making may have its
/// parts in another order even where it has no holes.
bool isPacked(MPI_Datatype type, const TypeLayout &layout) {
  if (int64_t(layout.size) != layout.extent)
    return false;
  Peeled peeled = peel(type);
  if (peeled.inner == MPI_DATATYPE_NULL)
    return combinerOf(type) == MPI_COMBINER_NAMED;
  bool packed = layoutOf(peeled.inner).packed;
  if (peeled.owned)
    PMPI_Type_free(&peeled.inner);
  return packed;
}

} // namespace

TypeLayout layoutOf(MPI_Datatype type) {
  TypeLayout layout;
  if (auto found = namedTypes().find(type); found != namedTypes().end()) {
    if ((found->second.classes & Location) == 0) {
      layout.size = bytesOf(found->second.element);
      layout.extent = int64_t(layout.size);
      layout.packed = true;
      return layout;
    }
  }
  MPI_Count size = 0;
  MPI_Aint low = 0, extent = 0;
  PMPI_Type_size_x(type, &size);
  PMPI_Type_get_extent(type, &low, &extent);
  layout.size = uint64_t(std::max<MPI_Count>(size, 0));
  layout.extent = extent;
  layout.packed = low == 0 && isPacked(type, layout);
  return layout;
}

bool isCommitted(MPI_Datatype type) {
  if (namedTypes().contains(type))
    return true;
  // A communicator of our own, so that nobody's error handler hears of the question.
  static const MPI_Comm quiet = [] {
    MPI_Comm made = MPI_COMM_NULL;
    PMPI_Comm_dup(MPI_COMM_SELF, &made);
    PMPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
    return made;
  }();
  char nothing = 0;
  int position = 0;
  return PMPI_Pack(&nothing, 0, type, &nothing, 0, &position, quiet) == MPI_SUCCESS;
}

std::optional<NamedElement> namedElement(MPI_Datatype type) {
  const auto found = namedTypes().find(type);
  if (found == namedTypes().end())
    return std::nullopt;
  return NamedElement{found->second.element, found->second.classes};
}

namespace {

struct NamedOp {
  MPI_Op handle;
  ReduceOp op;
  unsigned classes; ///< of types that MPI defines it on
};

const std::vector<NamedOp> &namedOps() {
  static const std::vector<NamedOp> &table = *new std::vector<NamedOp>{
      {MPI_SUM, ReduceOp::Sum, Arithmetic},      {MPI_PROD, ReduceOp::Prod, Arithmetic},
      {MPI_MIN, ReduceOp::Min, Arithmetic},      {MPI_MAX, ReduceOp::Max, Arithmetic},
      {MPI_MINLOC, ReduceOp::MinLoc, Location},  {MPI_MAXLOC, ReduceOp::MaxLoc, Location},
      {MPI_LAND, ReduceOp::LogicalAnd, Logical}, {MPI_LOR, ReduceOp::LogicalOr, Logical},
      {MPI_LXOR, ReduceOp::LogicalXor, Logical}, {MPI_BAND, ReduceOp::BitAnd, Bitwise},
      {MPI_BOR, ReduceOp::BitOr, Bitwise},       {MPI_BXOR, ReduceOp::BitXor, Bitwise}};
  return table;
}

} // namespace

ReduceOp reduceOpOf(MPI_Op op) {
  for (const NamedOp &named : namedOps())
    if (named.handle == op)
      return named.op;
  return ReduceOp::None;
}

bool isPredefined(MPI_Op op) {
  return reduceOpOf(op) != ReduceOp::None || op == MPI_REPLACE || op == MPI_NO_OP ||
         op == MPI_OP_NULL;
}

bool takes(ReduceOp op, unsigned classes) {
  for (const NamedOp &named : namedOps())
    if (named.op == op)
      return named.classes & classes;
  return false;
}

} // namespace acis::mpi

#include "runtime/switch/wire/Types.h"

#include <array>

namespace acis {

namespace {

constexpr std::array<std::string_view, NumKinds> kindNames = {
    "allreduce", "reduce",  "bcast",          "gather",
    "allgather", "scatter", "reduce_scatter", "reduce_scatter_block",
    "barrier",   "scan",    "exscan",         "alltoall"};
constexpr std::array<std::string_view, NumReduceOps> opNames = {
    "none", "sum",  "prod", "min", "max",  "minloc", "maxloc", "land",
    "lor",  "lxor", "band", "bor", "bxor", "merge",  "user"};
constexpr std::array<std::string_view, NumShapes> shapeNames = {
    "fold-all",   "fold-root",   "fold-split", "source", "scatter",
    "gather-all", "gather-root", "scan",       "exscan", "transpose"};

enum class Class : uint8_t { Integer, Float, Complex, Pair };

struct TypeRow {
  std::string_view name;
  uint8_t bytes;
  Class kind;
};

constexpr std::array<TypeRow, NumElementTypes> types = {{
    {"int8", 1, Class::Integer},
    {"uint8", 1, Class::Integer},
    {"int16", 2, Class::Integer},
    {"uint16", 2, Class::Integer},
    {"int32", 4, Class::Integer},
    {"uint32", 4, Class::Integer},
    {"int64", 8, Class::Integer},
    {"uint64", 8, Class::Integer},
    {"float32", 4, Class::Float},
    {"float64", 8, Class::Float},
    {"complex64", 8, Class::Complex},
    {"complex128", 16, Class::Complex},
    {"int16_int", 8, Class::Pair},
    {"int32_int", 8, Class::Pair},
    {"int64_int", 16, Class::Pair},
    {"float32_int", 8, Class::Pair},
    {"float64_int", 16, Class::Pair},
}};

} // namespace

std::string_view nameOf(Way way) {
  constexpr std::string_view names[NumWays] = {"automatic", "tree", "doubling",
                                               "halving",   "ring", "torus"};
  return names[unsigned(way)];
}
std::string_view nameOf(Kind kind) { return kindNames[unsigned(kind)]; }
std::string_view nameOf(ReduceOp op) { return opNames[unsigned(op)]; }
std::string_view nameOf(ElementType type) { return types[unsigned(type)].name; }
std::string_view nameOf(Shape shape) { return shapeNames[unsigned(shape)]; }
size_t bytesOf(ElementType type) { return types[unsigned(type)].bytes; }

bool isReduction(Kind kind) {
  switch (kind) {
  case Kind::Allreduce:
  case Kind::Reduce:
  case Kind::ReduceScatter:
  case Kind::ReduceScatterBlock:
  case Kind::Scan:
  case Kind::Exscan:
    return true;
  default:
    return false;
  }
}

bool isDefined(ReduceOp op, ElementType type) {
  const Class kind = types[unsigned(type)].kind;
  switch (op) {
  case ReduceOp::None:
    return false;
  case ReduceOp::Sum:
  case ReduceOp::Prod:
    return kind != Class::Pair;
  case ReduceOp::Min:
  case ReduceOp::Max:
    return kind == Class::Integer || kind == Class::Float;
  case ReduceOp::MinLoc:
  case ReduceOp::MaxLoc:
  case ReduceOp::Merge:
    return kind == Class::Pair;
  case ReduceOp::LogicalAnd:
  case ReduceOp::LogicalOr:
  case ReduceOp::LogicalXor:
  case ReduceOp::BitAnd:
  case ReduceOp::BitOr:
  case ReduceOp::BitXor:
    return kind == Class::Integer;
  case ReduceOp::User:
    return true;
  }
  return false;
}

} // namespace acis

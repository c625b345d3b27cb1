// The vocabulary of collectives on the wire: kinds, operations, element types, and the
// shapes that a switch knows. The numbers are part of the protocol (docs/wire-protocol.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace acis {

/// The MPI collective that a rank called. A switch compares it between ranks and names
/// it in messages; what it does is said by the Shape.
enum class Kind : uint8_t {
  Allreduce,
  Reduce,
  Bcast,
  Gather,
  Allgather,
  Scatter,
  ReduceScatter,      ///< a count for each rank
  ReduceScatterBlock, ///< the same count for each rank
  Barrier,
  Scan,
  Exscan,
  Alltoall,
};
inline constexpr unsigned NumKinds = 12;

/// How engines of a direct network do a collective (000 3.4.2: opcode bits of the header choose the
/// algorithm). Trees of switches have one way.
enum class Way : uint8_t {
  Automatic, ///< by kind, size and network
  Tree,      ///< up a tree and down again
  Doubling,  ///< recursive doubling
  Halving,   ///< recursive halving, then doubling
  Ring,      ///< round the ring of all engines
  Torus,     ///< rings in each direction of the torus of all engines
};
inline constexpr unsigned NumWays = 6;

enum class ReduceOp : uint8_t {
  None,
  Sum,
  Prod,
  Min,
  Max,
  MinLoc,
  MaxLoc,
  LogicalAnd,
  LogicalOr,
  LogicalXor,
  BitAnd,
  BitOr,
  BitXor,
  /// Of sparse vectors, on pairs: entries in the order of their indices, each 0 or more, then
  /// entries of index -1, which are none. Gives the union, with the sums of values of the same
  /// index.
  Merge,
  User, ///< a handler compiled by acisc, named by its handle
};
inline constexpr unsigned NumReduceOps = 15;

/// Element types, little-endian. The pair types have the layout of MPI's C types on a
/// 64-bit machine: the index is an int32 after the value, padded to the value's alignment.
enum class ElementType : uint8_t {
  Int8,
  Uint8, ///< also plain bytes
  Int16,
  Uint16,
  Int32,
  Uint32,
  Int64,
  Uint64,
  Float32,
  Float64,
  Complex64,  ///< two floats
  Complex128, ///< two doubles
  Int16Int,   ///< MPI_SHORT_INT, 8 bytes
  Int32Int,   ///< MPI_2INT, 8 bytes
  Int64Int,   ///< MPI_LONG_INT, 16 bytes
  Float32Int, ///< MPI_FLOAT_INT, 8 bytes
  Float64Int, ///< MPI_DOUBLE_INT, 16 bytes
};
inline constexpr unsigned NumElementTypes = 17;

/// What a switch does with one message (slot) of a collective: how contributions go up
/// the tree, what the top of the tree makes of them, and how the result goes down. P is
/// the size of the communicator, `unit` the bytes of one block.
enum class Shape : uint8_t {
  FoldAll,   ///< each gives a block, all get the fold of all
  FoldRoot,  ///< each gives a block, the root gets the fold
  FoldSplit, ///< each gives P blocks, position p gets block p of the fold
  Source,    ///< the root gives a block, all get it
  Scatter,   ///< the root gives P blocks, position p gets block p
  GatherAll, ///< each gives a block, all get P blocks
  GatherRoot,
  Scan,      ///< each gives a block, position p gets the fold of blocks 0..p
  Exscan,    ///< the same without block p; position 0 gets a block of no meaning
  Transpose, ///< each gives P blocks, position p gets block p of each
};
inline constexpr unsigned NumShapes = 10;

std::string_view nameOf(Kind kind);
std::string_view nameOf(Way way);
std::string_view nameOf(ReduceOp op);
std::string_view nameOf(ElementType type);
std::string_view nameOf(Shape shape);

/// Bytes of one element.
size_t bytesOf(ElementType type);
/// Whether calls of this kind have an operation.
bool isReduction(Kind kind);
/// MPI's table of which operation is defined on which type; User is on any.
bool isDefined(ReduceOp op, ElementType type);

} // namespace acis

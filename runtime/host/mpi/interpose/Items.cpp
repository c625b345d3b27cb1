// See Items.h. A type is taken apart as MPI says that it was made.
#include "runtime/host/mpi/interpose/Items.h"

#include "runtime/host/mpi/interpose/Types.h"

#include <algorithm>
#include <cstring>

namespace acis::mpi {
namespace {

constexpr size_t MostMembers = 65'536;

struct Member {
  ElementType type;
  int64_t at; ///< in memory, from the address of the item
};
using Members = std::vector<Member>;

/// What MPI says of how a derived type was made.
struct Making {
  int combiner = MPI_COMBINER_NAMED;
  std::vector<int> integers;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Datatype> types;

  explicit Making(MPI_Datatype type) {
    int numIntegers = 0, numAddresses = 0, numTypes = 0;
    if (PMPI_Type_get_envelope(type, &numIntegers, &numAddresses, &numTypes, &combiner) !=
            MPI_SUCCESS ||
        combiner == MPI_COMBINER_NAMED)
      return;
    integers.resize(size_t(numIntegers));
    addresses.resize(size_t(numAddresses));
    types.resize(size_t(numTypes), MPI_DATATYPE_NULL);
    if (PMPI_Type_get_contents(type, numIntegers, numAddresses, numTypes, integers.data(),
                               addresses.data(), types.data()) != MPI_SUCCESS)
      combiner = MPI_COMBINER_NAMED;
  }
  Making(const Making &) = delete;
  ~Making() {
    for (MPI_Datatype &type : types) {
      int a = 0, b = 0, c = 0, made = MPI_COMBINER_NAMED;
      if (type != MPI_DATATYPE_NULL &&
          PMPI_Type_get_envelope(type, &a, &b, &c, &made) == MPI_SUCCESS &&
          made != MPI_COMBINER_NAMED)
        PMPI_Type_free(&type);
    }
  }
};

std::optional<Members> membersOf(MPI_Datatype type);

/// A type's members, copied to where its makers put them.
class Copies {
public:
  Copies(Members &into, MPI_Datatype type) : into(into), inner(membersOf(type)) {
    MPI_Aint low = 0, size = 0;
    PMPI_Type_get_extent(type, &low, &size);
    extent = size;
  }

  /// `count` of the type, one behind the other, from `at` on. False: it cannot be, or they are too
  /// many.
  bool put(int64_t at, int64_t count) {
    if (!inner || count < 0 || inner->size() * uint64_t(count) > MostMembers - into.size())
      return false;
    for (int64_t i = 0; i < count; ++i)
      for (const Member &member : *inner)
        into.push_back({member.type, at + i * extent + member.at});
    return true;
  }

  int64_t extent = 0;

private:
  Members &into;
  std::optional<Members> inner;
};

/// Dimensions from the one that changes least often on: the order of what is sent.
bool putSubarray(Copies &copies, const std::vector<int> &integers) {
  const int dimensions = integers[0];
  const bool isC = integers[size_t(1 + 3 * dimensions)] == MPI_ORDER_C;
  auto of = [&](int table, int dimension) {
    const int at = isC ? dimension : dimensions - 1 - dimension;
    return int64_t(integers[size_t(1 + table * dimensions + at)]);
  };
  uint64_t rows = 1; // each along the last dimension
  for (int d = 0; d < dimensions - 1; ++d)
    if (rows *= uint64_t(of(1, d)); rows > MostMembers)
      return false;
  for (uint64_t row = 0; row < rows; ++row) {
    int64_t at = 0, stride = 1;
    uint64_t rest = row;
    for (int d = dimensions - 1; d >= 0; --d) {
      int64_t index = of(2, d);
      if (d < dimensions - 1) {
        index += int64_t(rest % uint64_t(of(1, d)));
        rest /= uint64_t(of(1, d));
      }
      at += index * stride;
      stride *= of(0, d);
    }
    if (!copies.put(at * copies.extent, of(1, dimensions - 1)))
      return false;
  }
  return true;
}

bool putStruct(Members &into, const Making &making) {
  for (size_t i = 0; i < making.types.size(); ++i)
    if (!Copies(into, making.types[i]).put(making.addresses[i], making.integers[1 + i]))
      return false;
  return true;
}

bool putAll(Members &into, const Making &making) {
  const std::vector<int> &n = making.integers;
  const std::vector<MPI_Aint> &addresses = making.addresses;
  if (making.combiner == MPI_COMBINER_STRUCT)
    return putStruct(into, making);
  if (making.types.size() != 1)
    return false;
  Copies copies(into, making.types[0]);
  auto blocks = [&](auto lengthOf, auto placeOf) {
    for (int i = 0; i < n[0]; ++i)
      if (!copies.put(placeOf(i), lengthOf(i)))
        return false;
    return true;
  };
  auto own = [&](int i) { return n[size_t(1 + i)]; };
  auto same = [&](int) { return n[1]; };
  switch (making.combiner) {
  case MPI_COMBINER_DUP:
  case MPI_COMBINER_RESIZED:
    return copies.put(0, 1);
  case MPI_COMBINER_CONTIGUOUS:
    return copies.put(0, n[0]);
  case MPI_COMBINER_VECTOR:
    return blocks(same, [&](int i) { return int64_t(i) * n[2] * copies.extent; });
  case MPI_COMBINER_HVECTOR:
    return blocks(same, [&](int i) { return int64_t(i) * addresses[0]; });
  case MPI_COMBINER_INDEXED:
    return blocks(own, [&](int i) { return n[size_t(1 + n[0] + i)] * copies.extent; });
  case MPI_COMBINER_HINDEXED:
    return blocks(own, [&](int i) { return int64_t(addresses[size_t(i)]); });
  case MPI_COMBINER_INDEXED_BLOCK:
    return blocks(same, [&](int i) { return n[size_t(2 + i)] * copies.extent; });
  case MPI_COMBINER_HINDEXED_BLOCK:
    return blocks(same, [&](int i) { return int64_t(addresses[size_t(i)]); });
  case MPI_COMBINER_SUBARRAY:
    return putSubarray(copies, n);
  default:
    return false;
  }
}

std::optional<Members> membersOf(MPI_Datatype type) {
  if (const std::optional<NamedElement> named = namedElement(type))
    return Members{{named->type, 0}};
  const Making making(type);
  Members members;
  if (making.combiner == MPI_COMBINER_NAMED || !putAll(members, making))
    return std::nullopt;
  return members;
}

/// As C aligns it. A pair is as its value, or as its index where that is longer.
uint64_t alignmentOf(ElementType type) {
  switch (type) {
  case ElementType::Complex64:
  case ElementType::Int16Int:
  case ElementType::Int32Int:
  case ElementType::Float32Int:
    return 4;
  case ElementType::Complex128:
  case ElementType::Int64Int:
  case ElementType::Float64Int:
    return 8;
  default:
    return bytesOf(type);
  }
}

void add(std::vector<ItemForm::Run> &runs, const ItemForm::Run &run) {
  if (!runs.empty()) {
    ItemForm::Run &last = runs.back();
    if (last.memory + int64_t(last.bytes) == run.memory && last.form + last.bytes == run.form) {
      last.bytes += run.bytes;
      return;
    }
  }
  runs.push_back(run);
}

} // namespace

std::optional<ItemForm> formOf(MPI_Datatype type) {
  const std::optional<Members> members = membersOf(type);
  if (!members || members->empty())
    return std::nullopt;
  ItemForm form;
  form.type = members->front().type;
  uint64_t end = 0, greatest = 1;
  for (const Member &member : *members) {
    const uint64_t alignment = alignmentOf(member.type), bytes = bytesOf(member.type);
    const uint64_t at = (end + alignment - 1) / alignment * alignment;
    add(form.runs, {member.at, at, bytes});
    end = at + bytes;
    greatest = std::max(greatest, alignment);
    if (member.type != form.type)
      form.type = ElementType::Uint8;
  }
  const bool isMixed = std::ranges::any_of(
      *members, [&](const Member &member) { return member.type != members->front().type; });
  form.elements = isMixed ? (end + greatest - 1) / greatest * greatest : members->size();
  MPI_Aint low = 0, extent = 0;
  PMPI_Type_get_extent(type, &low, &extent);
  form.extent = extent;
  form.isDense = form.runs.size() == 1 && form.runs[0].memory == 0 &&
                 form.runs[0].bytes == form.bytes() && int64_t(form.bytes()) == form.extent;
  return form;
}

void ItemForm::gather(const void *memory, uint64_t items, uint8_t *forms) const {
  const uint64_t size = bytes();
  const auto *from = static_cast<const uint8_t *>(memory);
  std::memset(forms, 0, items * size);
  for (uint64_t item = 0; item < items; ++item)
    for (const Run &run : runs)
      std::memcpy(forms + item * size + run.form, from + int64_t(item) * extent + run.memory,
                  run.bytes);
}

void ItemForm::scatter(const uint8_t *forms, uint64_t items, void *memory) const {
  const uint64_t size = bytes();
  auto *to = static_cast<uint8_t *>(memory);
  for (uint64_t item = 0; item < items; ++item)
    for (const Run &run : runs)
      std::memcpy(to + int64_t(item) * extent + run.memory, forms + item * size + run.form,
                  run.bytes);
}

} // namespace acis::mpi

// See Layout.h.
#include "passes/llvm/objects/Layout.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace acis {
namespace {

/// Arrays that end in zeros are a structure without a name to Clang: what is written down, and the
/// rest. Others of these are pieces of records, which SROA makes.
bool isArray(const Part &record);
bool joinMembers(StructType &type, Part &part, const DataLayout &data);

bool fill(Type *type, Part &part, const DataLayout &data) {
  for (;;) {
    if (auto *array = dyn_cast<ArrayType>(type)) {
      part.extents.push_back(array->getNumElements());
      part.count *= array->getNumElements();
      type = array->getElementType();
    } else if (type->isStructTy() && type->getStructNumElements() == 1) {
      type = type->getStructElementType(0);
    } else {
      break;
    }
  }
  if (!type->isSized() || part.count == 0)
    return false;
  part.stride = data.getTypeAllocSize(type);
  if (type->isIntegerTy() || type->isFloatingPointTy() || type->isPointerTy()) {
    part.number = type;
    return true;
  }
  auto *record = dyn_cast<StructType>(type);
  if (!record || record->getNumElements() == 0)
    return false;
  const StructLayout &places = *data.getStructLayout(record);
  for (auto [i, member] : enumerate(record->elements())) {
    part.members.push_back(std::make_unique<Part>());
    part.members.back()->offset = places.getElementOffset(i);
    if (!fill(member, *part.members.back(), data))
      return false;
  }
  return record->hasName() || !isArray(part) || joinMembers(*record, part, data);
}

bool isArray(const Part &record) {
  uint64_t count = 0;
  for (const std::unique_ptr<Part> &member : record.members) {
    if (!member->hasSameElements(*record.members.front()) ||
        member->offset != count * member->stride)
      return false;
    count += member->count;
  }
  return true;
}

bool joinMembers(StructType &type, Part &part, const DataLayout &data) {
  uint64_t count = 0;
  for (const std::unique_ptr<Part> &member : part.members)
    count += member->count;
  Part first = std::move(*part.members.front());
  part.number = first.number;
  part.stride = first.stride;
  part.members = std::move(first.members);
  part.count *= count;
  part.extents.push_back(count);
  return part.count * part.stride == data.getTypeAllocSize(&type) * (part.count / count);
}

void addColumns(Part &part, SmallVector<const Part *, 3> path, const std::string &name,
                std::vector<Column> &columns) {
  path.push_back(&part);
  if (part.number) {
    part.column = unsigned(columns.size());
    columns.push_back({path, name});
    return;
  }
  for (auto [i, member] : enumerate(part.members))
    addColumns(*member, path, name + "." + std::to_string(i), columns);
}

/// `element`: the number of the part's first element in its columns; `at`: its
/// byte in the range.
void cover(const Part &part, int64_t from, int64_t to, uint64_t element, int64_t at,
           SmallVectorImpl<Run> &runs) {
  const auto stride = int64_t(part.stride);
  const int64_t first = from / stride, behind = (to + stride - 1) / stride;
  if (part.number) {
    const bool isWhole = from % stride == 0 && to % stride == 0;
    runs.push_back({part.column, element + uint64_t(first), uint64_t(behind - first),
                    uint64_t(at + from), uint64_t(from % stride), isWhole});
    return;
  }
  for (int64_t i = first; i < behind; i++)
    for (const std::unique_ptr<Part> &member : part.members) {
      const int64_t start = i * stride + int64_t(member->offset);
      const int64_t end = start + int64_t(member->count * member->stride);
      if (start < to && from < end)
        cover(*member, std::max<int64_t>(from - start, 0), std::min(to, end) - start,
              (element + uint64_t(i)) * member->count, at + start, runs);
    }
}

} // namespace

const Part *Part::memberAt(uint64_t byte) const {
  for (const std::unique_ptr<Part> &member : members)
    if (byte >= member->offset && byte < member->offset + member->count * member->stride)
      return member.get();
  return nullptr;
}

bool Part::hasSameElements(const Part &other) const {
  if (number != other.number || stride != other.stride || members.size() != other.members.size())
    return false;
  return all_of(zip_equal(members, other.members), [](auto pair) {
    const Part &left = *std::get<0>(pair), &right = *std::get<1>(pair);
    return left.offset == right.offset && left.count == right.count && left.hasSameElements(right);
  });
}

uint64_t Column::offset() const {
  uint64_t bytes = 0;
  for (const Part *part : path)
    bytes += part->offset;
  return bytes;
}

uint64_t Column::weight(size_t depth) const {
  uint64_t numbers = 1;
  for (const Part *part : drop_begin(path, depth + 1))
    numbers *= part->count;
  return numbers;
}

Type *Column::type() const {
  Type *type = number().number;
  for (const Part *part : reverse(path))
    for (uint64_t extent : reverse(part->extents))
      type = ArrayType::get(type, extent);
  return type;
}

std::unique_ptr<Layout> Layout::of(Type *type, const DataLayout &data) {
  auto layout = std::make_unique<Layout>();
  if (!fill(type, layout->root, data))
    return nullptr;
  addColumns(layout->root, {}, "", layout->columns);
  return layout->root.number && layout->root.number->isPointerTy() ? nullptr : std::move(layout);
}

SmallVector<Run, 8> runsOf(const Part &part, uint64_t from, uint64_t length) {
  SmallVector<Run, 8> runs;
  cover(part, int64_t(from), int64_t(from + length), 0, -int64_t(from), runs);
  return runs;
}

Type *numberIn(Type *type, const DataLayout &data) {
  std::unique_ptr<Layout> layout = Layout::of(type, data);
  return layout ? layout->root.number : nullptr;
}

} // namespace acis

#include "runtime/switch/wire/Near.h"

#include "runtime/io/Bytes.h"

namespace acis::wire {

namespace {

void put(io::Writer &writer, const Place &place) {
  writer.put(place.handle).put(place.offset).put(place.bytes);
}

Place take(io::Reader &reader) {
  Place place;
  place.handle = reader.get<uint64_t>();
  place.offset = reader.get<uint64_t>();
  place.bytes = reader.get<uint64_t>();
  return place;
}

} // namespace

std::vector<uint8_t> Access::write() const {
  io::Writer writer;
  writer.put(uint8_t(op));
  put(writer, place);
  switch (op) {
  case Op::Put:
  case Op::Get:
    writer.put(rows).put(stride);
    break;
  case Op::Load:
    writer.put(function).put(offset).put(total).text(name);
    break;
  case Op::Launch:
    put(writer, memory);
    put(writer, output);
    writer.put(uint8_t(stages.size()));
    for (uint64_t stage : stages)
      writer.put(stage);
    break;
  case Op::Fold:
    writer.put(context).put(position).put(nodes).put(uint8_t(reduce)).put(uint8_t(type));
    break;
  case Op::Alloc:
  case Op::Free:
  case Op::List:
    break;
  }
  return writer.raw(data).take();
}

std::optional<Access> Access::read(std::span<const uint8_t> bytes) {
  io::Reader reader(bytes);
  Access out;
  const uint8_t op = reader.get<uint8_t>();
  if (op > uint8_t(Op::Fold))
    return std::nullopt;
  out.op = Op(op);
  out.place = take(reader);
  switch (out.op) {
  case Op::Put:
  case Op::Get:
    out.rows = reader.get<uint32_t>();
    out.stride = reader.get<uint64_t>();
    break;
  case Op::Load:
    out.function = reader.get<uint64_t>();
    out.offset = reader.get<uint32_t>();
    out.total = reader.get<uint32_t>();
    out.name = reader.text();
    break;
  case Op::Launch: {
    out.memory = take(reader);
    out.output = take(reader);
    const unsigned count = reader.get<uint8_t>();
    if (count < 1 || count > MostStages)
      return std::nullopt;
    for (unsigned i = 0; i < count; ++i)
      out.stages.push_back(reader.get<uint64_t>());
    break;
  }
  case Op::Fold: {
    out.context = reader.get<uint32_t>();
    out.position = reader.get<uint32_t>();
    out.nodes = reader.get<uint32_t>();
    const uint8_t reduce = reader.get<uint8_t>(), type = reader.get<uint8_t>();
    out.reduce = ReduceOp(reduce);
    out.type = ElementType(type);
    if (out.position >= out.nodes || out.nodes > MostNodes || reduce >= NumReduceOps ||
        type >= NumElementTypes || out.reduce >= ReduceOp::Merge ||
        !isDefined(out.reduce, out.type))
      return std::nullopt;
    break;
  }
  case Op::Alloc:
  case Op::Free:
  case Op::List:
    break;
  }
  out.data = reader.rest();
  const bool hasData = out.op == Op::Put || out.op == Op::Load || out.op == Op::Launch;
  if (reader.ranOut() || (!hasData && !out.data.empty()))
    return std::nullopt;
  return out;
}

std::vector<uint8_t> Outcome::write() const {
  io::Writer writer;
  writer.put(uint8_t(running)).put(uint8_t(failure)).put(value).put(cycles);
  return writer.text(what).raw(data).take();
}

std::optional<Outcome> Outcome::read(std::span<const uint8_t> bytes) {
  io::Reader reader(bytes);
  Outcome out;
  const uint8_t running = reader.get<uint8_t>(), failure = reader.get<uint8_t>();
  out.value = reader.get<uint64_t>();
  out.cycles = reader.get<uint64_t>();
  out.what = reader.text();

  if (reader.ranOut() || running > 1 || failure >= NumFailures)
    return std::nullopt;
  out.running = running;
  out.failure = Failure(failure);
  out.data.assign(reader.rest().begin(), reader.rest().end());
  return out;
}

} // namespace acis::wire

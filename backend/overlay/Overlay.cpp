// Reads and validates an overlay description.
#include "backend/overlay/Overlay.h"

#include "backend/overlay/Fields.h"
#include "backend/overlay/Json.h"
#include "backend/overlay/Shipped.h"
#include "backend/support/Nearest.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>

namespace acis {

using namespace overlay;

namespace {

constexpr size_t MaxFileBytes = 1 << 20;

/// The descriptions of descriptions/, so that their names work in every folder.
struct Shipped {
  std::string_view fileName, text;
};
constexpr Shipped shippedFiles[] = {
#include "backend/overlay/Shipped.inc"
};

/// Reads a file that is not there: one of the shipped ones, or the error.
Result<std::string> shippedText(const std::string &path, const std::string &reason) {
  std::string names;
  for (const Shipped &file : shippedFiles) {
    if (file.fileName == path)
      return std::string(file.text);
    names += (names.empty() ? "" : ", ") + std::string(file.fileName);
  }
  return Error{path, "cannot open the overlay description: " + reason + "; shipped are " + names +
                         didYouMean(path, shippedOverlays())};
}

class Reader {
public:
  explicit Reader(std::string_view fileName) : file(fileName) {}

  Result<Overlay> read(const Json &root) {
    if (!root.is_object())
      return error("/", "found " + describe(root) + ", expected an object");
    if (Status status = readObject(root, "", ""); !status)
      return status.error();
    if (Status status = finishGrid(root); !status)
      return status.error();
    if (Status status = checkSizes(); !status)
      return status.error();
    return result;
  }

private:
  std::string file;
  Overlay result;
  PeKind current; ///< the PE kind that Units and Flag fields fill in

  Error error(const std::string &path, const std::string &what) const {
    return {file + ": " + path, what};
  }
  Error wrong(const std::string &path, const Json &value, const Field &field) const {
    return error(path, "found " + describe(value) + ", allowed is " + allowed(field));
  }

  /// `pattern` is the path of the object in the table, `path` the one in the file.
  Status readObject(const Json &object, std::string_view pattern, const std::string &path) {
    // First, because a field that is missing may only be misspelt.
    std::string known;
    for (const Field &field : fields())
      if (parentOf(field.path) == pattern)
        known += (known.empty() ? "" : ", ") + std::string(nameOf(field.path));
    for (const auto &item : object.items())
      if (!isKnown(pattern, item.key()))
        return error(childPath(path, item.key()), "unknown field, allowed are " + known);
    for (const Field &field : fields()) {
      if (parentOf(field.path) != pattern)
        continue;
      std::string name(nameOf(field.path));
      auto found = object.find(name);
      if (found == object.end()) {
        if (!field.required)
          continue;
        return error(childPath(path, name), "field is missing, needed is " + allowed(field));
      }
      if (Status status = readField(*found, field, childPath(path, name)); !status)
        return status;
    }
    return Status::ok();
  }

  static bool isKnown(std::string_view pattern, std::string_view name) {
    return std::ranges::any_of(fields(), [&](const Field &field) {
      return parentOf(field.path) == pattern && nameOf(field.path) == name;
    });
  }

  Status readField(const Json &value, const Field &field, const std::string &path) {
    switch (field.kind) {
    case FieldKind::Object:
      if (!value.is_object())
        return wrong(path, value, field);
      return readObject(value, field.path, path);
    case FieldKind::Integer:
    case FieldKind::Power:
      return readInteger(value, field, path);
    case FieldKind::Number:
      return readClock(value, field, path);
    case FieldKind::Text:
      if (!value.is_string() || value.get_ref<const std::string &>().empty())
        return wrong(path, value, field);
      if (field.path == "/name")
        result.name = value.get_ref<const std::string &>();
      return Status::ok();
    case FieldKind::Flag:
      if (!value.is_boolean())
        return wrong(path, value, field);
      if (field.setPe)
        field.setPe(current, value.get<bool>());
      else
        field.set(result, value.get<bool>());
      return Status::ok();
    case FieldKind::Units:
      return readUnits(value, field, path);
    case FieldKind::Widths:
      return readWidths(value, field, path);
    case FieldKind::Choice:
      return readChoice(value, field, path);
    case FieldKind::PeList:
    case FieldKind::Overrides:
      if (!value.is_array())
        return wrong(path, value, field);
      return Status::ok(); // by finishGrid(), once the size of the grid is known
    }
    return Status::ok();
  }

  Status readInteger(const Json &value, const Field &field, const std::string &path) {
    // Every range starts at 0 or more, so a negative number is never unsigned.
    if (!value.is_number_unsigned())
      return wrong(path, value, field);
    uint64_t number = value.get<uint64_t>();
    if (number < field.min || number > field.max)
      return wrong(path, value, field);
    if (field.kind == FieldKind::Power && !std::has_single_bit(number))
      return wrong(path, value, field);
    if (field.setPe)
      field.setPe(current, number);
    else
      field.set(result, number);
    return Status::ok();
  }

  Status readClock(const Json &value, const Field &field, const std::string &path) {
    if (!value.is_number())
      return wrong(path, value, field);
    double number = value.get<double>();
    if (!(number > 0 && number <= static_cast<double>(field.max)))
      return wrong(path, value, field);
    result.clockMhz = number;
    return Status::ok();
  }

  Status readUnits(const Json &value, const Field &field, const std::string &path) {
    if (!value.is_array())
      return wrong(path, value, field);
    std::array<bool, NumUnitClasses> units{};
    for (size_t i = 0; i < value.size(); ++i) {
      const Json &name = value[i];
      auto found = std::end(unitNames);
      if (name.is_string())
        found = std::ranges::find(unitNames, name.get_ref<const std::string &>());
      if (found == std::end(unitNames) || units[found - std::begin(unitNames)])
        return wrong(childPath(path, std::to_string(i)), name, field);
      units[found - std::begin(unitNames)] = true;
    }
    current.units = units;
    return Status::ok();
  }

  Status readWidths(const Json &value, const Field &field, const std::string &path) {
    const bool wide = value == Json::array({32, 64});
    if (!wide && value != Json::array({32}))
      return wrong(path, value, field);
    setExtra(current, extra::Wide, wide);
    return Status::ok();
  }

  Status readChoice(const Json &value, const Field &field, const std::string &path) {
    if (!value.is_string())
      return wrong(path, value, field);
    auto found = std::ranges::find(field.names, value.get_ref<const std::string &>());
    if (found == field.names.end())
      return wrong(path, value, field);
    field.set(result, uint64_t(found - field.names.begin()));
    return Status::ok();
  }

  /// Fills in every PE, then what the overrides change, in their order.
  Status finishGrid(const Json &root) {
    if (Status status = checkShared(current, "/grid/default"); !status)
      return status;
    result.pes.assign(result.numPes(), current);
    result.links = deriveLinks(result.rows, result.cols, result.topology);
    const Json &grid = *root.find("grid");
    auto overrides = grid.find("overrides");
    if (overrides == grid.end())
      return Status::ok();
    for (size_t i = 0; i < overrides->size(); ++i)
      if (Status status =
              readOverride((*overrides)[i], childPath("/grid/overrides", std::to_string(i)));
          !status)
        return status;
    return Status::ok();
  }

  Status readOverride(const Json &object, const std::string &path) {
    if (!object.is_object())
      return error(path, "found " + describe(object) + ", allowed is an object");
    if (Status status = readObject(object, "/grid/overrides/*", path); !status)
      return status;
    const Json &pes = *object.find("pes");
    std::string pesPath = childPath(path, "pes");
    if (pes.empty())
      return error(pesPath, "found no PE, needed is at least one");
    for (size_t i = 0; i < pes.size(); ++i) {
      if (!pes[i].is_number_unsigned() || pes[i].get<uint64_t>() >= result.numPes())
        return error(childPath(pesPath, std::to_string(i)),
                     "found " + describe(pes[i]) + ", allowed is a PE number from 0 to " +
                         std::to_string(result.numPes() - 1));
      PeKind &pe = result.pes[pes[i].get<uint64_t>()];
      current = pe;
      if (Status status = readObject(object, "/grid/overrides/*", path); !status)
        return status;
      if (Status status = checkShared(current, path); !status)
        return status;
      pe = current;
    }
    return Status::ok();
  }

  /// Whether the lanes of `pe` can share units as it says.
  Status checkShared(const PeKind &pe, const std::string &path) const {
    for (UnitClass c : {UnitClass::Convert, UnitClass::Divide}) {
      const unsigned every = pe.everyOf(c);
      const std::string unit(unitNames[unsigned(c)]);
      if (every == 1 || !pe.has(c))
        continue;
      const std::string found = "found " + std::to_string(every);
      const unsigned most = result.lanes / (pe.lacks(extra::Wide) ? 1 : 2);
      if (every > most)
        return error(path + "/every/" + unit,
                     found + ", allowed are at most " + std::to_string(most) +
                         " (as many lanes, or pairs of lanes with elements of 64 bits)");
      const unsigned needed = every + 1 + result.inputLatency;
      if (result.latencyOf(c) < needed)
        return error(path + "/every/" + unit,
                     found + " with a latency of " + std::to_string(result.latencyOf(c)) +
                         ", needed is /pe/latency/" + unit + " of at least " +
                         std::to_string(needed) + " (the lanes begin one after the other)");
    }
    return Status::ok();
  }

  /// What no field alone can tell.
  Status checkSizes() const {
    constexpr unsigned maxVlen = 65536; // RVV 1.0
    uint64_t vlen = uint64_t(result.vregBeats()) * result.beatBytes() * 8;
    if (vlen > maxVlen)
      return error("/vrf/beats", "found " + std::to_string(result.vrfBeats) + " beats of " +
                                     std::to_string(result.lanes) + " lanes, allowed are at most " +
                                     std::to_string(maxVlen / result.lanes) +
                                     " (vector registers of 65536 bits)");
    if (result.lanes < result.leastLanes())
      return error("/pe/lanes", "found " + std::to_string(result.lanes) + ", needed are " +
                                    std::to_string(result.leastLanes()) +
                                    " where a PE has elements of 64 bits (a beat is two of them); "
                                    "/grid/default/widths [32] and no other widths in "
                                    "/grid/overrides leave them out");
    if (result.memBytes % (uint64_t(result.memBanks) * result.memInterleaveBytes))
      return error("/memory/bytes",
                   "found " + std::to_string(result.memBytes) +
                       ", allowed is a multiple of banks * interleaveBytes = " +
                       std::to_string(uint64_t(result.memBanks) * result.memInterleaveBytes));
    if (result.indexLatency != 0 && (result.inputLatency == 0 || result.launchLatency == 0))
      return error("/pe/indexLatency",
                   "found " + std::to_string(result.indexLatency) + " with an inputLatency of " +
                       std::to_string(result.inputLatency) + " and a launchLatency of " +
                       std::to_string(result.launchLatency) +
                       ", needed are /pe/inputLatency 1 and /grid/launchLatency 1 or 2 (an index "
                       "is taken a cycle before its slot)");
    if (result.stallLatency != 0 && result.indexLatency != result.stallLatency + 1)
      return error("/grid/stallLatency",
                   "found " + std::to_string(result.stallLatency) + " with an indexLatency of " +
                       std::to_string(result.indexLatency) + ", needed is /pe/indexLatency " +
                       std::to_string(result.stallLatency + 1) +
                       " (addresses are known when a slot is decided)");
    if (result.stallLatency == 0 && result.indexLatency > 1)
      return error("/pe/indexLatency",
                   "found " + std::to_string(result.indexLatency) +
                       " with a stallLatency of 0, allowed are 0 and 1 (or /grid/stallLatency " +
                       std::to_string(result.indexLatency - 1) + ")");
    const bool blocks = result.contextRam == Ram::Block || result.contextRam == Ram::Ultra;
    if (blocks && result.launchLatency != 2)
      return error("/pe/contextRam",
                   "found \"" + std::string(ramNames[unsigned(result.contextRam)]) +
                       "\" with a launchLatency of " + std::to_string(result.launchLatency) +
                       ", needed is /grid/launchLatency 2 (a memory block reads at the end of the "
                       "cycle that has the address)");
    if (result.vrfCopies && result.indexLatency == 0)
      return error("/vrf/copies",
                   "found true with an indexLatency of 0, needed is /pe/indexLatency 1 (a memory "
                   "with one clock reads at the end of the cycle that has the address)");
    // Stages of spvacc, the vector instruction with most: its index, the access, the sum.
    const unsigned vectors =
        2 * result.inputLatency + result.indexLatency +
        std::max(result.latencyOf(UnitClass::Integer), result.latencyOf(UnitClass::Float)) + 1;
    if (result.scalarVector && result.stages < vectors)
      return error("/pe/stages", "found " + std::to_string(result.stages) + ", needed are " +
                                     std::to_string(vectors) +
                                     " for vector instructions with these latencies");
    bool anyVrf = std::ranges::any_of(result.pes, [](const PeKind &pe) { return pe.vrf; });
    if (!anyVrf)
      return error("/grid", "found no PE with a vector register file, needed is at least one");
    return Status::ok();
  }
};

} // namespace

Result<Overlay> Overlay::parse(std::string_view json, std::string_view fileName) {
  Result<Json> root = parseJson(json, fileName);
  if (!root)
    return root.error();
  return Reader(fileName).read(*root);
}

Result<std::string> Overlay::readText(const std::string &path) {
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    return shippedText(path, errno ? std::strerror(errno) : "unknown error");
  std::string text(MaxFileBytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad() || (stream.fail() && !stream.eof()))
    return Error{path, "cannot read the overlay description"};
  text.resize(static_cast<size_t>(stream.gcount()));
  if (text.size() > MaxFileBytes)
    return Error{path, "found more than 1048576 bytes, which no overlay description needs"};
  return text;
}

std::vector<std::string_view> shippedOverlays() {
  std::vector<std::string_view> names;
  for (const Shipped &file : shippedFiles)
    names.emplace_back(file.fileName);
  return names;
}

Result<Overlay> Overlay::load(const std::string &path) {
  const Result<std::string> text = readText(path);
  return text ? parse(*text, path) : Result<Overlay>(text.error());
}

std::string namesOf(Extras extras) {
  static constexpr std::string_view names[] = {"elements of 64 bits", "fused multiply-add",
                                               "an index for each lane", "moves between lanes"};
  std::string text;
  for (unsigned bit = 0; bit < std::size(names); ++bit)
    if (extras >> bit & 1)
      text += (text.empty() ? "" : " and ") + std::string(names[bit]);
  return text;
}

unsigned Overlay::linkPorts() const {
  unsigned ports = 1;
  for (const Link &link : links)
    ports = std::max({ports, link.port + 1, link.inPort + 1});
  return ports;
}

bool Overlay::isWide() const {
  return std::ranges::any_of(pes, [](const PeKind &pe) { return !pe.lacks(extra::Wide); });
}

unsigned Overlay::leastLanes() const { return isWide() ? 4 : 2; }

unsigned Overlay::memoryPorts() const {
  return unsigned(
      std::count_if(pes.begin(), pes.end(), [](const PeKind &pe) { return pe.memory; }));
}

uint64_t Overlay::fingerprint() const {
  uint64_t hash = 0xcbf29ce484222325; // FNV-1a over 32-bit words, low byte first
  auto add = [&hash](uint32_t word) {
    for (unsigned byte = 0; byte < 4; ++byte)
      hash = (hash ^ (word >> (8 * byte) & 0xff)) * 0x100000001b3;
  };
  add(rows);
  add(cols);
  add(static_cast<uint32_t>(topology));
  for (const PeKind &pe : pes) {
    uint32_t kind = (pe.memory ? 1 : 0) | (pe.vrf ? 2 : 0);
    for (unsigned c = 0; c < NumUnitClasses; ++c)
      kind |= pe.units[c] ? 4u << c : 0;
    kind |= unsigned(pe.lacks(extra::All)) << (2 + NumUnitClasses); // nothing, in older binaries
    add(kind);
  }
  for (unsigned cycles : latency)
    add(cycles);
  for (unsigned size : {lanes, routeRegs, operandDelay, contextSlots, maxContexts, vrfBeats,
                        vrfReadPorts, codeBytes, scratchBytes})
    add(size);
  if (inputLatency != 0) // binaries are older than it
    add(inputLatency);
  if (indexLatency != 0) // with an input latency, so that no other description has this sum
    add(indexLatency);
  if (interlocks != Overlay().interlocks)
    add(0x10000 + interlocks); // no latency is as large
  if (arguments != Overlay().arguments)
    add(0x20000 + arguments);
  if (stages != Overlay().stages)
    add(0x30000 + stages);
  if (!scalarVector)
    add(0x50000);
  for (unsigned pe = 0; pe < pes.size(); ++pe)
    for (unsigned c = 0; c < NumUnitClasses; ++c)
      if (pes[pe].units[c] && pes[pe].every[c] != 1)
        for (const uint32_t word : {0x40000 + c, pe, pes[pe].every[c]})
          add(word);
  return hash;
}

} // namespace acis

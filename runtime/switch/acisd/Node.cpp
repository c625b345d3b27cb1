#include "runtime/switch/acisd/Node.h"

#include <algorithm>

namespace acis::acisd {

using namespace memory;

Result<std::unique_ptr<Node>> Node::make(const Config &config, const Overlay *overlay) {
  Result<Mapping> mapping = config.file.empty() ? Mapping::anonymous(config.bytes)
                                                : Mapping::file(config.file, config.bytes);
  if (!mapping)
    return mapping.error();
  const std::span<uint8_t> bytes = mapping->bytes();
  const std::string where = config.file.empty() ? "region" : config.file;
  // A new file has zeros; anything else that is no region is somebody's data.
  const bool isNew =
      std::all_of(bytes.begin(), bytes.begin() + long(std::min<size_t>(bytes.size(), 64)),
                  [](uint8_t byte) { return byte == 0; });
  // Handles of an anonymous region begin anywhere, so that those of a node that was restarted are
  // not taken for those that it gives now.
  const uint64_t first = config.file.empty() ? (config.incarnation >> 16 << 20) + 1 : 1;
  Result<Blocks> blocks = isNew ? Blocks::make(bytes, first) : Blocks::open(bytes);
  if (!blocks)
    return Error{where, blocks.error().what};
  return std::unique_ptr<Node>(new Node(std::move(*mapping), std::move(*blocks), overlay, config));
}

Node::Node(Mapping region, Blocks table, const Overlay *overlay, const Config &config)
    : mapping(std::move(region)), blocks(std::move(table)), functions(overlay),
      pool(overlay ? std::make_unique<LaunchPool>(*overlay, config.exact, config.threads)
                   : nullptr),
      nothing(nullptr),
      folds(config.folds.above.empty() ? nullptr : std::make_unique<FoldPool>(config.folds)),
      packetBytes(config.packetBytes) {}

std::unique_ptr<sw::Plugin> Node::plugin(sw::Services &services) {
  Runner &runner = pool ? static_cast<Runner &>(*pool) : nothing;
  sw::Memory::Limits limits;
  limits.packetBytes = packetBytes;
  limits.keeps = mapping.isFile();
  return std::make_unique<sw::Memory>(
      services, sw::Memory::Parts{blocks, functions, runner, folds.get()}, limits);
}

void Node::descriptors(std::vector<int> &out) const {
  if (pool)
    out.push_back(pool->descriptor());
  if (folds)
    out.push_back(folds->descriptor());
}

Status Node::stop() {
  if (pool)
    pool->finish();
  return mapping.save();
}

} // namespace acis::acisd

// What makes a switch a memory node: a region, functions, threads for them.
#pragma once

#include "runtime/switch/acisd/FoldPool.h"
#include "runtime/switch/acisd/LaunchPool.h"
#include "runtime/switch/core/Memory.h"
#include "runtime/switch/memory/Mapping.h"

namespace acis::acisd {

class Node {
public:
  struct Config {
    uint64_t bytes = 0;   ///< of the region; 0: those of the file
    std::string file;     ///< "": memory of this process
    unsigned threads = 1; ///< that run launches
    bool exact = false;   ///< engine `model`
    uint32_t packetBytes = 16'384;
    uint64_t incarnation = 0; ///< unpredictable: handles of this node are not those of another
    FoldPool::Config folds;   ///< without an address: this node does not fold
  };
  /// `overlay`: nullptr: no functions. It outlives the node.
  static Result<std::unique_ptr<Node>> make(const Config &config, const Overlay *overlay);

  /// The node outlives the switch that has it.
  std::unique_ptr<sw::Plugin> plugin(sw::Services &services);

  /// Readable while launches or folds have ended that the switch was not told of.
  void descriptors(std::vector<int> &out) const;
  bool hasEnded() { return (pool && pool->hasEnded()) || (folds && folds->hasEnded()); }
  /// All launches have ended, and a file has all that was written.
  Status stop();
  uint64_t capacity() const { return blocks.capacity(); }
  size_t count() const { return blocks.count(); }

private:
  Node(memory::Mapping mapping, memory::Blocks blocks, const Overlay *overlay,
       const Config &config);

  memory::Mapping mapping;
  memory::Blocks blocks;
  memory::Functions functions;
  std::unique_ptr<LaunchPool> pool; ///< null: no overlay
  memory::RunHere nothing;          ///< in its place
  std::unique_ptr<FoldPool> folds;  ///< null: there is no switch to fold in
  const uint32_t packetBytes;
};

} // namespace acis::acisd

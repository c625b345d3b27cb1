// Who uses which cell of the MRRG while several may still want the same one, and what
// the next user of a cell has to pay (negotiated congestion).
#pragma once

#include "passes/mrrg/Mrrg.h"

#include <cstdint>
#include <vector>

namespace acis::map {

class Occupancy {
public:
  Occupancy(const Mrrg &mrrg);

  /// Uses of one cell under one key are one use: edges of a value share their way.
  void add(unsigned cell, uint64_t key);
  void remove(unsigned cell, uint64_t key);

  /// Distinct users of the cell.
  unsigned users(unsigned cell) const { return unsigned(cells[cell].size()); }
  uint64_t userKey(unsigned cell, unsigned number) const { return cells[cell][number].key; }
  bool isUsedBy(unsigned cell, uint64_t key) const;

  /// Price of a cell that the buyer does not use yet: 0 when it is free and always was.
  int price(unsigned cell) const { return prices[cell]; }
  /// Price of a cell that may have been taken under the same key: then nothing.
  int priceFor(unsigned cell, uint64_t key) const;
  /// Price of one more register of the PE in the slot.
  int registerPrice(unsigned pe, unsigned slot) const {
    unsigned load = registerLoad[pe * mrrg.ii() + slot];
    return load < mrrg.numRegisters() ? 0 : int(load + 1 - mrrg.numRegisters()) * Overuse;
  }

  /// Cells with more than one user, in no particular but a fixed order.
  const std::vector<unsigned> &conflicts() const { return hot; }
  /// Makes a cell that is fought for dearer for good.
  void remember(unsigned cell);

  static constexpr int Overuse = 24;

private:
  struct User {
    uint64_t key;
    unsigned refs;
  };
  void changed(unsigned cell);
  void countRegister(unsigned cell, int change);

  const Mrrg &mrrg;
  std::vector<std::vector<User>> cells;
  std::vector<int> prices;
  std::vector<int> history;
  std::vector<unsigned> hot;
  std::vector<int> hotAt; ///< by cell: place in `hot`, or -1
  std::vector<unsigned> registerLoad;
};

} // namespace acis::map

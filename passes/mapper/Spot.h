// Where a node is while a schedule may still move.
#pragma once

namespace acis::map {

struct Spot {
  unsigned pe = 0;
  int time = 0; ///< may be negative
  unsigned port = 0;
};

} // namespace acis::map

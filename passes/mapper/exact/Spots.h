// The part that both formulas share: every node gets one spot, no unit or port two nodes.
#pragma once

#include "passes/mapper/Problem.h"
#include "passes/mapper/Spot.h"
#include "passes/mapper/exact/Cnf.h"
#include "passes/mrrg/Mrrg.h"

namespace acis::map::exact {

class Spots {
public:
  struct Choice {
    Spot spot;
    Literal literal;
  };

  /// Node n may be at times first[n] .. last[n], on every PE that can run it.
  Spots(Cnf &cnf, const Problem &problem, const Overlay &overlay, const Mrrg &mrrg,
        const std::vector<int> &first, const std::vector<int> &last);

  const std::vector<Choice> &of(unsigned node) const { return choices[node]; }
  /// "The node is on this PE"; 0 where it cannot be. A StreamIn is nowhere.
  Literal on(unsigned node, unsigned pe) const { return places[node * mrrg.numPes() + pe]; }
  /// After Yes.
  Spot chosen(unsigned node) const;

private:
  void addNode(unsigned node, int first, int last);
  void addUnits();

  Cnf &cnf;
  const Problem &problem;
  const Overlay &overlay;
  const Mrrg &mrrg;
  std::vector<std::vector<Choice>> choices;
  std::vector<Literal> places;
};

} // namespace acis::map::exact

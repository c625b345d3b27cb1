// A formula in conjunctive normal form and the solver's answer to it.
#pragma once

#include <chrono>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <vector>

namespace CaDiCaL {
class Solver;
}

namespace acis::map::exact {

using Literal = int; ///< a variable, or its negation with a minus; never 0
using Deadline = std::chrono::steady_clock::time_point;

enum class Answer { Yes, No, Unknown };

/// About 2 GB of the solver's memory; a graph of 60 nodes on 256 PEs would take ten times as much.
inline constexpr size_t MaxLiterals = 100'000'000;

class Cnf {
public:
  explicit Cnf(size_t maxLiterals = MaxLiterals);
  ~Cnf();

  Literal variable() { return ++variables; }
  void clause(std::initializer_list<Literal> literals);
  void clause(const std::vector<Literal> &literals);
  /// None, or one, of them is true.
  void atMostOne(const std::vector<Literal> &literals);
  void exactlyOne(const std::vector<Literal> &literals);

  /// Unknown after the deadline, and if the clauses have more literals than is allowed.
  Answer solve(Deadline deadline);
  /// After Yes.
  bool value(Literal literal) const;

private:
  std::unique_ptr<CaDiCaL::Solver> solver;
  template <typename Literals> void add(const Literals &literals);

  int variables = 0;
  size_t room; ///< literals that may still be added
  bool isTooLarge = false;
};

} // namespace acis::map::exact

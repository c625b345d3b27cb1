// A formula in conjunctive normal form and the solver's answer to it.
#pragma once

#include <chrono>
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

class Cnf {
public:
  Cnf();
  ~Cnf();

  Literal variable() { return ++variables; }
  void clause(std::initializer_list<Literal> literals);
  void clause(const std::vector<Literal> &literals);
  /// None, or one, of them is true.
  void atMostOne(const std::vector<Literal> &literals);
  void exactlyOne(const std::vector<Literal> &literals);

  Answer solve(Deadline deadline);
  /// After Yes.
  bool value(Literal literal) const;

private:
  std::unique_ptr<CaDiCaL::Solver> solver;
  int variables = 0;
};

} // namespace acis::map::exact

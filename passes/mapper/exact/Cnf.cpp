// See Cnf.h.
#include "passes/mapper/exact/Cnf.h"

#include <cadical.hpp>

namespace acis::map::exact {

namespace {
struct Clock : CaDiCaL::Terminator {
  explicit Clock(Deadline deadline) : deadline(deadline) {}
  bool terminate() override { return std::chrono::steady_clock::now() > deadline; }
  Deadline deadline;
};
} // namespace

Cnf::Cnf(size_t maxLiterals) : solver(std::make_unique<CaDiCaL::Solver>()), room(maxLiterals) {
  solver->set("quiet", 1);
}
Cnf::~Cnf() = default;

template <typename Literals> void Cnf::add(const Literals &literals) {
  if (isTooLarge)
    return;
  if (literals.size() > room) {
    isTooLarge = true;
    solver = std::make_unique<CaDiCaL::Solver>(); // gives the memory back
    return;
  }
  room -= literals.size();
  for (Literal literal : literals)
    solver->add(literal);
  solver->add(0);
}

void Cnf::clause(std::initializer_list<Literal> literals) { add(literals); }
void Cnf::clause(const std::vector<Literal> &literals) { add(literals); }

/// Pairs for a few, a ladder of helpers ("one of the first k is true") for more.
void Cnf::atMostOne(const std::vector<Literal> &literals) {
  if (literals.size() <= 5) {
    for (size_t a = 0; a < literals.size(); ++a)
      for (size_t b = a + 1; b < literals.size(); ++b)
        clause({-literals[a], -literals[b]});
    return;
  }
  Literal before = 0;
  for (size_t i = 0; i < literals.size(); ++i) {
    if (before != 0)
      clause({-before, -literals[i]});
    if (i + 1 == literals.size())
      break;
    Literal upTo = variable();
    clause({-literals[i], upTo});
    if (before != 0)
      clause({-before, upTo});
    before = upTo;
  }
}

void Cnf::exactlyOne(const std::vector<Literal> &literals) {
  clause(literals);
  atMostOne(literals);
}

Answer Cnf::solve(Deadline deadline) {
  if (isTooLarge || std::chrono::steady_clock::now() > deadline)
    return Answer::Unknown;
  Clock clock(deadline);
  solver->connect_terminator(&clock);
  int answer = solver->solve();
  solver->disconnect_terminator();
  return answer == 10 ? Answer::Yes : answer == 20 ? Answer::No : Answer::Unknown;
}

bool Cnf::value(Literal literal) const { return solver->val(literal) > 0; }

} // namespace acis::map::exact

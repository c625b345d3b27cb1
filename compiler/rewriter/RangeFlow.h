// Statements that compute the ranges of an op's integers (acis_ranges.h), while the op is walked in
// the order of its text. Each assignment has a range of its own; where ways meet, at the heads of
// loops and behind conditions, ranges are joined. Ranges that nothing uses are left out at the end.
#pragma once

#include "clang/AST/Decl.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace acis::rewriter {

class RangeFlow {
public:
  static constexpr const char *Unknown = "acis_any()";
  /// A range as text; of a variable, or Unknown.
  using Range = std::string;
  struct Value {
    Range range;
    int loop = -1; ///< not asked for since this loop began
  };
  using Values = std::map<const clang::VarDecl *, Value>;

  /// The range of a variable that nothing has assigned yet.
  virtual Range atCall(const clang::VarDecl *var) = 0;
  virtual ~RangeFlow() = default;

  Range valueOf(const clang::VarDecl *var);
  void assign(const clang::VarDecl *var, const Range &range);
  /// The variable where a condition holds.
  void narrow(const clang::VarDecl *var, const Range &range);
  /// A range with a name.
  Range keep(const Range &range);
  /// A new range that begins with none and grows.
  Range growing() { return nameOf(count++); }
  void grow(const Range &place, const Range &range);

  int beginLoop(const std::set<const clang::VarDecl *> &assigned);
  void endLoop(int loop);
  Values values;
  std::set<const clang::VarDecl *> own; ///< declared in the op and its callees
  /// After one of two ways: what holds after either.
  void joinWith(const Values &other);

  /// The statements that `used` ranges need; sets how many ranges they have.
  std::string text(const std::string &indent, unsigned &ranges) const;

private:
  struct Line {
    Range target; ///< empty: it has a use
    std::string text;
  };
  struct Loop {
    std::set<const clang::VarDecl *> assigned;
    Values before;
    std::map<const clang::VarDecl *, Range> joined;
    std::map<const clang::VarDecl *, std::vector<Range>> given;
    size_t head, tail = 0; ///< of chunks
    bool isOpen = true;
  };
  static Range nameOf(unsigned index) { return "acis_v[" + std::to_string(index) + "]"; }
  Range valueIn(Values &where, const clang::VarDecl *var);
  Range headOf(int loop, const clang::VarDecl *var);
  void add(size_t chunk, Line line) { chunks[chunk].push_back(std::move(line)); }
  Line growth(const Range &place, const Range &range);

  std::vector<std::vector<Line>> chunks{1};
  std::vector<Loop> loops;
  unsigned count = 0;

protected:
  void use(const std::string &statement) { add(chunks.size() - 1, {"", statement}); }
};

} // namespace acis::rewriter

#include "compiler/rewriter/RangeFlow.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace acis::rewriter {

RangeFlow::Line RangeFlow::growth(const Range &place, const Range &range) {
  return {place, "acis_grow(&" + place + ", " + range + ", &acis_turn);"};
}

/// The range at the head of a loop: what came in, and what the loop assigns.
RangeFlow::Range RangeFlow::headOf(int loop, const VarDecl *var) {
  if (auto found = loops[loop].joined.find(var); found != loops[loop].joined.end())
    return found->second;
  Range name = growing();
  loops[loop].joined[var] = name;
  Range before = valueIn(loops[loop].before, var);
  add(loops[loop].head, growth(name, before));
  for (const Range &given : loops[loop].given[var])
    add(loops[loop].isOpen ? chunks.size() - 1 : loops[loop].tail, growth(name, given));
  return name;
}

RangeFlow::Range RangeFlow::valueIn(Values &where, const VarDecl *var) {
  auto found = where.find(var);
  if (found == where.end())
    return atCall(var);
  if (found->second.loop < 0)
    return found->second.range;
  return headOf(found->second.loop, var);
}

RangeFlow::Range RangeFlow::valueOf(const VarDecl *var) { return valueIn(values, var); }

RangeFlow::Range RangeFlow::keep(const Range &range) {
  if (range == Unknown)
    return range;
  Range name = growing();
  add(chunks.size() - 1, {name, name + " = " + range + ";"});
  return name;
}

void RangeFlow::grow(const Range &place, const Range &range) {
  add(chunks.size() - 1, growth(place, range));
}

void RangeFlow::assign(const VarDecl *var, const Range &range) {
  Range name = keep(range);
  values[var] = {name};
  for (Loop &loop : loops) {
    if (!loop.isOpen || !loop.assigned.contains(var))
      continue;
    loop.given[var].push_back(name);
    if (auto found = loop.joined.find(var); found != loop.joined.end())
      grow(found->second, name);
  }
}

void RangeFlow::narrow(const VarDecl *var, const Range &range) { values[var] = {keep(range)}; }

int RangeFlow::beginLoop(const std::set<const VarDecl *> &assigned) {
  Loop loop;
  loop.assigned = assigned;
  loop.before = values;
  loop.head = chunks.size();
  chunks.emplace_back();
  chunks.emplace_back();
  loops.push_back(std::move(loop));
  int index = int(loops.size()) - 1;
  for (const VarDecl *var : assigned)
    values[var] = {"", index};
  return index;
}

void RangeFlow::endLoop(int index) {
  Loop &loop = loops[index];
  loop.isOpen = false;
  loop.tail = chunks.size();
  chunks.emplace_back();
  chunks.emplace_back();
  for (const VarDecl *var : loop.assigned)
    values[var] = {"", index};
}

void RangeFlow::joinWith(const Values &other) {
  Values mine = values, theirs = other;
  std::set<const VarDecl *> all;
  for (const Values *list : {&mine, &theirs})
    for (const auto &[var, value] : *list)
      all.insert(var);
  for (const VarDecl *var : all) {
    auto a = mine.find(var), b = theirs.find(var);
    if (a != mine.end() && b != theirs.end() && a->second.range == b->second.range &&
        a->second.loop == b->second.loop)
      continue;
    // What one way declares is not there behind it.
    if ((a == mine.end() || b == theirs.end()) && own.contains(var))
      continue;
    Range left = valueIn(mine, var), right = valueIn(theirs, var);
    values[var] = {left == Unknown || right == Unknown
                       ? Range(Unknown)
                       : keep("acis_join(" + left + ", " + right + ")")};
  }
}

std::string RangeFlow::text(const std::string &indent, unsigned &ranges) const {
  std::vector<const Line *> all;
  for (const std::vector<Line> &chunk : chunks)
    for (const Line &line : chunk)
      all.push_back(&line);
  // Backwards, as long as more is needed.
  std::set<const Line *> needed;
  std::set<Range> wanted;
  for (size_t before = size_t(-1); before != needed.size();) {
    before = needed.size();
    for (const Line *line : llvm::reverse(all)) {
      if (needed.contains(line) || (!line->target.empty() && !wanted.contains(line->target)))
        continue;
      needed.insert(line);
      for (size_t at = line->text.find("acis_v["); at != std::string::npos;
           at = line->text.find("acis_v[", at + 1))
        wanted.insert(line->text.substr(at, line->text.find(']', at) + 1 - at));
    }
  }
  // Numbers without gaps.
  std::map<Range, std::string> names;
  for (const Range &range : wanted)
    names.try_emplace(range, "acis_v[" + std::to_string(names.size()) + "]");
  ranges = unsigned(names.size());
  std::string result;
  for (const Line *line : all) {
    if (!needed.contains(line))
      continue;
    std::string text = line->text;
    for (size_t at = text.find("acis_v["); at != std::string::npos; at = text.find("acis_v[", at)) {
      size_t length = text.find(']', at) + 1 - at;
      const std::string &name = names[text.substr(at, length)];
      text.replace(at, length, name);
      at += name.size();
    }
    result += indent + text + "\n";
  }
  return result;
}

} // namespace acis::rewriter

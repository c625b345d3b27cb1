// Places in memory as access paths, the unit in which effects of statements are told.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <set>
#include <string>

namespace acis::rewriter {

/// A variable (Program gives the number) and the way from it: '*' through a pointer,
/// '[' to any element of an array or container, ".name" to a field.
struct Path {
  /// Library: state that only functions of the C library reach, as of rand().
  enum : unsigned { Unknown = 0, This = 1, Library = 2, FirstVariable = 3 };
  unsigned var = Unknown;
  std::string rest;

  bool operator<(const Path &o) const { return var != o.var ? var < o.var : rest < o.rest; }
  bool operator==(const Path &o) const = default;

  Path operator+(llvm::StringRef step) const {
    Path result = *this;
    // Elements of rows are elements of the array.
    if (step.starts_with("[") && !rest.empty() && rest.back() == '[')
      step = step.drop_front();
    // A list that a loop follows would make an endless path.
    if (rest.size() + step.size() < 96)
      result.rest += step;
    return result;
  }
  bool throughPointer() const { return rest.find('*') != std::string::npos; }
};

using Paths = std::set<Path>;

/// Whether the two name memory in common, if different pointers point to different memory.
inline bool overlaps(const Path &a, const Path &b) {
  if (a.var != b.var)
    return false;
  llvm::StringRef shorter = a.rest, longer = b.rest;
  if (shorter.size() > longer.size())
    std::swap(shorter, longer);
  if (!longer.consume_front(shorter))
    return false;
  // What a pointer points to is not part of the pointer.
  return !longer.contains('*');
}

inline bool overlaps(const Paths &set, const Path &path) {
  for (const Path &other : set)
    if (overlaps(other, path))
      return true;
  return false;
}

inline bool overlaps(const Paths &a, const Paths &b) {
  for (const Path &path : a)
    if (overlaps(b, path))
      return true;
  return false;
}

} // namespace acis::rewriter

#include "runtime/switch/collective/Mixed.h"

#include "runtime/switch/collective/Shapes.h"

namespace acis::collective {

using wire::Header;

bool isSameMessage(const Header &a, const Header &b) {
  return a.kind == b.kind && a.op == b.op && a.element == b.element && a.count == b.count &&
         a.root == b.root && a.shape == b.shape && a.fragment == b.fragment && a.handle == b.handle;
}

uint64_t unitOf(const Header &header) {
  return isFused(header) ? header.count : bytesOf(header.element) * uint64_t(header.count);
}

Header fusedHeader(const Header &first, uint32_t bytes, uint32_t program) {
  Header header = first;
  header.shape = Shape::Fused;
  header.fragment = first.count;
  header.count = bytes;
  header.handle = program;
  return header;
}

Header plainOf(const Header &header) {
  if (!mayMix(header))
    return header;
  Header plain = header;
  plain.shape = shapeOf(header.kind);
  plain.count = header.fragment;
  plain.fragment = 0;
  plain.handle = 0;
  return plain;
}

bool isMixed(const Header &mine, const Header &other) {
  if ((!mayMix(mine) && !mayMix(other)) || isSameMessage(mine, other))
    return false;
  return isSameMessage(plainOf(mine), plainOf(other)) && mine.sequence == other.sequence;
}

bool tellsPlain(const Header &message, const Header &answer) {
  return mayMix(message) && isSameMessage(plainOf(message), answer);
}

} // namespace acis::collective

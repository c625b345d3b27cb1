#include "runtime/switch/collective/Message.h"

namespace acis::collective {

using wire::Header;

Header withoutTask(const Header &header) {
  Header plain = header;
  if (hasTask(header)) {
    plain.flags &= uint8_t(~wire::flag::Task);
    plain.fragment = plain.handle = 0;
  }
  return plain;
}

bool isSameMessage(const Header &x, const Header &y) {
  const Header a = withoutTask(x), b = withoutTask(y);
  return a.kind == b.kind && a.op == b.op && a.element == b.element && a.count == b.count &&
         a.root == b.root && a.shape == b.shape && a.fragment == b.fragment && a.handle == b.handle;
}

} // namespace acis::collective

// printf into a text.
#pragma once

#include <cstdio>
#include <string>

namespace acis::steps {

template <typename... T> std::string format(const char *form, T... values) {
  char text[256];
  std::snprintf(text, sizeof text, form, values...);
  return text;
}

} // namespace acis::steps

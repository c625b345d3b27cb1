// The functions of OpenCL behind the ones that this library puts in their place.
#pragma once

#include <CL/cl.h>

#include <dlfcn.h>

#include <type_traits>

namespace acis::device {

/// The next one of this name, as the program would have called it. Found once.
template <typename Function> Function *nextFunction(const char *name) {
  return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

} // namespace acis::device

/// The real function: ACIS_CL(clCreateBuffer)(context, ...). It is there: only a program with
/// OpenCL has made a buffer.
#define ACIS_CL(name)                                                                              \
  ([]() -> decltype(&name) {                                                                       \
    static const auto found =                                                                      \
        acis::device::nextFunction<std::remove_pointer_t<decltype(&name)>>(#name);                 \
    return found;                                                                                  \
  }())

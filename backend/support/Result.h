// Result<T>: a value or an error that says where, what and how to go on. Where code decides by what
// an error is, Result<T, E> has one that says so by its type.
// Used by everything below the compiler's LLVM layers; never throws or prints.
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace acis {

/// One failure. `where` is a file, a JSON path, a section or a PC ("" when the
/// caller knows it); `what` is lower case, without a full stop: what was found,
/// what is allowed and, where there is one, the way out.
struct Error {
  std::string where;
  std::string what;

  std::string str() const { return where.empty() ? what : where + ": " + what; }
};

template <typename T, typename E = Error> class [[nodiscard]] Result {
public:
  Result(T value) : storage(std::in_place_index<0>, std::move(value)) {}
  Result(E error) : storage(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return storage.index() == 0; }
  T &operator*() { return value(); }
  const T &operator*() const { return value(); }
  T *operator->() { return &value(); }
  const T *operator->() const { return &value(); }

  T &value() {
    assert(*this && "value() of a failed Result");
    return *std::get_if<0>(&storage);
  }
  const T &value() const {
    assert(*this && "value() of a failed Result");
    return *std::get_if<0>(&storage);
  }
  const E &error() const {
    assert(!*this && "error() of a good Result");
    return *std::get_if<1>(&storage);
  }

private:
  std::variant<T, E> storage;
};

/// Success, or an error.
template <typename E> class [[nodiscard]] StatusOf {
public:
  StatusOf() = default;
  StatusOf(E error) : failure(std::move(error)) {}
  static StatusOf ok() { return {}; }

  explicit operator bool() const { return !failure.has_value(); }
  const E &error() const { return *failure; }

private:
  std::optional<E> failure;
};
using Status = StatusOf<Error>;

} // namespace acis

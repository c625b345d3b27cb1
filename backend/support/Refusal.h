// Why something cannot be done, as a value: what it is, what it is about, on which resource, and
// what would help. Code decides by the kind and its standing; the words are made at the end, by
// textOf(), from the one table Refusals.def. See docs/rationale/front-end.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace acis {

enum class Why : uint8_t {
#define ACIS_REFUSAL(kind, standing, resource, frame, what, wayOut) kind,
#include "backend/support/Refusals.def"
};

/// What may follow a refusal.
enum class Standing : uint8_t {
  Word,    ///< nothing was refused
  Source,  ///< the program itself: an error, whatever else could be tried
  Plan,    ///< one way to run a loop: another one may be taken instead
  Machine, ///< the same, since this machine is too small or lacks something
  Fault,   ///< of the compiler: an error; whoever tries something else hides it
};

/// What there is not enough of, or none of the right kind.
enum class Resource : uint8_t {
  None,
  Stream,
  Memory,
  Array,
  Length,
  Pointer,
  Type,
  Operation,
  Call,
  Control,
  Iterations,
  Value,
  Lanes,
  Vpes,
  Sequencer,
  Ports,
  Slots,
  Contexts,
  Arguments,
  Registers,
  Scratch,
};

struct Refusal {
  Why why = Why::Fault;
  std::vector<std::string> parts;      ///< what it is about first, then numbers and names
  std::vector<Refusal> asOneLoop = {}; ///< why it cannot be one loop with the one around it either

  Refusal() = default;
  template <typename... Parts>
  explicit Refusal(Why why, const Parts &...given) : why(why), parts{partOf(given)...} {}

  bool operator==(const Refusal &) const = default;

private:
  template <typename Part> static std::string partOf(const Part &part) {
    if constexpr (std::is_integral_v<Part>)
      return std::to_string(part);
    else
      return std::string(std::string_view(part));
  }
};

/// A contradiction inside of the compiler, in words for its developers.
inline Refusal fault(std::string_view what) { return Refusal(Why::Fault, what); }

/// What the table says of a kind.
struct RefusalKind {
  const char *name;
  Standing standing;
  Resource resource;
  const char *frame; ///< what its words begin with
  const char *what;
  const char *wayOut; ///< may be empty
};
const RefusalKind &kindOf(Why why);

inline Standing standingOf(const Refusal &refusal) { return kindOf(refusal.why).standing; }

/// Whether something else may be tried, of which the user need not hear if it does.
inline bool mayTryElse(const Refusal &refusal) {
  return standingOf(refusal) == Standing::Plan || standingOf(refusal) == Standing::Machine;
}

/// One line, lower case, without a full stop: what is in the way, and the way out.
std::string textOf(const Refusal &refusal);

/// The way out alone, that of the first of the refusals in it that has one. Empty where what is
/// wrong says what would be right, where there is none, and of what is no refusal.
std::string wayOutOf(const Refusal &refusal);

/// As docs/refusals.md and reports have it: "stream-under-condition".
std::string nameOf(Why why);
const char *nameOf(Standing standing);
const char *nameOf(Resource resource);

/// docs/refusals.md.
std::string refusalsAsMarkdown();

} // namespace acis

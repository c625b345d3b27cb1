// The words of refusals.
#include "backend/support/Refusal.h"

namespace acis {
namespace {

constexpr const char *Plain = "";
constexpr const char *Loop = "loop not mapped: ";
constexpr const char *Nest = "loop not mapped with the loop around it: ";

constexpr RefusalKind Kinds[] = {
#define ACIS_REFUSAL(kind, standing, resource, frame, what, wayOut)                                \
  {#kind, Standing::standing, Resource::resource, frame, what, wayOut},
#include "backend/support/Refusals.def"
};

/// A pattern with "{0}", "{1}", .. replaced.
std::string fill(std::string_view pattern, const std::vector<std::string> &parts) {
  std::string text;
  for (size_t at = 0; at < pattern.size(); ++at) {
    const bool isPart = pattern[at] == '{' && at + 2 < pattern.size() && pattern[at + 2] == '}';
    const size_t number = isPart ? size_t(pattern[at + 1] - '0') : 0;
    if (!isPart || number > 9) {
      text += pattern[at];
      continue;
    }
    if (number < parts.size())
      text += parts[number];
    at += 2;
  }
  return text;
}

/// Without the frame. Where what is in the way has two parts, a colon leads to the way out.
std::string wordsOf(const Refusal &refusal) {
  const RefusalKind &kind = kindOf(refusal.why);
  std::string text = fill(kind.what, refusal.parts);
  if (*kind.wayOut)
    text += (std::string_view(kind.what).find("; ") == std::string_view::npos ? "; " : ": ") +
            fill(kind.wayOut, refusal.parts);
  return text;
}

/// Of a name like "StreamUnderCondition": "stream-under-condition".
std::string dashed(std::string_view name) {
  std::string text;
  for (char letter : name) {
    const bool isUpper = letter >= 'A' && letter <= 'Z';
    if (isUpper && !text.empty())
      text += '-';
    text += isUpper ? char(letter - 'A' + 'a') : letter;
  }
  return text;
}

/// The pattern as a reader sees it: "{0}" is an ellipsis, a bar ends a column.
std::string shown(std::string_view pattern) {
  const std::vector<std::string> dots(10, "…");
  std::string text;
  for (char letter : fill(pattern, dots))
    text += letter == '|' ? std::string("\\|") : std::string(1, letter);
  return text;
}

} // namespace

const RefusalKind &kindOf(Why why) { return Kinds[unsigned(why)]; }

std::string textOf(const Refusal &refusal) {
  std::string text = kindOf(refusal.why).frame + wordsOf(refusal);
  for (const Refusal &other : refusal.asOneLoop)
    text += ", and as one loop: " + wordsOf(other);
  return text;
}

std::string wayOutOf(const Refusal &refusal) {
  std::string way = fill(kindOf(refusal.why).wayOut, refusal.parts);
  for (const Refusal &other : refusal.asOneLoop)
    if (way.empty())
      way = wayOutOf(other);
  return way;
}

std::string nameOf(Why why) { return dashed(kindOf(why).name); }

const char *nameOf(Standing standing) {
  static const char *const names[] = {"word", "source", "plan", "machine", "fault"};
  return names[unsigned(standing)];
}

const char *nameOf(Resource resource) {
  static const char *const names[] = {
      "",          "stream", "memory",  "array",      "length",    "pointer",   "type",
      "operation", "call",   "control", "iterations", "value",     "lanes",     "VPEs",
      "sequencer", "ports",  "slots",   "contexts",   "arguments", "registers", "scratch"};
  return names[unsigned(resource)];
}

std::string refusalsAsMarkdown() {
  std::string text =
      "<!-- Printed by acisc --list-refusals; do not edit. -->\n\n"
      "# Refusals\n\n"
      "What the compiler does not take, and what to write instead. A refusal of the `source` is "
      "an\n"
      "error. One of a `plan` or of the `machine` closes one way to run a loop: another one is "
      "taken\nif there is one, and it is an error or a warning only if all are closed. A `fault` "
      "is "
      "the\ncompiler's. [How they work](rationale/front-end.md#refusals).\n\n"
      "| refusal | of | about | what it says | way out |\n|---|---|---|---|---|\n";
  for (const RefusalKind &kind : Kinds)
    if (kind.standing != Standing::Word && kind.standing != Standing::Fault)
      text += "| `" + dashed(kind.name) + "` | " + nameOf(kind.standing) + " | " +
              nameOf(kind.resource) + " | " + shown(std::string(kind.frame) + kind.what) + " | " +
              shown(kind.wayOut) + " |\n";
  return text;
}

} // namespace acis

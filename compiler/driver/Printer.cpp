// Diagnostics in clang's format.
#include "compiler/driver/Printer.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace acis::driver {
namespace {

struct Style {
  const char *name;
  raw_ostream::Colors color;
};

Style styleOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return {"error: ", raw_ostream::RED};
  case Severity::Warning:
    return {"warning: ", raw_ostream::MAGENTA};
  case Severity::Remark:
    return {"remark: ", raw_ostream::BLUE};
  case Severity::Note:
    break;
  }
  return {"note: ", raw_ostream::CYAN};
}

StringRef lineOf(StringRef text, unsigned line) {
  for (; line > 1 && !text.empty(); line--)
    text = text.split('\n').second;
  return text.split('\n').first.rtrim('\r');
}

} // namespace

Printer::Printer(raw_ostream &out, bool color) : out(out), color(color) {}
Printer::~Printer() = default;

void Printer::keep(const std::string &name, const std::string &text) {
  files[name] = MemoryBuffer::getMemBufferCopy(text, name);
}

void Printer::print(const Diagnostics &diags) {
  for (const Diagnostic &diag : diags)
    print(diag);
}

void Printer::print(const Diagnostic &diag) {
  printOne(diag);
  for (const Diagnostic &note : diag.notes)
    print(note);
}

void Printer::printOne(const Diagnostic &diag) {
  WithColor bold(out, raw_ostream::SAVEDCOLOR, /*Bold=*/true, /*BG=*/false,
                 color ? ColorMode::Enable : ColorMode::Disable);
  out << (diag.file.empty() ? "acisc" : diag.file) << ':';
  if (diag.line) {
    out << diag.line << ':';
    if (diag.column)
      out << diag.column << ':';
  }
  out << ' ';
  Style style = styleOf(diag.severity);
  if (color)
    out.changeColor(style.color, /*Bold=*/true);
  out << style.name;
  if (color)
    out.resetColor();
  out << diag.text() << '\n';
  printSource(diag);
}

void Printer::printSource(const Diagnostic &diag) {
  const MemoryBuffer *buffer = diag.line ? file(diag.file) : nullptr;
  if (!buffer)
    return;
  StringRef line = lineOf(buffer->getBuffer(), diag.line);
  if (line.empty())
    return;
  std::string number = std::to_string(diag.line);
  out.indent(number.size() < 5 ? 5 - number.size() : 0) << number << " | " << line << '\n';
  if (!diag.column || diag.column > line.size() + 1)
    return;
  out.indent(std::max<size_t>(5, number.size())) << " | ";
  // Tabs are kept, so that the caret stands below its column.
  for (char c : line.take_front(diag.column - 1))
    out << (c == '\t' ? '\t' : ' ');
  if (color)
    out.changeColor(raw_ostream::GREEN, /*Bold=*/true);
  out << '^';
  if (color)
    out.resetColor();
  out << '\n';
}

const MemoryBuffer *Printer::file(const std::string &name) {
  auto [entry, isNew] = files.try_emplace(name);
  if (isNew)
    if (auto buffer = MemoryBuffer::getFile(name, /*IsText=*/true))
      entry->second = std::move(*buffer);
  return entry->second.get();
}

} // namespace acis::driver

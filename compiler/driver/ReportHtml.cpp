// The report as one page: its data goes into the template, scripts in it draw.
#include "compiler/driver/Report.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

namespace acis::driver {
namespace {

constexpr llvm::StringLiteral page =
#include "compiler/driver/ReportPage.inc"
    ;
constexpr llvm::StringLiteral dataMark = "\"@DATA@\"";

/// Text of the files that nests and nodes name, as far as they can be read.
llvm::json::Object sourcesOf(const Report &report) {
  llvm::json::Object sources;
  auto add = [&](const std::string &file) {
    if (file.empty() || sources.get(file))
      return;
    auto buffer = llvm::MemoryBuffer::getFile(file);
    if (buffer && llvm::json::isUTF8((*buffer)->getBuffer()))
      sources[file] = (*buffer)->getBuffer();
  };
  add(report.input);
  for (const NestReport &nest : report.nests) {
    add(nest.file);
    for (const NodeReport &node : nest.nodes)
      add(node.file);
  }
  return sources;
}

} // namespace

std::string Report::html() const {
  llvm::json::Value data = json();
  (*data.getAsObject())["sources"] = sourcesOf(*this);
  std::string text = llvm::formatv("{0}", data).str();
  // In a script element, "</" would end it; JSON allows the escape.
  for (size_t at = 0; (at = text.find("</", at)) != std::string::npos; at += 3)
    text.replace(at, 2, "<\\/");
  std::string result = page.str();
  result.replace(result.find(dataMark), dataMark.size(), text);
  return result;
}

} // namespace acis::driver

// Sections of docs/binary-format.md as data directives, one function per section.
#include "backend/asm/AsmPrinter.h"

#include "backend/object/ContextText.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <tuple>

using llvm::StringRef;

namespace acis::assembler {
namespace {

/// Start of .text: addresses of the code are differences to it, which need no
/// relocation.
constexpr const char *TextStart = ".Lacis_text";

/// Zero-terminated strings, each once, in the order of first use; their owner is the
/// image.
class StringTable {
public:
  uint32_t offset(StringRef text) {
    auto [it, isNew] = offsets.insert({text, size});
    if (isNew)
      size += text.size() + 1;
    return it->second;
  }
  const llvm::MapVector<StringRef, uint32_t> &all() const { return offsets; }

private:
  llvm::MapVector<StringRef, uint32_t> offsets;
  uint32_t size = 0;
};

class Printer {
public:
  explicit Printer(const object::Image &image) : image(image), os(text) {}

  std::string run() {
    os << "\t.text\n\t.option norelax\n" << TextStart << ":\n" << image.code;
    printContexts();
    printHandlers();
    if (!image.tables.empty())
      printTables();
    printLines();
    printStrings();
    printNote();
    return std::move(text);
  }

private:
  void section(StringRef name) {
    os << "\n\t.section " << name << ",\"a\","
       << (name.starts_with(".note") ? "@note" : "@progbits") << "\n\t.p2align 2\n";
  }

  void word(uint32_t value, const llvm::Twine &comment) {
    os << "\t.word " << value << "\t# " << comment << '\n';
  }

  void printContexts() {
    section(".acis.ctx");
    std::vector<std::vector<uint8_t>> encoded;
    encoded.reserve(image.contexts.size());
    for (const object::Context &context : image.contexts)
      encoded.push_back(isa::encode(context.loop));
    word(encoded.size(), "contexts");
    uint32_t offset = 4 + 8 * encoded.size();
    for (const auto &[context, bytes] : llvm::zip_equal(image.contexts, encoded)) {
      word(offset, "offset of " + context.name);
      word(bytes.size(), "bytes");
      offset += llvm::alignTo(bytes.size(), 4);
    }
    for (const auto &[index, bytes] : llvm::enumerate(encoded)) {
      const object::Context &context = image.contexts[index];
      os << "\t# context " << index << ": " << context.name << '\n';
      for (const std::string &line : object::describe(context.loop))
        os << "\t#   " << line << '\n';
      printBytes(bytes);
    }
  }

  /// Whole words, padded with zeros, eight to a line.
  void printBytes(llvm::ArrayRef<uint8_t> bytes) {
    for (size_t at = 0; at < bytes.size(); at += 4) {
      uint32_t value = 0;
      for (size_t k = 0; k < 4 && at + k < bytes.size(); ++k)
        value |= uint32_t(bytes[at + k]) << (8 * k);
      os << (at % 32 == 0 ? (at ? "\n\t.word " : "\t.word ") : ", ") << llvm::format_hex(value, 10);
    }
    if (!bytes.empty())
      os << '\n';
  }

  void printHandlers() {
    section(".acis.meta");
    word(image.handlers.size(), "handlers");
    for (const object::Handler &handler : image.handlers) {
      word(strings.offset(handler.name), "name " + handler.name);
      os << "\t.word " << handler.name << '-' << TextStart << "\t# entry\n"
         << "\t.word " << handler.endLabel << '-' << handler.name << "\t# code bytes\n";
      word(handler.firstContext, "first context");
      word(handler.numContexts, "contexts");
      word(handler.memoryBytes, "memory bytes, 0: any");
      word(handler.inBytes, "input element bytes");
      word(handler.outBytes, "output element bytes");
    }
  }

  /// Ordered as the loader wants them; equal content is there once.
  void printTables() {
    section(".acis.init");
    std::vector<const object::Table *> sorted;
    for (const object::Table &table : image.tables)
      sorted.push_back(&table);
    llvm::sort(sorted, [](const object::Table *a, const object::Table *b) {
      return std::tie(a->handler, a->pe, a->firstByte) < std::tie(b->handler, b->pe, b->firstByte);
    });
    word(sorted.size(), "tables");
    std::map<std::vector<uint8_t>, uint32_t> offsets;
    std::vector<const object::Table *> contents;
    uint32_t size = 4 + 20 * sorted.size();
    for (const object::Table *table : sorted) {
      auto [place, isNew] = offsets.try_emplace(table->bytes, size);
      if (isNew) {
        contents.push_back(table);
        size += table->bytes.size();
      }
      word(table->handler, "handler, of table " + table->name);
      word(table->pe, "PE");
      word(table->firstByte, "first byte in its register file");
      word(place->second, "offset");
      word(table->bytes.size(), "bytes");
    }
    for (const object::Table *table : contents) {
      os << "\t# " << table->name << '\n';
      printBytes(table->bytes);
    }
  }

  void printLines() {
    section(".acis.lines");
    word(image.lines.size(), "entries");
    std::vector<const object::Line *> inContexts;
    for (const object::Line &line : image.lines)
      if (!line.inCode())
        inContexts.push_back(&line);
    llvm::sort(inContexts, [](const object::Line *a, const object::Line *b) {
      return std::tie(a->context, a->pe, a->slot, a->file, a->line) <
             std::tie(b->context, b->pe, b->slot, b->file, b->line);
    });
    for (const object::Line *line : inContexts)
      printLine(*line);
    for (const object::Line &line : image.lines)
      if (line.inCode())
        printLine(line);
  }

  void printLine(const object::Line &line) {
    os << "\t.word ";
    if (line.inCode())
      os << llvm::format_hex(object::CodeLine, 10) << ", " << line.label << '-' << TextStart;
    else
      os << line.context << ", " << llvm::format_hex(line.pe << 16 | line.slot, 10);
    os << ", " << strings.offset(line.file) << ", " << line.line << "\t# ";
    if (!line.inCode())
      os << "context " << line.context << " pe " << line.pe << " slot " << line.slot << ": ";
    os << line.file << ':' << line.line << '\n';
  }

  void printStrings() {
    section(".acis.str");
    for (const auto &[string, offset] : strings.all()) {
      os << "\t.asciz \"";
      os.write_escaped(string, /*UseHexEscapes=*/false);
      os << "\"\t# " << offset << '\n';
    }
  }

  void printNote() {
    section(".note.acis");
    word(StringRef(object::NoteName).size() + 1, "name bytes");
    word(12, "description bytes");
    word(1, "type");
    os << "\t.asciz \"" << object::NoteName << "\"\n\t.p2align 2\n";
    word(object::AbiVersion, "ABI version");
    word(static_cast<uint32_t>(image.fingerprint), "overlay fingerprint, low");
    word(static_cast<uint32_t>(image.fingerprint >> 32), "overlay fingerprint, high");
  }

  const object::Image &image;
  StringTable strings;
  std::string text;
  llvm::raw_string_ostream os;
};

} // namespace

std::string print(const object::Image &image) { return Printer(image).run(); }

} // namespace acis::assembler

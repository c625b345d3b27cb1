#include "compiler/tools/acis-objdump/Dump.h"

#include "backend/object/ContextText.h"
#include "compiler/tools/acis-objdump/Disassembler.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace acis::objdump {
namespace {

class TextDump {
public:
  TextDump(const Image &image, const Overlay &overlay) : image(image), overlay(overlay), os(text) {}

  std::string run(const DumpOptions &options) {
    os << "ABI version 1, overlay " << overlay.name << " ("
       << llvm::format_hex_no_prefix(image.fingerprint, 16) << ")\n";
    if (options.handlers)
      for (const Handler &handler : image.handlers)
        dumpHandler(handler);
    if (options.code)
      dumpCode();
    if (options.contexts)
      for (const Handler &handler : image.handlers)
        for (uint32_t c = 0; c < handler.contextCount; ++c)
          dumpContext(handler, handler.firstContext + c);
    if (options.lines)
      dumpLines();
    return std::move(text);
  }

private:
  void dumpHandler(const Handler &handler) {
    os << "\nhandler " << handler.name << ": code " << llvm::format_hex(handler.entry, 6) << " .. "
       << llvm::format_hex(handler.entry + handler.codeBytes, 6) << ", " << handler.contextCount
       << " contexts from " << handler.firstContext << ", memory ";
    if (handler.memoryBytes)
      os << handler.memoryBytes << " bytes";
    else
      os << "any";
    os << ", elements of " << handler.inBytes << " bytes in and " << handler.outBytes
       << " bytes out\n";
    size_t index = &handler - image.handlers.data();
    for (const InitialValues &part : image.initial)
      if (part.handler == index)
        os << "initial values of " << part.size << " bytes in PE " << part.pe << " at byte "
           << part.firstByte << '\n';
    if (index < image.certificates.size())
      os << "certificate: " << image.certificates[index].steps.size() << " steps to payloads of "
         << image.certificates[index].longest << " bytes\n";
  }

  void dumpCode() {
    Disassembler disassembler;
    std::string last;
    for (size_t index = 0; index < image.code.size(); ++index) {
      uint32_t pc = index * 4;
      for (const Handler &handler : image.handlers)
        if (handler.entry == pc) {
          os << '\n' << handler.name << ":\n";
          last.clear();
        }
      if (std::string line = image.lineOfCode(pc); line != last) {
        last = line;
        os << "; " << line << '\n';
      }
      os << llvm::format("%6x: %08x  ", pc, image.code[index])
         << disassembler.text(image.code[index], pc) << '\n';
    }
  }

  /// `index` counts within the binary, as acis.launch does.
  void dumpContext(const Handler &handler, uint32_t index) {
    os << "\ncontext " << index << " of " << handler.name;
    if (std::string line = image.lineOfSlot(index, 0, 0); !line.empty())
      os << " (" << line << ')';
    os << ":\n";
    for (const std::string &line : object::describe(image.contexts[index].loop))
      os << "  " << line << '\n';
  }

  void dumpLines() {
    os << "\nlines:\n";
    for (const LineEntry &entry : image.lines) {
      if (entry.kind == LineEntry::Code)
        os << llvm::format("  code %x", entry.key);
      else
        os << "  context " << entry.kind << " pe " << (entry.key >> 16) << " slot "
           << (entry.key & 0xffff);
      os << ": " << image.files[entry.file] << ':' << entry.line << '\n';
    }
  }

  const Image &image;
  const Overlay &overlay;
  std::string text;
  llvm::raw_string_ostream os;
};

} // namespace

std::string dumpText(const Image &image, const Overlay &overlay, const DumpOptions &options) {
  return TextDump(image, overlay).run(options);
}

} // namespace acis::objdump

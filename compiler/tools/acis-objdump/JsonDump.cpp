#include "compiler/tools/acis-objdump/Dump.h"

#include "backend/object/ContextText.h"
#include "compiler/tools/acis-objdump/Disassembler.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace acis::objdump {
namespace {

llvm::json::Array handlers(const Image &image) {
  llvm::json::Array list;
  for (const Handler &handler : image.handlers)
    list.push_back(llvm::json::Object{{"name", handler.name},
                                      {"entry", handler.entry},
                                      {"codeBytes", handler.codeBytes},
                                      {"firstContext", handler.firstContext},
                                      {"contexts", handler.contextCount},
                                      {"memoryBytes", handler.memoryBytes},
                                      {"inBytes", handler.inBytes},
                                      {"outBytes", handler.outBytes}});
  return list;
}

llvm::json::Array code(const Image &image) {
  Disassembler disassembler;
  llvm::json::Array list;
  for (size_t index = 0; index < image.code.size(); ++index) {
    uint32_t pc = index * 4;
    llvm::json::Object entry{{"pc", pc},
                             {"word", image.code[index]},
                             {"text", disassembler.text(image.code[index], pc)}};
    if (std::string line = image.lineOfCode(pc); !line.empty())
      entry["line"] = line;
    list.push_back(std::move(entry));
  }
  return list;
}

llvm::json::Array contexts(const Image &image) {
  llvm::json::Array list;
  for (size_t index = 0; index < image.contexts.size(); ++index) {
    const isa::LoopContext &loop = image.contexts[index].loop;
    llvm::json::Array pes;
    for (size_t p = 0; p < loop.pes.size(); ++p) {
      llvm::json::Object slots;
      for (size_t s = 0; s < loop.pes[p].slots.size(); ++s)
        if (std::string text = object::describeSlot(loop.pes[p].slots[s]); !text.empty())
          slots[std::to_string(s)] = text;
      llvm::json::Array addresses;
      for (const isa::VrfAddress &address : loop.pes[p].addresses)
        addresses.push_back(object::describeAddress(address, loop.scalar));
      if (!slots.empty())
        pes.push_back(llvm::json::Object{
            {"pe", int64_t(p)}, {"slots", std::move(slots)}, {"addresses", std::move(addresses)}});
    }
    list.push_back(llvm::json::Object{{"number", int64_t(index)},
                                      {"ii", loop.ii},
                                      {"stages", loop.stages},
                                      {"laneBits", loop.laneBits},
                                      {"innerCount", loop.innerCount},
                                      {"arguments", loop.numArgs},
                                      {"results", loop.numResults},
                                      {"vregsRead", loop.vregsRead},
                                      {"vregsWritten", loop.vregsWritten},
                                      {"line", image.lineOfSlot(index, 0, 0)},
                                      {"pes", std::move(pes)}});
  }
  return list;
}

llvm::json::Array lines(const Image &image) {
  llvm::json::Array list;
  for (const LineEntry &entry : image.lines) {
    llvm::json::Object object{{"file", image.files[entry.file]}, {"line", entry.line}};
    if (entry.kind == LineEntry::Code) {
      object["pc"] = entry.key;
    } else {
      object["context"] = entry.kind;
      object["pe"] = entry.key >> 16;
      object["slot"] = entry.key & 0xffff;
    }
    list.push_back(std::move(object));
  }
  return list;
}

} // namespace

std::string dumpJson(const Image &image, const Overlay &overlay, const DumpOptions &options) {
  llvm::json::Object root{{"abiVersion", 1},
                          {"overlay", overlay.name},
                          {"fingerprint", llvm::formatv("{0:x-16}", image.fingerprint).str()}};
  if (options.handlers)
    root["handlers"] = handlers(image);
  if (options.code)
    root["code"] = code(image);
  if (options.contexts)
    root["contexts"] = contexts(image);
  if (options.lines)
    root["lines"] = lines(image);
  return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(root))).str();
}

} // namespace acis::objdump

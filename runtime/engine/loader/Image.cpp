#include "runtime/engine/loader/Image.h"

#include "runtime/engine/loader/CodeCheck.h"
#include "runtime/engine/loader/Elf.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <tuple>

namespace acis {

static constexpr uint32_t AbiVersion = 1, MaxHandlers = 64;

namespace {

std::string overlayName(uint64_t fingerprint) {
  char text[24];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(fingerprint));
  return text;
}

/// Fills one image; every step fails with the section's name.
class ImageReader {
public:
  ImageReader(const ElfFile &file, const Overlay &overlay) : file(file), overlay(overlay) {}

  Result<std::shared_ptr<const Image>> read() {
    for (auto step :
         {&ImageReader::readNote, &ImageReader::readCode, &ImageReader::readStrings,
          &ImageReader::readContexts, &ImageReader::readHandlers, &ImageReader::readInitial,
          &ImageReader::readLines, &ImageReader::readCertificates})
      if (Status s = (this->*step)(); !s)
        return s.error();
    for (const Handler &handler : image->handlers)
      if (Status s = checkCode(image->code, handler, overlay); !s)
        return s.error();
    return std::shared_ptr<const Image>(std::move(image));
  }

private:
  /// name, then descriptor, each padded to words.
  Status readNote() {
    auto bytes = file.section(".note.acis");
    if (!bytes)
      return bytes.error();
    WordReader words(*bytes);
    const uint32_t nameBytes = words.next(), bodyBytes = words.next(), type = words.next();
    const uint32_t name = words.next(), end = words.next();
    const uint32_t abi = words.next(), low = words.next(), high = words.next();
    constexpr uint32_t acis = 'A' | 'C' << 8 | 'i' << 16 | uint32_t('S') << 24;
    if (words.ranOut() || nameBytes != 5 || bodyBytes != 12 || type != 1 || name != acis || end)
      return Error{".note.acis", "not a note of acisc"};
    if (abi != AbiVersion)
      return Error{".note.acis", "ABI version " + std::to_string(abi) + "; this runtime has " +
                                     std::to_string(AbiVersion) + ", recompile the handler"};
    image->fingerprint = uint64_t(high) << 32 | low;
    if (image->fingerprint != overlay.fingerprint())
      return Error{".note.acis", "the binary was compiled for overlay " +
                                     overlayName(image->fingerprint) + "; this one is " +
                                     overlay.name + " (" + overlayName(overlay.fingerprint()) +
                                     "), recompile with --config"};
    return {};
  }

  Status readCode() {
    auto bytes = file.section(".text");
    if (!bytes)
      return bytes.error();
    if (bytes->size() % 4 != 0 || bytes->size() > overlay.codeBytes)
      return Error{".text", std::to_string(bytes->size()) +
                                " bytes; a multiple of 4 up to the overlay's " +
                                std::to_string(overlay.codeBytes) + " is allowed"};
    image->code.resize(bytes->size() / 4);
    WordReader words(*bytes);
    for (uint32_t &word : image->code)
      word = words.next();
    return {};
  }

  Status readStrings() {
    auto bytes = file.section(".acis.str");
    if (!bytes)
      return bytes.error();
    strings = *bytes;
    return {};
  }

  Status readContexts() {
    auto bytes = file.section(".acis.ctx");
    if (!bytes)
      return bytes.error();
    WordReader words(*bytes);
    const uint32_t count = words.next();
    if (words.ranOut() || count > words.wordsLeft() / 2 ||
        count > uint64_t(overlay.maxContexts) * MaxHandlers)
      return Error{".acis.ctx", std::to_string(count) + " contexts in " +
                                    std::to_string(bytes->size()) + " bytes"};
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t offset = words.next(), size = words.next();
      const std::string where = "context " + std::to_string(i);
      if (offset > bytes->size() || size > bytes->size() - offset)
        return Error{where, "lies outside .acis.ctx"};
      Result<isa::LoopContext> loop = isa::decode(bytes->subspan(offset, size), overlay);
      if (!loop)
        return prefixed(where, loop.error());
      Result<ContextGraph> graph = traceContext(*loop, overlay);
      if (!graph)
        return prefixed(where, graph.error());
      image->contexts.push_back({std::move(*loop), std::move(*graph)});
    }
    return {};
  }

  static Error prefixed(const std::string &where, const Error &error) {
    return {error.where.empty() ? where : where + ", " + error.where, error.what};
  }

  Status readHandlers() {
    auto bytes = file.section(".acis.meta");
    if (!bytes)
      return bytes.error();
    WordReader words(*bytes);
    const uint32_t count = words.next();
    if (words.ranOut() || count < 1 || count > MaxHandlers || words.wordsLeft() < count * 8)
      return Error{".acis.meta", std::to_string(count) + " handlers in " +
                                     std::to_string(bytes->size()) + " bytes; 1 to " +
                                     std::to_string(MaxHandlers) + " are allowed"};
    for (uint32_t i = 0; i < count; ++i) {
      Handler handler;
      Result<std::string_view> name = stringAt(strings, words.next());
      if (!name)
        return Error{".acis.meta", name.error().what};
      handler.name = *name;
      handler.entry = words.next();
      handler.codeBytes = words.next();
      handler.firstContext = words.next();
      handler.contextCount = words.next();
      handler.memoryBytes = words.next();
      handler.inBytes = words.next();
      handler.outBytes = words.next();
      if (Status s = checkHandler(handler); !s)
        return Error{"handler " + handler.name, s.error().what};
      image->handlers.push_back(std::move(handler));
    }
    return {};
  }

  Status checkHandler(const Handler &handler) const {
    const uint64_t code = image->code.size() * 4, contexts = image->contexts.size();
    if (handler.name.empty() || image->handler(handler.name))
      return Error{"", "the name is empty or not unique"};
    if (handler.entry % 4 != 0 || handler.codeBytes % 4 != 0 || handler.codeBytes == 0 ||
        uint64_t(handler.entry) + handler.codeBytes > code)
      return Error{"", "code at " + std::to_string(handler.entry) + ", " +
                           std::to_string(handler.codeBytes) + " bytes; .text has " +
                           std::to_string(code)};
    if (uint64_t(handler.firstContext) + handler.contextCount > contexts)
      return Error{"", "contexts past the binary's " + std::to_string(contexts)};
    if (handler.contextCount > overlay.maxContexts)
      return Error{"", std::to_string(handler.contextCount) + " contexts; the overlay holds " +
                           std::to_string(overlay.maxContexts)};
    uint64_t slots = 0;
    for (uint32_t i = 0; i < handler.contextCount; ++i)
      slots += image->contexts[handler.firstContext + i].loop.ii;
    if (slots > overlay.contextSlots)
      return Error{"", std::to_string(slots) + " context slots; the overlay has " +
                           std::to_string(overlay.contextSlots)};
    return {};
  }

  /// In order and disjoint, so that no more is copied than there are register files.
  Status readInitial() {
    if (!file.hasSection(".acis.init"))
      return {};
    auto bytes = file.section(".acis.init");
    if (!bytes)
      return bytes.error();
    WordReader words(*bytes);
    const uint32_t count = words.next();
    if (words.ranOut() || count > words.wordsLeft() / 5)
      return Error{".acis.init", std::to_string(count) + " tables in " +
                                     std::to_string(bytes->size()) + " bytes"};
    image->initialBytes.assign(bytes->begin(), bytes->end());
    for (uint32_t i = 0; i < count; ++i) {
      InitialValues part;
      part.handler = words.next();
      part.pe = words.next();
      part.firstByte = words.next();
      part.offset = words.next();
      part.size = words.next();
      if (Status s = checkInitial(part); !s)
        return Error{".acis.init", "table " + std::to_string(i) + " " + s.error().what};
      image->initial.push_back(part);
    }
    return {};
  }

  Status checkInitial(const InitialValues &part) const {
    if (part.handler >= image->handlers.size())
      return Error{"", "is for handler " + std::to_string(part.handler) + " of " +
                           std::to_string(image->handlers.size())};
    if (part.pe >= overlay.numPes() || !overlay.pes[part.pe].vrf)
      return Error{"", "is for PE " + std::to_string(part.pe) + ", which has no register file"};
    const uint64_t file = uint64_t(overlay.vrfBeats) * overlay.beatBytes();
    if (part.firstByte % 4 != 0 || part.size % 4 != 0 || part.size > file ||
        part.firstByte > file - part.size)
      return Error{"", "has " + std::to_string(part.size) + " bytes at " +
                           std::to_string(part.firstByte) + "; whole words of a register file of " +
                           std::to_string(file) + " bytes are allowed"};
    if (part.offset > image->initialBytes.size() ||
        part.size > image->initialBytes.size() - part.offset)
      return Error{"", "lies outside the section"};
    if (image->initial.empty())
      return {};
    const InitialValues &before = image->initial.back();
    if (std::tie(part.handler, part.pe) < std::tie(before.handler, before.pe) ||
        (part.handler == before.handler && part.pe == before.pe &&
         part.firstByte < before.firstByte + before.size))
      return Error{"", "is not in order, or overlaps the one before"};
    return {};
  }

  Status readLines() {
    auto bytes = file.section(".acis.lines");
    if (!bytes)
      return bytes.error();
    WordReader words(*bytes);
    const uint32_t count = words.next();
    if (words.ranOut() || count > words.wordsLeft() / 4)
      return Error{".acis.lines", std::to_string(count) + " entries in " +
                                      std::to_string(bytes->size()) + " bytes"};
    std::vector<uint32_t> offsets;
    for (uint32_t i = 0; i < count; ++i) {
      LineEntry entry;
      entry.kind = words.next();
      entry.key = words.next();
      const uint32_t offset = words.next();
      entry.line = words.next();
      if (!image->lines.empty() && std::tie(entry.kind, entry.key) <
                                       std::tie(image->lines.back().kind, image->lines.back().key))
        return Error{".acis.lines", "entry " + std::to_string(i) + " is not in order"};
      const auto known = std::find(offsets.begin(), offsets.end(), offset);
      entry.file = uint32_t(known - offsets.begin());
      if (known == offsets.end()) {
        Result<std::string_view> name = stringAt(strings, offset);
        if (!name)
          return Error{".acis.lines", name.error().what};
        if (offsets.size() == MaxFiles)
          return Error{".acis.lines", "more than " + std::to_string(MaxFiles) + " files"};
        offsets.push_back(offset);
        image->files.emplace_back(*name);
      }
      image->lines.push_back(entry);
    }
    return {};
  }

  Status readCertificates() {
    if (!file.hasSection(".acis.cert"))
      return {};
    auto bytes = file.section(".acis.cert");
    if (!bytes)
      return bytes.error();
    std::vector<uint32_t> all(bytes->size() / 4);
    WordReader reader(*bytes);
    for (uint32_t &word : all)
      word = reader.next();
    std::span<const uint32_t> words = all;
    for (const Handler &handler : image->handlers) {
      Result<Certificate> certificate = decodeCertificate(words);
      if (!certificate)
        return Error{".acis.cert", "handler " + handler.name + ": " + certificate.error().what};
      image->certificates.push_back(std::move(*certificate));
    }
    return {};
  }

  static constexpr size_t MaxFiles = 1024; ///< keeps the search for a file's name short
  const ElfFile &file;
  const Overlay &overlay;
  std::shared_ptr<Image> image = std::make_shared<Image>();
  std::span<const uint8_t> strings;
};

} // namespace

Result<const Handler *> Image::handler(std::string_view name) const {
  if (name.empty() && handlers.size() == 1)
    return &handlers.front();
  std::string names;
  for (const Handler &handler : handlers) {
    if (!name.empty() && handler.name == name)
      return &handler;
    names += (names.empty() ? "" : ", ") + handler.name;
  }
  if (name.empty())
    return Error{"", "the binary has " + std::to_string(handlers.size()) + " handlers (" + names +
                         "); name one"};
  return Error{"", "the binary has no handler " + std::string(name) + "; it has " + names};
}

static bool before(const LineEntry &entry, std::pair<uint32_t, uint32_t> key) {
  return std::pair(entry.kind, entry.key) < key;
}

static std::string lineText(const Image &image, const LineEntry &entry) {
  return image.files[entry.file] + ":" + std::to_string(entry.line);
}

std::string Image::lineOfCode(uint32_t pc) const {
  auto after = std::upper_bound(lines.begin(), lines.end(), pc, [](uint32_t at, const auto &entry) {
    return std::pair(LineEntry::Code, at) < std::pair(entry.kind, entry.key);
  });
  if (after == lines.begin() || std::prev(after)->kind != LineEntry::Code)
    return "";
  return lineText(*this, *std::prev(after));
}

std::string Image::lineOfSlot(uint32_t context, unsigned pe, unsigned slot) const {
  const uint32_t key = pe << 16 | slot;
  auto found = std::lower_bound(lines.begin(), lines.end(), std::pair(context, key), before);
  if (found == lines.end() || found->kind != context || found->key != key)
    found = std::lower_bound(lines.begin(), lines.end(), std::pair(context, 0u), before);
  if (found == lines.end() || found->kind != context)
    return "";
  return lineText(*this, *found);
}

Result<std::shared_ptr<const Image>> loadImage(std::span<const uint8_t> elf,
                                               const Overlay &overlay) {
  Result<ElfFile> file = ElfFile::read(elf);
  if (!file)
    return file.error();
  return ImageReader(*file, overlay).read();
}

} // namespace acis

#include "runtime/engine/loader/Elf.h"

#include <algorithm>
#include <cstring>
#include <elf.h>

namespace acis {

/// A binary of the toolchain has about a dozen sections.
static constexpr unsigned MaxSections = 1024;

static bool inside(uint64_t offset, uint64_t size, uint64_t total) {
  return offset <= total && size <= total - offset;
}

Result<std::string_view> stringAt(std::span<const uint8_t> table, uint32_t offset) {
  if (offset >= table.size())
    return Error{"", "string at offset " + std::to_string(offset) + " of a table of " +
                         std::to_string(table.size()) + " bytes"};
  const auto begin = table.begin() + offset, end = std::find(begin, table.end(), 0);
  if (end == table.end())
    return Error{"", "string without an end at offset " + std::to_string(offset)};
  return std::string_view(reinterpret_cast<const char *>(&*begin), size_t(end - begin));
}

static Status checkHeader(const Elf32_Ehdr &header, size_t total) {
  auto fail = [](std::string what) { return Error{"ELF header", std::move(what)}; };
  if (header.e_ident[EI_CLASS] != ELFCLASS32 || header.e_ident[EI_DATA] != ELFDATA2LSB)
    return fail("not a 32-bit little-endian file; compile it with acisc");
  if (header.e_machine != EM_RISCV)
    return fail("machine " + std::to_string(header.e_machine) + "; RISC-V (243) is expected");
  if (header.e_type != ET_REL)
    return fail("type " + std::to_string(header.e_type) + "; a relocatable object (1) is expected");
  if (header.e_shentsize != sizeof(Elf32_Shdr) || header.e_shnum == 0 ||
      header.e_shnum > MaxSections || header.e_shstrndx >= header.e_shnum)
    return fail("a section table of " + std::to_string(header.e_shnum) + " entries of " +
                std::to_string(header.e_shentsize) + " bytes");
  if (!inside(header.e_shoff, uint64_t(header.e_shnum) * sizeof(Elf32_Shdr), total))
    return fail("the section table lies outside the file");
  return {};
}

Result<ElfFile> ElfFile::read(std::span<const uint8_t> bytes) {
  Elf32_Ehdr header;
  if (bytes.size() < sizeof header || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0)
    return Error{"ELF header", "not an ELF file"};
  std::memcpy(&header, bytes.data(), sizeof header);
  if (Status s = checkHeader(header, bytes.size()); !s)
    return s.error();

  std::vector<Elf32_Shdr> table(header.e_shnum);
  std::memcpy(table.data(), bytes.data() + header.e_shoff, table.size() * sizeof(Elf32_Shdr));
  auto content = [&](const Elf32_Shdr &section) {
    return section.sh_type == SHT_NOBITS ? std::span<const uint8_t>()
                                         : bytes.subspan(section.sh_offset, section.sh_size);
  };
  for (size_t i = 0; i < table.size(); ++i) {
    const Elf32_Shdr &section = table[i];
    if (section.sh_type == SHT_NULL)
      table[i].sh_offset = table[i].sh_size = 0;
    else if (section.sh_type != SHT_NOBITS &&
             !inside(section.sh_offset, section.sh_size, bytes.size()))
      return Error{"section " + std::to_string(i), "lies outside the file"};
    if ((section.sh_type == SHT_REL || section.sh_type == SHT_RELA) && section.sh_size != 0)
      return Error{"section " + std::to_string(i),
                   "relocations; a switch binary has none, link or compile it with acisc"};
  }

  ElfFile file;
  for (size_t i = 0; i < table.size(); ++i) {
    if (table[i].sh_type == SHT_NULL)
      continue;
    Result<std::string_view> name = stringAt(content(table[header.e_shstrndx]), table[i].sh_name);
    if (!name)
      return Error{"section " + std::to_string(i), name.error().what};
    file.sections.push_back({*name, content(table[i])});
  }
  return file;
}

bool ElfFile::hasSection(std::string_view name) const {
  for (const ElfSection &section : sections)
    if (section.name == name)
      return true;
  return false;
}

Result<std::span<const uint8_t>> ElfFile::section(std::string_view name) const {
  const ElfSection *found = nullptr;
  for (const ElfSection &section : sections)
    if (section.name == name) {
      if (found)
        return Error{std::string(name), "more than one section of this name"};
      found = &section;
    }
  if (!found)
    return Error{std::string(name), "no such section; compile the handler with acisc"};
  return found->bytes;
}

} // namespace acis

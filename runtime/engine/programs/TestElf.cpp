#include "runtime/engine/programs/TestElf.h"

#include <cstring>
#include <elf.h>

namespace acis::cts {

void appendWord(Bytes &bytes, uint32_t word) {
  for (unsigned i = 0; i < 4; ++i)
    bytes.push_back(uint8_t(word >> 8 * i));
}

Bytes wordBytes(const Words &words) {
  Bytes bytes;
  for (uint32_t word : words)
    appendWord(bytes, word);
  return bytes;
}

static void appendString(Bytes &bytes, const std::string &text) {
  bytes.insert(bytes.end(), text.begin(), text.end());
  bytes.push_back(0);
}

template <typename T> static void append(Bytes &bytes, const T &record) {
  const auto *begin = reinterpret_cast<const uint8_t *>(&record);
  bytes.insert(bytes.end(), begin, begin + sizeof record);
}

Bytes makeElf(const std::vector<TestSection> &sections) {
  Bytes names{0}, content;
  std::vector<Elf32_Shdr> table(1);
  auto add = [&](const std::string &name, uint32_t type, const Bytes &bytes) {
    Elf32_Shdr header{};
    header.sh_name = uint32_t(names.size());
    appendString(names, name);
    header.sh_type = type;
    header.sh_offset = uint32_t(sizeof(Elf32_Ehdr) + content.size());
    header.sh_size = uint32_t(bytes.size());
    header.sh_addralign = 4;
    table.push_back(header);
    content.insert(content.end(), bytes.begin(), bytes.end());
    content.resize((content.size() + 3) / 4 * 4);
  };
  for (const TestSection &section : sections)
    add(section.name, section.type, section.bytes);
  Bytes allNames = names;
  appendString(allNames, ".shstrtab");
  add(".shstrtab", SHT_STRTAB, allNames);

  Elf32_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS32;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_REL;
  header.e_machine = EM_RISCV;
  header.e_version = EV_CURRENT;
  header.e_shoff = uint32_t(sizeof header + content.size());
  header.e_ehsize = sizeof header;
  header.e_shentsize = sizeof(Elf32_Shdr);
  header.e_shnum = uint16_t(table.size());
  header.e_shstrndx = uint16_t(table.size() - 1);

  Bytes file;
  append(file, header);
  file.insert(file.end(), content.begin(), content.end());
  for (const Elf32_Shdr &section : table)
    append(file, section);
  return file;
}

std::vector<TestSection> TestBinary::sections() const {
  Bytes strings;
  appendString(strings, name);
  const uint32_t fileName = uint32_t(strings.size());
  appendString(strings, "test.c");

  Bytes records, directory;
  const uint32_t count = uint32_t(contexts.size());
  appendWord(directory, count);
  for (const isa::LoopContext &context : contexts) {
    const Bytes bytes = isa::encode(context);
    appendWord(directory, uint32_t(4 + 8 * count + records.size()));
    appendWord(directory, uint32_t(bytes.size()));
    records.insert(records.end(), bytes.begin(), bytes.end());
    records.resize((records.size() + 3) / 4 * 4);
  }
  directory.insert(directory.end(), records.begin(), records.end());

  Words table{uint32_t(lines.size())};
  for (const Line &line : lines)
    table.insert(table.end(), {line.kind, line.key, fileName, line.line});

  const Words meta{1, 0, 0, uint32_t(code.size() * 4), 0, count, memoryBytes, inBytes, outBytes};
  const Words note{5,
                   12,
                   1,
                   'A' | 'C' << 8 | 'i' << 16 | uint32_t('S') << 24,
                   0,
                   abi,
                   uint32_t(fingerprint),
                   uint32_t(fingerprint >> 32)};
  Words text = code;
  text.insert(text.end(), behind.begin(), behind.end());
  std::vector<TestSection> all{
      {".text", SHT_PROGBITS, wordBytes(text)},        {".acis.ctx", SHT_PROGBITS, directory},
      {".acis.meta", SHT_PROGBITS, wordBytes(meta)},   {".acis.str", SHT_PROGBITS, strings},
      {".acis.lines", SHT_PROGBITS, wordBytes(table)}, {".note.acis", SHT_NOTE, wordBytes(note)}};
  if (!initial.empty())
    all.push_back({".acis.init", SHT_PROGBITS, wordBytes(initial)});
  return all;
}

namespace as {

uint32_t rType(uint32_t opcode, uint32_t funct3, uint32_t funct7, uint32_t rd, uint32_t rs1,
               uint32_t rs2) {
  return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
uint32_t iType(uint32_t opcode, uint32_t funct3, uint32_t rd, uint32_t rs1, int32_t imm) {
  return uint32_t(imm) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
uint32_t sType(uint32_t opcode, uint32_t funct3, uint32_t rs1, uint32_t rs2, int32_t imm) {
  const uint32_t bits = uint32_t(imm) & 0xfff;
  return bits >> 5 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (bits & 31) << 7 | opcode;
}
uint32_t jal(uint32_t rd, int32_t offset) {
  const uint32_t o = uint32_t(offset);
  return (o >> 20 & 1) << 31 | (o >> 1 & 0x3ff) << 21 | (o >> 11 & 1) << 20 |
         (o >> 12 & 0xff) << 12 | rd << 7 | 0x6f;
}

static uint32_t widthCode(unsigned width) {
  return width == 8 ? 0 : width == 16 ? 5 : width == 32 ? 6 : 7;
}
uint32_t vle(unsigned width, uint32_t vd, uint32_t rs1) {
  return 0x020u << 20 | rs1 << 15 | widthCode(width) << 12 | vd << 7 | 0x07;
}
uint32_t vse(unsigned width, uint32_t vs3, uint32_t rs1) {
  return 0x020u << 20 | rs1 << 15 | widthCode(width) << 12 | vs3 << 7 | 0x27;
}

void li(Words &code, uint32_t rd, uint32_t value) {
  const int32_t low = int32_t(value << 20) >> 20;
  const uint32_t high = (value - uint32_t(low)) >> 12;
  if (high)
    code.push_back(lui(rd, high));
  if (low || !high)
    code.push_back(addi(rd, high ? rd : 0, low));
}

} // namespace as
} // namespace acis::cts

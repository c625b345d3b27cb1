// The header of .npy files is the text of a Python dictionary:
// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
#include "runtime/io/Npy.h"

#include <cstring>
#include <optional>
#include <string_view>

namespace acis::io {

namespace {

constexpr std::string_view magic("\x93NUMPY", 6);
constexpr size_t maxDimensions = 32; // as NumPy

/// Reads the dictionary token by token; every reader stops at the end of the text.
class Reader {
public:
  explicit Reader(std::string_view text) : text(text) {}

  Result<NpyHeader> read() {
    NpyHeader header;
    bool haveDescr = false, haveOrder = false, haveShape = false, fortran = false;
    if (!accept('{'))
      return broken("a dictionary");
    while (!accept('}')) {
      std::optional<std::string> key = quoted();
      if (!key || !accept(':'))
        return broken("a name in quotes and ':'");
      if (*key == "descr" && !haveDescr) {
        skipBlanks();
        std::optional<std::string> descr = quoted();
        if (!descr)
          return Error{"", "found an array of records or objects, allowed are numbers"};
        header.descr = *descr;
        haveDescr = true;
      } else if (*key == "fortran_order" && !haveOrder) {
        std::string_view value = word();
        if (value != "True" && value != "False")
          return broken("True or False");
        fortran = value == "True";
        haveOrder = true;
      } else if (*key == "shape" && !haveShape) {
        if (Status status = readShape(header.shape); !status)
          return status.error();
        haveShape = true;
      } else {
        return broken("descr, fortran_order and shape, each once");
      }
      if (!accept(',') && !peek('}'))
        return broken("',' or '}'");
    }
    skipBlanks();
    if (position != text.size())
      return broken("nothing after the dictionary");
    if (!haveDescr || !haveOrder || !haveShape)
      return broken("descr, fortran_order and shape, each once");
    if (fortran && header.shape.size() > 1)
      return Error{"", "found an array in Fortran order, allowed is C order; "
                       "use numpy.ascontiguousarray"};
    return header;
  }

private:
  std::string_view text;
  size_t position = 0;

  Error broken(const std::string &expected) const {
    return {"", "the header is broken at byte " + std::to_string(position) + ", expected is " +
                    expected};
  }
  void skipBlanks() {
    while (position < text.size() && (text[position] == ' ' || text[position] == '\n'))
      ++position;
  }
  bool peek(char c) {
    skipBlanks();
    return position < text.size() && text[position] == c;
  }
  bool accept(char c) {
    if (!peek(c))
      return false;
    ++position;
    return true;
  }
  std::optional<std::string> quoted() {
    skipBlanks();
    if (position >= text.size() || (text[position] != '\'' && text[position] != '"'))
      return std::nullopt;
    size_t end = text.find(text[position], position + 1);
    if (end == std::string_view::npos)
      return std::nullopt;
    std::string result(text.substr(position + 1, end - position - 1));
    position = end + 1;
    return result;
  }
  std::string_view word() {
    skipBlanks();
    size_t start = position;
    while (position < text.size() && ((text[position] >= 'a' && text[position] <= 'z') ||
                                      (text[position] >= 'A' && text[position] <= 'Z')))
      ++position;
    return text.substr(start, position - start);
  }
  Status readShape(std::vector<uint64_t> &shape) {
    if (!accept('('))
      return broken("a tuple of sizes");
    while (!accept(')')) {
      skipBlanks();
      uint64_t size = 0;
      size_t start = position;
      for (; position < text.size() && text[position] >= '0' && text[position] <= '9'; ++position)
        if (__builtin_mul_overflow(size, uint64_t(10), &size) ||
            __builtin_add_overflow(size, uint64_t(text[position] - '0'), &size))
          return broken("a size of at most 64 bits");
      if (position == start || shape.size() == maxDimensions)
        return broken("a size, at most 32 of them");
      shape.push_back(size);
      if (!accept(',') && !peek(')'))
        return broken("',' or ')'");
    }
    return Status::ok();
  }
};

} // namespace

Status parseDescr(const std::string &descr, unsigned &itemBytes) {
  bool known = descr.size() == 3 && std::strchr("<|", descr[0]) && std::strchr("iuf", descr[1]) &&
               std::strchr("1248", descr[2]) && !(descr[1] == 'f' && descr[2] < '4');
  if (!known || (descr[0] == '|' && descr[2] != '1'))
    return Error{"", "found elements of type '" + descr +
                         "', allowed are <i1, <i2, <i4, <i8, <u1, <u2, <u4, <u8, <f4, <f8"};
  itemBytes = static_cast<unsigned>(descr[2] - '0');
  return Status::ok();
}

Result<NpyHeader> parseNpy(std::span<const uint8_t> file) {
  if (file.size() < 10 || std::memcmp(file.data(), magic.data(), magic.size()) != 0)
    return Error{"", "found no .npy file, which starts with \\x93NUMPY"};
  unsigned version = file[6];
  if (version < 1 || version > 3)
    return Error{"", "found version " + std::to_string(version) + ", allowed are 1, 2 and 3"};
  size_t start = version == 1 ? 10 : 12;
  if (file.size() < start)
    return Error{"", "the header is cut short"};
  size_t length = file[8] | file[9] << 8;
  if (version > 1)
    length |= size_t(file[10]) << 16 | size_t(file[11]) << 24;
  if (length > file.size() - start)
    return Error{"", "the header is cut short: found " + std::to_string(file.size() - start) +
                         " bytes, needed are " + std::to_string(length)};
  const char *text = reinterpret_cast<const char *>(file.data()) + start;
  Result<NpyHeader> header = Reader(std::string_view(text, length)).read();
  if (!header)
    return header;
  if (Status status = parseDescr(header->descr, header->itemBytes); !status)
    return status.error();
  header->headerBytes = start + length;
  uint64_t bytes = header->itemBytes;
  for (uint64_t size : header->shape)
    if (__builtin_mul_overflow(bytes, size, &bytes))
      return Error{"", "the shape has more than 2^64 bytes"};
  size_t found = file.size() - header->headerBytes;
  if (bytes != found)
    return Error{"", "found " + std::to_string(found) + " bytes of data, the shape needs " +
                         std::to_string(bytes)};
  return header;
}

std::vector<uint8_t> makeNpyHeader(const std::string &descr, std::span<const uint64_t> shape) {
  std::string text = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  text += shape.size() == 1 ? ",), }" : "), }";
  // The data starts at a multiple of 64 bytes.
  while ((magic.size() + 4 + text.size() + 1) % 64)
    text += ' ';
  text += '\n';
  std::vector<uint8_t> header(magic.begin(), magic.end());
  for (size_t byte : {size_t(1), size_t(0), text.size() & 0xff, text.size() >> 8})
    header.push_back(static_cast<uint8_t>(byte));
  header.insert(header.end(), text.begin(), text.end());
  return header;
}

} // namespace acis::io

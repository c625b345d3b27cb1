// Writes the seed corpus of acis-fuzz-elf. usage: acis-fuzz-elf-seeds <directory>
#include "runtime/hardware/cts/SeedImages.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: acis-fuzz-elf-seeds <directory>\n");
    return 1;
  }
  const std::filesystem::path directory = argv[1];
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  unsigned number = 0;
  for (const acis::cts::Bytes &seed : acis::cts::seedImages()) {
    std::ofstream file(directory / ("seed" + std::to_string(number++) + ".elf"), std::ios::binary);
    file.write(reinterpret_cast<const char *>(seed.data()), std::streamsize(seed.size()));
    if (!file) {
      std::fprintf(stderr, "cannot write to %s\n", argv[1]);
      return 1;
    }
  }
}

// gcn-pack: a graph and its features as input stream and memory image of a handler.
#include "examples/gcn/Options.h"

#include <cstdio>
#include <cstring>

using namespace acis;
using namespace acis::gcn;

static bool writeFile(const std::string &path, const void *data, size_t bytes) {
  std::FILE *file = std::fopen(path.c_str(), "wb");
  bool good = file && std::fwrite(data, 1, bytes, file) == bytes;
  if (file)
    good = std::fclose(file) == 0 && good;
  if (!good) {
    std::fprintf(stderr, "gcn-pack: error: %s: cannot be written\n", path.c_str());
    std::remove(path.c_str());
  }
  return good;
}

static int fail(const Error &error) {
  std::fprintf(stderr, "gcn-pack: error: %s\n", error.str().c_str());
  return 1;
}

int main(int argc, char **argv) {
  if (argc == 2 && std::strcmp(argv[1], "--help") == 0) {
    std::printf("usage: gcn-pack [options] --in=FILE --mem=FILE\n"
                "Writes the input stream and the memory image of a GCN handler.\n\n"
                "  --in=FILE --mem=FILE     files to write\n%s",
                CommonHelp);
    return 0;
  }
  if (argc == 2 && std::strcmp(argv[1], "--version") == 0) {
    std::printf("gcn-pack " ACIS_VERSION "\n");
    return 0;
  }
  Result<Options> options = parseOptions(argc, argv, /*check=*/false);
  if (!options)
    return fail(options.error());
  if (options->in.empty() || options->mem.empty())
    return fail({"", "--in and --mem name the files to write; see --help"});
  Result<Input> input = readInput(*options);
  if (!input)
    return fail(input.error());
  Result<Packed> packed = pack(input->graph, input->features, options->dataflow, options->tiles);
  if (!packed)
    return fail(packed.error());
  if (!writeFile(options->in, packed->stream.data(), packed->stream.size() * 4) ||
      !writeFile(options->mem, packed->memory.data(), packed->memory.size() * 4))
    return 1;
  std::printf("%u rows, %zu non-zeros: %llu tiles, %llu beats of non-zeros (%llu words of "
              "padding), %zu bytes of stream, %zu bytes of memory\n",
              input->graph.rows, input->graph.entries.size(), (unsigned long long)packed->tiles,
              (unsigned long long)packed->beats, (unsigned long long)packed->padding,
              packed->stream.size() * 4, packed->memory.size() * 4);
  return 0;
}

// gcn-check: compares a run's output, bit for bit, with the handler as the host's C
// compiler made it, and that with a product in double precision.
#include "examples/gcn/Options.h"
#include "examples/gcn/tiles.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>

using namespace acis;
using namespace acis::gcn;

using Handler = void(const uint32_t *, float *, const float *, uint32_t *);

static int fail(const Error &error) {
  std::fprintf(stderr, "gcn-check: error: %s\n", error.str().c_str());
  return 1;
}

static Result<std::vector<float>> runNative(const Options &options, const Packed &packed) {
  static const char *const names[] = {"gcn_split", "gcn_os", "gcn_ws"};
  // A name without a folder is a file here, not one of the library path.
  void *library = dlopen(std::filesystem::absolute(options.native).c_str(), RTLD_NOW);
  if (!library)
    return Error{options.native, dlerror()};
  void *symbol = dlsym(library, names[unsigned(options.dataflow)]);
  if (!symbol)
    return Error{options.native,
                 std::string("has no handler '") + names[unsigned(options.dataflow)] + "'"};
  Handler *handler;
  std::memcpy(&handler, &symbol, sizeof handler);
  // Behind the output is room for a handler of larger tiles to be found out.
  std::vector<float> out(packed.elements.size() + 65536, 0);
  uint32_t len = uint32_t(packed.stream.size() * 4);
  handler(packed.stream.data(), out.data(), packed.memory.data(), &len);
  if (len != packed.elements.size() * 4)
    return Error{options.native, "the handler sent " + std::to_string(len) + " bytes, not " +
                                     std::to_string(packed.elements.size() * 4) +
                                     "; was it compiled for other tile sizes?"};
  out.resize(packed.elements.size());
  return out;
}

/// The largest error, relative to the sum of the magnitudes that were added; or an
/// element that is too far off.
static Result<double> compareDouble(const Input &input, const Packed &packed,
                                    const std::vector<float> &out) {
  Dense dense = input.features;
  std::vector<double> product, scale;
  multiply(input.graph, dense, product, scale);
  double worst = 0;
  std::vector<bool> seen(size_t(input.graph.rows) * FEATURES, false);
  for (size_t i = 0; i < out.size(); ++i) {
    int64_t element = packed.elements[i];
    if (element < 0)
      continue;
    uint64_t row = uint64_t(element) / FEATURES, f = uint64_t(element) % FEATURES;
    seen[size_t(element)] = true;
    double want = f < dense.cols ? product[row * dense.cols + f] : 0;
    double size = f < dense.cols ? scale[row * dense.cols + f] : 0;
    double off = std::fabs(double(out[i]) - want);
    if (!(off <= 1e-5 * size)) // also when it is not a number
      return Error{"", "row " + std::to_string(input.firstRow + row) + ", feature " +
                           std::to_string(f) + " is " + std::to_string(out[i]) +
                           ", in double precision " + std::to_string(want)};
    worst = std::max(worst, size > 0 ? off / size : 0);
  }
  if (std::find(seen.begin(), seen.end(), false) != seen.end())
    return Error{"", "some rows were not sent"};
  return worst;
}

static Status compareBits(const std::string &path, const std::vector<float> &want) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file)
    return Error{path, "cannot be read"};
  size_t bytes = size_t(file.tellg());
  if (bytes != want.size() * 4)
    return Error{path, std::to_string(bytes) + " bytes, the host's C code sends " +
                           std::to_string(want.size() * 4)};
  std::vector<float> got(want.size());
  file.seekg(0);
  file.read(reinterpret_cast<char *>(got.data()), std::streamsize(bytes));
  for (size_t i = 0; i < got.size(); ++i)
    if (std::memcmp(&got[i], &want[i], 4) != 0)
      return Error{path, "element " + std::to_string(i) + " is " + std::to_string(got[i]) +
                             ", the host's C code gives " + std::to_string(want[i])};
  return {};
}

int main(int argc, char **argv) {
  if (argc == 2 && std::strcmp(argv[1], "--help") == 0) {
    std::printf(
        "usage: gcn-check [options] --native=FILE [--out=FILE]\n"
        "Compares the output of a run with the host's C code and that with a product in\n"
        "double precision (1e-5 of the sum of magnitudes).\n\n"
        "  --native=FILE            shared library with the handler, from the host's C\n"
        "                           compiler (-ffp-contract=off -shared -fPIC)\n"
        "  --out=FILE               output of the run; without it only the host's is checked\n%s",
        CommonHelp);
    return 0;
  }
  if (argc == 2 && std::strcmp(argv[1], "--version") == 0) {
    std::printf("gcn-check " ACIS_VERSION "\n");
    return 0;
  }
  Result<Options> options = parseOptions(argc, argv, /*check=*/true);
  if (!options)
    return fail(options.error());
  if (options->native.empty())
    return fail({"", "--native names the handler as a shared library; see --help"});
  Result<Input> input = readInput(*options);
  if (!input)
    return fail(input.error());
  Result<Packed> packed = pack(input->graph, input->features, options->dataflow, options->tiles);
  if (!packed)
    return fail(packed.error());
  Result<std::vector<float>> native = runNative(*options, *packed);
  if (!native)
    return fail(native.error());
  Result<double> worst = compareDouble(*input, *packed, *native);
  if (!worst)
    return fail(worst.error());
  std::printf("host's C code: within %.1e of double precision\n", *worst);
  if (options->out.empty())
    return 0;
  if (Status status = compareBits(options->out, *native); !status)
    return fail(status.error());
  std::printf("%s: equal to the host's C code, bit for bit\n", options->out.c_str());
  return 0;
}

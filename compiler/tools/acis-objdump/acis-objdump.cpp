// acis-objdump: what is in a switch binary. It is read with the loader that reads it in
// the switch, so a damaged file gets the same message here.
#include "backend/overlay/Overlay.h"
#include "backend/support/Nearest.h"
#include "compiler/tools/acis-objdump/Dump.h"
#include "runtime/engine/loader/Image.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

namespace {

constexpr const char *Usage = R"(usage: acis-objdump --config <overlay.json> [options] <binary>

Prints the handlers, code and mapped loops of a switch binary.

  --config <file>  overlay that the binary was compiled for
  -d, --code       code only
  -c, --contexts   mapped loops only
  -l, --lines      source lines, too
  --json           as JSON
  -h, --help       this text
  --version        version
)";

constexpr const char *OptionNames[] = {"--config", "--code", "--contexts", "--lines",
                                       "--json",   "--help", "--version"};

struct Arguments {
  std::string config, input;
  acis::objdump::DumpOptions options;
  bool json = false;
};

int fail(const llvm::Twine &what) {
  llvm::errs() << "acis-objdump: error: " << what << '\n';
  return 1;
}

/// An exit code when there is nothing more to do.
std::optional<int> parse(llvm::ArrayRef<char *> argv, Arguments &arguments) {
  bool code = false, contexts = false;
  for (size_t i = 1; i < argv.size(); ++i) {
    llvm::StringRef arg = argv[i];
    if (arg == "-h" || arg == "--help")
      return (llvm::outs() << Usage, 0);
    if (arg == "--version")
      return (llvm::outs() << "acis-objdump " ACIS_VERSION "\n", 0);
    if (arg == "--config" && i + 1 < argv.size())
      arguments.config = argv[++i];
    else if (arg.consume_front("--config="))
      arguments.config = arg.str();
    else if (arg == "-d" || arg == "--code")
      code = true;
    else if (arg == "-c" || arg == "--contexts")
      contexts = true;
    else if (arg == "-l" || arg == "--lines")
      arguments.options.lines = true;
    else if (arg == "--json")
      arguments.json = true;
    else if (arg.starts_with("-"))
      return fail(arg == "--config" ? "argument to '--config' is missing"
                                    : "unknown option '" + arg + "'" +
                                          acis::didYouMean(argv[i], OptionNames) + "; see --help");
    else if (arguments.input.empty())
      arguments.input = arg.str();
    else
      return fail("more than one file: '" + arguments.input + "' and '" + arg + "'");
  }
  if (code || contexts) {
    arguments.options.handlers = false;
    arguments.options.code = code;
    arguments.options.contexts = contexts;
  }
  if (arguments.input.empty())
    return fail("no file; see --help");
  if (arguments.config.empty())
    return fail("no overlay; give the one that the binary was compiled for with --config");
  return std::nullopt;
}

} // namespace

int main(int argc, char **argv) {
  Arguments arguments;
  if (std::optional<int> code = parse({argv, size_t(argc)}, arguments))
    return *code;
  auto overlay = acis::Overlay::load(arguments.config);
  if (!overlay)
    return fail(overlay.error().str());
  auto file = llvm::MemoryBuffer::getFile(arguments.input);
  if (!file)
    return fail("cannot read '" + arguments.input + "': " + file.getError().message());
  auto bytes = (*file)->getBuffer();
  auto image =
      acis::loadImage({reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()}, *overlay);
  if (!image)
    return fail("'" + arguments.input + "': " + image.error().str());
  auto dump = arguments.json ? acis::objdump::dumpJson : acis::objdump::dumpText;
  llvm::outs() << dump(**image, *overlay, arguments.options);
  return 0;
}

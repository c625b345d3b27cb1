// acis-mpirun: an unchanged MPI program with its collectives done by a switch.
//
// What it adds to mpiexec: it starts switches where none is named, preloads the library
// for the right MPI, tells the ranks the address, job and key by environment, and ends the
// switches when the program has ended, however it has.
#include "runtime/host/acis-mpirun/Children.h"
#include "runtime/host/acis-mpirun/Options.h"
#include "runtime/switch/core/Topology.h"
#include "runtime/switch/wire/Channel.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace acis;
using namespace acis::tools;

namespace fs = std::filesystem;

namespace {

int fail(const Error &error) {
  std::cerr << "acis-mpirun: error: " << error.str() << "\n";
  return 1;
}

/// The folder of this program: acisd is beside it, the libraries in ../lib.
fs::path ownFolder() {
  std::error_code code;
  return fs::read_symlink("/proc/self/exe", code).parent_path();
}

/// The MPI library that the dynamic linker would load for the program.
Result<std::string> mpiOf(const std::string &program) {
  std::string libraries = outputOf({program}, {{"LD_TRACE_LOADED_OBJECTS", "1"}});
  if (libraries.find("libmpich.so") != std::string::npos)
    return std::string("mpich");
  if (libraries.find("libmpi.so") != std::string::npos)
    return std::string("openmpi");
  return Error{program, "is not linked with MPICH or Open MPI; if it loads one later, say which "
                        "with --mpi=mpich or --mpi=openmpi"};
}

/// Keys and switches of one run, gone with it.
struct Fabric {
  std::vector<Child> switches;
  fs::path folder; ///< holds the key
  Variables variables;

  ~Fabric() {
    switches.clear();
    std::error_code code;
    if (!folder.empty())
      fs::remove_all(folder, code);
  }
};

/// A fresh key, in a file that only this user can read.
Result<wire::Key> makeKey(Fabric &fabric) {
  std::string pattern = (fs::temp_directory_path() / "acis-XXXXXX").string();
  if (!mkdtemp(pattern.data()))
    return Error{pattern, "cannot be made"};
  fabric.folder = pattern;
  wire::Key key;
  for (size_t at = 0; at < key.size(); at += 8) {
    uint64_t bits = wire::randomBits();
    for (size_t i = 0; i < 8; ++i)
      key[at + i] = uint8_t(bits >> (8 * i));
  }
  mode_t before = umask(077);
  std::ofstream(fabric.folder / "key") << wire::keyText(key) << "\n";
  umask(before);
  return key;
}

/// Starts one acisd and waits until it says where it listens.
Result<std::string> startSwitch(const MpirunOptions &options, Fabric &fabric,
                                const std::vector<std::string> &arguments) {
  std::vector<std::string> command = {(ownFolder() / "acisd").string(), "--key-file",
                                      (fabric.folder / "key").string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  if (!options.config.empty())
    command.insert(command.end(), {"--config", options.config});
  command.insert(command.end(), options.switchArguments.begin(), options.switchArguments.end());
  int output = -1;
  Result<Child> child = start(command, {}, &output);
  if (!child)
    return child.error();
  fabric.switches.push_back(std::move(*child));
  std::string line;
  for (char letter; read(output, &letter, 1) == 1 && letter != '\n';)
    line += letter;
  // The pipe stays open, so that what the switch says later meets no closed end.
  constexpr std::string_view Said = "acisd: listening on ";
  if (!line.starts_with(Said))
    return Error{"acisd", "ended before it listened"};
  return line.substr(Said.size());
}

std::string joined(const std::vector<uint16_t> &numbers) {
  std::string text;
  for (uint16_t number : numbers)
    text +=
        (text.empty() ? "" : ",") + (number == 0xffff ? std::string("-") : std::to_string(number));
  return text;
}

/// Every switch of the file; ranks to its leaves in blocks. Ranks find their own leaf's
/// address in ACIS_SWITCHES by its number.
Status startTopology(const MpirunOptions &options, Fabric &fabric, uint32_t job) {
  std::ifstream file(options.topology);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()))
    return Error{options.topology, "cannot be read"};
  Result<sw::Topology> topology = sw::Topology::read(text.str());
  if (!topology)
    return Error{options.topology + ": " + topology.error().where, topology.error().what};
  std::string addresses;
  std::vector<bool> isParent(topology->switches.size());
  for (const sw::Topology::Switch &one : topology->switches) {
    Result<std::string> address =
        startSwitch(options, fabric, {"--topology", options.topology, "--name", one.name});
    if (!address)
      return address.error();
    addresses += (addresses.empty() ? "" : ",") + *address;
    for (uint16_t parent : one.parents)
      isParent[parent] = true;
  }
  std::vector<uint16_t> leaves, leafOfRank;
  for (size_t s = 0; s < isParent.size(); ++s)
    if (!isParent[s])
      leaves.push_back(uint16_t(s));
  for (unsigned rank = 0; rank < options.ranks; ++rank)
    leafOfRank.push_back(leaves[rank * leaves.size() / options.ranks]);
  fabric.variables.emplace_back("ACIS_SWITCH", addresses);
  fabric.variables.emplace_back("ACIS_LEAVES", joined(leafOfRank));
  fabric.variables.emplace_back("ACIS_PARENTS", joined(topology->parentsFor(job)));
  return {};
}

Status prepareFabric(const MpirunOptions &options, Fabric &fabric) {
  if (!options.switchAt.empty()) {
    fabric.variables = {{"ACIS_SWITCH", options.switchAt},
                        {"ACIS_JOB", options.job.empty() ? "1" : options.job}};
    if (options.keyFile.empty())
      return {};
    const Result<wire::Key> key = wire::readKeyFile(options.keyFile);
    if (!key)
      return key.error();
    fabric.variables.emplace_back("ACIS_KEY", wire::keyText(*key));
    return {};
  }
  Result<wire::Key> key = makeKey(fabric);
  if (!key)
    return key.error();
  uint32_t job = 1;
  fabric.variables = {{"ACIS_JOB", std::to_string(job)},
                      {"ACIS_KEY", wire::keyText(wire::jobKey(*key, job))}};
  if (!options.topology.empty())
    return startTopology(options, fabric, job);
  Result<std::string> address = startSwitch(options, fabric, {});
  if (!address)
    return address.error();
  fabric.variables.emplace_back("ACIS_SWITCH", *address);
  return {};
}

/// What the ranks shall have beyond the address.
Status addSettings(const MpirunOptions &options, const std::string &mpi, Variables &variables) {
  fs::path library = ownFolder() / ".." / "lib" / ("libacis-mpi-" + mpi + ".so");
  std::error_code code;
  if (!fs::exists(library, code))
    return Error{library.lexically_normal().string(),
                 "is not there: this build has no library for " + mpi};
  std::string preload = library.lexically_normal().string();
  if (const char *before = std::getenv("LD_PRELOAD"))
    preload += std::string(":") + before;
  variables.emplace_back("LD_PRELOAD", preload);
  if (!options.why.empty())
    variables.emplace_back("ACIS_WHY", options.why);
  if (!options.timeout.empty())
    variables.emplace_back("ACIS_TIMEOUT", options.timeout);
  std::string operators;
  for (const std::string &one : options.operators)
    operators += (operators.empty() ? "" : ",") + one;
  if (!operators.empty())
    variables.emplace_back("ACIS_OPERATORS", operators);
  return {};
}

/// What the launcher is not to have itself: a library that is loaded before others.
constexpr const char *ForRanks = "LD_PRELOAD";

/// The launcher's command. All other variables are in its environment, which it gives to the ranks:
/// everybody may see what is in a command, as a key would be.
std::vector<std::string> launch(const MpirunOptions &options, const std::string &mpi,
                                const Variables &variables) {
  bool openmpi = mpi == "openmpi";
  std::vector<std::string> command = {"mpiexec." + mpi};
  if (openmpi) {
    command.push_back("--oversubscribe"); // ranks sleep while they wait for the switch
    if (geteuid() == 0)
      command.push_back("--allow-run-as-root");
  }
  for (const auto &[name, value] : variables) {
    const bool isForRanks = name == ForRanks;
    if (openmpi)
      command.insert(command.end(), {"-x", isForRanks ? name + "=" + value : name});
    else if (isForRanks)
      command.insert(command.end(), {"-genv", name, value});
  }
  command.insert(command.end(), options.launcherArguments.begin(), options.launcherArguments.end());
  command.insert(command.end(), {"-n", std::to_string(options.ranks)});
  command.insert(command.end(), options.command.begin(), options.command.end());
  return command;
}

} // namespace

int main(int argc, char **argv) {
  MpirunOptions options;
  if (std::optional<int> code = parseOptions(argc, argv, options))
    return *code;
  std::string mpi = options.mpi;
  if (mpi.empty()) {
    Result<std::string> found = mpiOf(options.command[0]);
    if (!found)
      return fail(found.error());
    mpi = *found;
  }
  Fabric fabric;
  if (!options.plain) {
    if (Status status = prepareFabric(options, fabric); !status)
      return fail(status.error());
    if (Status status = addSettings(options, mpi, fabric.variables); !status)
      return fail(status.error());
  }
  const std::vector<std::string> command = launch(options, mpi, fabric.variables);
  std::erase_if(fabric.variables, [](const auto &item) { return item.first == ForRanks; });
  Result<Child> launcher = start(command, fabric.variables);
  if (!launcher)
    return fail(launcher.error());
  forwardSignals(*launcher);
  return launcher->wait();
}

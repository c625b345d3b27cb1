#include "runtime/host/acis-mpirun/Fabric.h"

#include "runtime/switch/core/Topology.h"
#include "runtime/switch/wire/Channel.h"

#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace acis::tools {

namespace fs = std::filesystem;

fs::path ownFolder() {
  std::error_code code;
  return fs::read_symlink("/proc/self/exe", code).parent_path();
}

Fabric::~Fabric() {
  switches.clear();
  std::error_code code;
  if (!folder.empty())
    fs::remove_all(folder, code);
}

namespace {

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

Result<sw::Topology> readTopology(const std::string &path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()))
    return Error{path, "cannot be read"};
  Result<sw::Topology> topology = sw::Topology::read(text.str());
  if (!topology)
    return Error{path + ": " + topology.error().where, topology.error().what};
  return topology;
}

/// What ACIS_PARENTS has: for each turn the switch above each switch.
std::string parentsOf(const sw::Topology &topology, uint32_t job) {
  std::string text;
  for (uint32_t turn = 0; turn < topology.turns(); ++turn)
    text += (turn == 0 ? "" : ";") + joined(topology.parentsFor(job, turn));
  return text;
}

std::vector<uint16_t> leavesOf(const sw::Topology &topology) {
  std::vector<bool> isParent(topology.switches.size());
  for (const sw::Topology::Switch &one : topology.switches)
    for (uint16_t parent : one.parents)
      isParent[parent] = true;
  std::vector<uint16_t> leaves;
  for (size_t s = 0; s < isParent.size(); ++s)
    if (!isParent[s])
      leaves.push_back(uint16_t(s));
  return leaves;
}

/// Every switch of the file on this machine; ranks to its leaves in blocks.
Status startTopology(const MpirunOptions &options, Fabric &fabric, uint32_t job) {
  Result<sw::Topology> topology = readTopology(options.topology);
  if (!topology)
    return topology.error();
  std::string addresses;
  for (const sw::Topology::Switch &one : topology->switches) {
    Result<std::string> address =
        startSwitch(options, fabric, {"--topology", options.topology, "--name", one.name});
    if (!address)
      return address.error();
    addresses += (addresses.empty() ? "" : ",") + *address;
  }
  const std::vector<uint16_t> leaves = leavesOf(*topology);
  std::vector<uint16_t> leafOfRank;
  for (unsigned rank = 0; rank < options.ranks; ++rank)
    leafOfRank.push_back(leaves[rank * leaves.size() / options.ranks]);
  fabric.variables.emplace_back("ACIS_SWITCH", addresses);
  fabric.variables.emplace_back("ACIS_LEAVES", joined(leafOfRank));
  fabric.variables.emplace_back("ACIS_PARENTS", parentsOf(*topology, job));
  return {};
}

/// The switches of the file run already. Each rank finds its leaf by the name of its host.
Status joinTopology(const MpirunOptions &options, Fabric &fabric, uint32_t job) {
  Result<sw::Topology> topology = readTopology(options.topology);
  if (!topology)
    return topology.error();
  const std::vector<uint16_t> leaves = leavesOf(*topology);
  if (topology->hosts.empty() && leaves.size() > 1)
    return Error{options.topology + ": /hosts",
                 "names no host, and there are " + std::to_string(leaves.size()) +
                     R"( leaves; write {"name": "node0", "switch": ")" +
                     topology->switches[leaves[0]].name + "\"} for each"};
  std::string addresses, hosts;
  for (const sw::Topology::Switch &one : topology->switches)
    addresses += (addresses.empty() ? "" : ",") + one.address;
  for (const sw::Topology::Host &host : topology->hosts)
    hosts += (hosts.empty() ? "" : ",") + host.name + "=" + std::to_string(host.leaf);
  fabric.variables.emplace_back("ACIS_SWITCH", addresses);
  fabric.variables.emplace_back("ACIS_PARENTS", parentsOf(*topology, job));
  if (hosts.empty())
    fabric.variables.emplace_back("ACIS_LEAVES",
                                  joined(std::vector<uint16_t>(options.ranks, leaves[0])));
  else
    fabric.variables.emplace_back("ACIS_HOST_LEAVES", hosts);
  return {};
}

/// Job and key at switches that run already.
Status joinJob(const MpirunOptions &options, Fabric &fabric) {
  fabric.variables.emplace_back("ACIS_JOB", std::to_string(options.job));
  if (options.keyFile.empty())
    return {};
  const Result<wire::Key> key = wire::readKeyFile(options.keyFile);
  if (!key)
    return key.error();
  fabric.variables.emplace_back("ACIS_KEY", wire::keyText(*key));
  return {};
}

} // namespace

Status prepareFabric(const MpirunOptions &options, Fabric &fabric) {
  if (!options.switchAt.empty() || options.isRunning) {
    if (Status status = joinJob(options, fabric); !status)
      return status;
    if (options.isRunning)
      return joinTopology(options, fabric, options.job);
    fabric.variables.emplace_back("ACIS_SWITCH", options.switchAt);
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

} // namespace acis::tools

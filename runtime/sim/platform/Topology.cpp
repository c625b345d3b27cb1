// Reads the topology of a platform file.
#include "runtime/sim/platform/Fields.h"

#include <map>
#include <optional>

namespace acis::cluster {
namespace {

constexpr uint32_t MostHosts = 16'384;

Result<uint32_t> count(const Json &object, const char *field, uint32_t least, uint32_t most) {
  const std::string path = std::string("topology/") + field;
  const auto at = object.find(field);
  const std::string expected =
      "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
  if (at == object.end())
    return Error{path, "is missing; expected " + expected};
  if (!at->is_number_unsigned() || *at < least || *at > most)
    return wrong(path, *at, expected);
  return at->get<uint32_t>();
}

/// The direct network of that form; its engines are the switches.
Result<Graph> readDirect(const Json &topology, direct::Form form) {
  if (Status status = checkFields(topology, "topology", {"kind", "sizes", "role"}); !status)
    return status.error();
  const auto at = topology.find("sizes");
  if (at == topology.end() || !at->is_array())
    return Error{"topology/sizes", "is missing, or no list; expected whole numbers, as in [4, 4]"};
  std::vector<uint32_t> sizes;
  for (const Json &size : *at) {
    if (!size.is_number_unsigned() || size < 1 || size > MostHosts)
      return wrong("topology/sizes", *at, "whole numbers from 1 to " + std::to_string(MostHosts));
    sizes.push_back(size.get<uint32_t>());
  }
  const Result<direct::Fabric> fabric = direct::Fabric::make(form, std::move(sizes));
  if (!fabric)
    return Error{"topology/sizes", fabric.error().what};
  if (fabric->engines() > MostHosts)
    return wrong("topology/sizes", *at, "at most " + std::to_string(MostHosts) + " engines");
  return makeDirect(*fabric);
}

/// The form of a direct network that a kind of topology is.
std::optional<direct::Form> formOf(const std::string &kind) {
  for (unsigned form = 0; form < direct::NumForms; ++form)
    if (kind == direct::nameOf(direct::Form(form)))
      return direct::Form(form);
  return std::nullopt;
}

/// Whether the switches of the topology are engines.
Result<bool> isOfEngines(const Json &topology, const std::string &kind) {
  const auto at = topology.find("role");
  const bool isForm = formOf(kind).has_value();
  if (at == topology.end() && isForm && kind != "torus")
    return Error{"topology/role",
                 "is missing; a " + kind + " is a network of engines: say \"role\": \"engine\""};
  if (at == topology.end() || *at == "switch")
    return false;
  if (*at != "engine")
    return wrong("topology/role", *at, "\"engine\" or \"switch\"");
  if (!isForm)
    return Error{"topology/role",
                 "engines are linked as a ring, torus, hypercube or tree; found " + kind};
  return true;
}

Result<Graph> readGrid(const Json &topology, bool wraps) {
  if (Status status = checkFields(topology, "topology", {"kind", "sizes", "role"}); !status)
    return status.error();
  const size_t dimensions = wraps ? 3 : 2;
  const std::string expected =
      wraps ? "three whole numbers, as in [4, 4, 2]" : "two whole numbers, as in [8, 4]";
  const auto at = topology.find("sizes");
  if (at == topology.end())
    return Error{"topology/sizes", "is missing; expected " + expected};
  std::vector<uint32_t> sizes;
  uint64_t hosts = 1;
  for (const Json &size : *at) {
    if (!at->is_array() || !size.is_number_unsigned() || size < 1 || size > MostHosts)
      return wrong("topology/sizes", *at, expected);
    sizes.push_back(size.get<uint32_t>());
    hosts *= sizes.back();
    if (hosts > MostHosts)
      return wrong("topology/sizes", *at, "at most " + std::to_string(MostHosts) + " hosts");
  }
  if (sizes.size() != dimensions)
    return wrong("topology/sizes", *at, expected);
  return makeGrid(sizes, wraps);
}

Result<Graph> readSpineLeaf(const Json &topology) {
  if (Status status =
          checkFields(topology, "topology", {"kind", "hosts", "radix", "overSubscription"});
      !status)
    return status.error();
  const Result<uint32_t> hosts = count(topology, "hosts", 1, MostHosts),
                         radix = count(topology, "radix", 2, 1024);
  if (!hosts || !radix)
    return hosts ? radix.error() : hosts.error();
  double over = 3; // dissertation, 3.6: 3:1
  if (const auto at = topology.find("overSubscription"); at != topology.end()) {
    if (!at->is_number() || !(at->get<double>() > 0 && at->get<double>() < 1e6))
      return wrong("topology/overSubscription", *at, "a number above 0: ports down for one up");
    over = at->get<double>();
  }
  return makeSpineLeaf(*hosts, *radix, over);
}

Result<Graph> readFatTree(const Json &topology) {
  if (Status status = checkFields(topology, "topology", {"kind", "hosts", "radix"}); !status)
    return status.error();
  const Result<uint32_t> radix = count(topology, "radix", 2, 64);
  if (!radix)
    return radix.error();
  if (*radix % 2)
    return wrong("topology/radix", *radix, "an even number");
  const uint32_t most = std::min(MostHosts, *radix * *radix * *radix / 4);
  const Result<uint32_t> hosts =
      topology.contains("hosts") ? count(topology, "hosts", 1, most) : Result<uint32_t>(most);
  if (!hosts)
    return hosts.error();
  return makeFatTree(*hosts, *radix);
}

Result<std::vector<std::string>> readNames(const Json &topology, const char *field,
                                           std::map<std::string, uint32_t> &nodes) {
  std::vector<std::string> names;
  const auto at = topology.find(field);
  const std::string path = std::string("topology/") + field;
  if (at == topology.end() || !at->is_array() || at->empty())
    return Error{path, "expected a list of names that is not empty"};
  for (const Json &name : *at) {
    if (!name.is_string() || name.get_ref<const std::string &>().empty())
      return wrong(path, name, "a name");
    if (!nodes.emplace(name.get<std::string>(), uint32_t(nodes.size())).second)
      return Error{path, "the name " + name.dump() + " is taken"};
    names.push_back(name.get<std::string>());
  }
  return names;
}

Result<Graph> readLinks(const Json &topology) {
  if (Status status = checkFields(topology, "topology", {"kind", "hosts", "switches", "links"});
      !status)
    return status.error();
  Graph graph;
  std::map<std::string, uint32_t> nodes;
  for (auto [field, to] : {std::pair("hosts", &graph.hosts), {"switches", &graph.switches}}) {
    Result<std::vector<std::string>> names = readNames(topology, field, nodes);
    if (!names)
      return names.error();
    *to = std::move(*names);
  }
  const auto at = topology.find("links");
  if (at == topology.end() || !at->is_array())
    return Error{"topology/links", "expected a list of pairs of names"};
  for (size_t l = 0; l < at->size(); ++l) {
    const Json &link = (*at)[l];
    const std::string path = "topology/links/" + std::to_string(l);
    if (!link.is_array() || link.size() != 2 || !link[0].is_string() || !link[1].is_string())
      return wrong(path, link, "two names, as in [\"host0\", \"leaf0\"]");
    uint32_t ends[2];
    for (int end : {0, 1}) {
      const auto node = nodes.find(link[end].get<std::string>());
      if (node == nodes.end())
        return Error{path, "there is no host or switch " + link[end].dump() +
                               "; list it in topology/hosts or topology/switches"};
      ends[end] = node->second;
    }
    if (ends[0] == ends[1] || (graph.isHost(ends[0]) && graph.isHost(ends[1])))
      return wrong(path, link, "a host and a switch, or two switches");
    graph.links.emplace_back(ends[0], ends[1]);
  }
  return graph;
}

} // namespace

Result<Graph> readTopology(const Json &file) {
  const auto topology = file.find("topology");
  if (topology == file.end() || !topology->is_object())
    return Error{"topology", "is missing; expected an object with a kind"};
  const std::vector<std::string> kinds = {"star", "spine-leaf", "fat-tree", "torus", "mesh",
                                          "ring", "hypercube",  "tree",     "links"};
  const auto at = topology->find("kind");
  const std::string kind = at != topology->end() && at->is_string() ? at->get<std::string>() : "";
  const Result<bool> engines = isOfEngines(*topology, kind);
  if (!engines)
    return engines.error();
  if (*engines)
    return readDirect(*topology, *formOf(kind));
  if (kind == "torus" || kind == "mesh")
    return readGrid(*topology, kind == "torus");
  if (kind == "spine-leaf")
    return readSpineLeaf(*topology);
  if (kind == "fat-tree")
    return readFatTree(*topology);
  if (kind == "links")
    return readLinks(*topology);
  if (kind == "star") {
    if (Status status = checkFields(*topology, "topology", {"kind", "hosts"}); !status)
      return status.error();
    const Result<uint32_t> hosts = count(*topology, "hosts", 1, MostHosts);
    return hosts ? Result<Graph>(makeStar(*hosts)) : Result<Graph>(hosts.error());
  }
  return Error{"topology/kind", "found '" + kind +
                                    "'; expected star, spine-leaf, fat-tree, torus, mesh or "
                                    "links, or of engines ring, torus, hypercube or tree" +
                                    didYouMean(kind, kinds)};
}

} // namespace acis::cluster

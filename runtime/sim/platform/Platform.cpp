// Reads a platform file. Its words and units are in docs/simulation.md.
#include "runtime/sim/platform/Platform.h"

#include "runtime/sim/platform/Fields.h"
#include "runtime/sim/platform/Routing.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <sstream>

namespace acis::cluster {
namespace {

/// Where a number of the file goes, and in which unit it is written.
struct Quantity {
  const char *name;
  double *to;
  double unit;
  bool mayBeZero = true;
};

Status readQuantities(const Json &file, const char *section,
                      const std::vector<Quantity> &quantities) {
  const auto found = file.find(section);
  if (found == file.end())
    return {};
  std::vector<std::string> names;
  for (const Quantity &quantity : quantities)
    names.emplace_back(quantity.name);
  if (Status status = checkFields(*found, section, names); !status)
    return status;
  for (const Quantity &quantity : quantities) {
    const auto at = found->find(quantity.name);
    if (at == found->end())
      continue;
    const std::string path = std::string(section) + "/" + quantity.name;
    const double value = at->is_number() ? at->get<double>() : NAN;
    if (!(value >= 0 && value <= 1e12) || (value == 0 && !quantity.mayBeZero))
      return wrong(path, *at, quantity.mayBeZero ? "a number from 0 on" : "a number above 0");
    *quantity.to = value * quantity.unit;
  }
  return {};
}

Status readCosts(const Json &file, Platform &out) {
  double framing = out.link.framingBytes, phit = out.device.phitBytes * 8.0,
         clock = 1 / out.device.cycle, eager = out.message.eager, nodes = out.memory.count,
         megabytes = double(out.memory.bytes >> 20);
  for (const Status &status :
       {readQuantities(file, "links",
                       {{"latencyNs", &out.link.latency, 1e-9},
                        {"bandwidthGbps", &out.link.bandwidth, 1e9 / 8, false},
                        {"framingBytes", &framing, 1}}),
        readQuantities(file, "host",
                       {{"overheadUs", &out.host.overhead, 1e-6},
                        {"pcieLatencyUs", &out.host.pcieLatency, 1e-6},
                        {"speedGflops", &out.host.flops, 1e9, false},
                        {"busGbps", &out.host.bus, 1e9 / 8},
                        {"copyGBps", &out.host.copy, 1e9},
                        {"reduceGBps", &out.host.reduce, 1e9}}),
        readQuantities(file, "switch",
                       {{"clockMHz", &clock, 1e6, false},
                        {"phitBits", &phit, 1, false},
                        {"portToPortNs", &out.device.portToPort, 1e-9},
                        {"packetNs", &out.device.packetTime, 1e-9}}),
        readQuantities(file, "message",
                       {{"sendUs", &out.message.send, 1e-6},
                        {"receiveUs", &out.message.receive, 1e-6},
                        {"bufferGBps", &out.message.buffer, 1e9},
                        {"eagerBytes", &eager, 1}}),
        readQuantities(file, "memory",
                       {{"nodes", &nodes, 1}, {"megabytes", &megabytes, 1, false}})})
    if (!status)
      return status;
  if (phit < 8 || phit > 65'536 || std::fmod(phit, 8) != 0)
    return wrong("switch/phitBits", phit, "a multiple of 8 from 8 to 65536");
  if (framing > 1000 || framing != std::floor(framing))
    return wrong("links/framingBytes", framing, "a whole number up to 1000");
  if (eager > 1e9 || eager != std::floor(eager))
    return wrong("message/eagerBytes", eager, "a whole number up to 1e9");
  if (nodes > 1024 || nodes != std::floor(nodes))
    return wrong("memory/nodes", nodes, "a whole number up to 1024");
  if (megabytes > 1024 || megabytes != std::floor(megabytes))
    return wrong("memory/megabytes", megabytes, "a whole number up to 1024");
  out.memory = {uint32_t(nodes), uint64_t(megabytes) << 20};
  out.message.eager = uint32_t(eager);
  out.link.framingBytes = uint32_t(framing);
  out.device.phitBytes = uint32_t(phit / 8);
  out.device.cycle = 1 / clock;
  return {};
}

/// The hardware of engines, which only a direct network has.
Status readEngine(const Json &file, Platform &out) {
  const auto at = file.find("engine");
  if (at != file.end()) {
    if (!out.graph.fabric)
      return Error{"engine",
                   "the topology has no engines; say \"role\": \"engine\" in topology, or "
                   "leave this out"};
    Result<EngineDescription> read = EngineDescription::read(*at, "engine");
    if (!read)
      return read.error();
    out.engine = std::move(*read);
  }
  if (!out.graph.fabric)
    return {};
  size_t most = 0;
  for (uint32_t engine = 0; engine < out.graph.fabric->engines(); ++engine)
    most = std::max(most, out.graph.fabric->neighbours(engine).size());
  if (most > out.engine.ports)
    return Error{"engine/ports", "found " + std::to_string(out.engine.ports) + "; in a " +
                                     out.graph.fabric->str() + " an engine has up to " +
                                     std::to_string(most) +
                                     " neighbours: give as many, or another "
                                     "topology"};
  return {};
}

/// What the given links may lack.
Status checkLinks(const Graph &graph) {
  const Routing routing(graph);
  for (uint32_t host = 0; host < graph.hosts.size(); ++host) {
    const size_t links = routing.neighbours(host).size();
    if (links == 0)
      return Error{"topology/hosts", "host '" + graph.hosts[host] + "' has no link; add [\"" +
                                         graph.hosts[host] + "\", \"<switch>\"] to topology/links"};
    if (links > 1)
      return Error{"topology/links", "host '" + graph.hosts[host] + "' has " +
                                         std::to_string(links) + " links; one is allowed"};
    if (routing.distance(host, 0) == Routing::Unreachable)
      return Error{"topology/links", "host '" + graph.hosts[host] + "' does not reach host '" +
                                         graph.hosts[0] + "'; link their switches"};
  }
  return {};
}

} // namespace

Result<Platform> Platform::read(std::string_view json) {
  Json file;
  try {
    file = Json::parse(json);
  } catch (const Json::exception &error) {
    const std::string text = error.what(); // "[json.exception.parse_error.101] parse error at ..."
    return Error{"", "is no JSON: " + text.substr(std::min(text.size(), text.find("] ") + 2))};
  }
  if (Status status = checkFields(file, "",
                                  {"name", "comment", "topology", "links", "host", "switch",
                                   "message", "memory", "engine"});
      !status)
    return status.error();
  Platform out;
  if (const auto at = file.find("name"); at != file.end()) {
    if (!at->is_string())
      return wrong("name", *at, "a text");
    out.name = at->get<std::string>();
  }
  Result<Graph> graph = readTopology(file);
  if (!graph)
    return graph.error();
  out.graph = std::move(*graph);
  if (Status status = checkLinks(out.graph); !status)
    return status.error();
  if (Status status = readCosts(file, out); !status)
    return status.error();
  if (Status status = readEngine(file, out); !status)
    return status.error();
  return out;
}

uint64_t Platform::engineBuffer() const {
  const uint32_t engines = graph.fabric ? graph.fabric->engines() : 1;
  return engine.buffer(uint32_t(std::bit_width(engines - 1)), link.latency * 1e9);
}

Status Platform::holds(uint32_t ranks) const {
  const size_t hosts = graph.hosts.size();
  if (size_t(ranks) + memory.count <= hosts)
    return {};
  const std::string nodes =
      memory.count ? " and " + std::to_string(memory.count) + " memory nodes" : "";
  return Error{"topology", std::to_string(ranks) + " ranks" + nodes + ", but " +
                               std::to_string(hosts) + " hosts; a host has one" +
                               (memory.count ? "" : " rank") + ": start fewer, or give more hosts"};
}

Result<Platform> Platform::readFile(const std::string &path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()))
    return Error{path, "cannot be read; give a platform file (docs/simulation.md)"};
  Result<Platform> platform = read(text.str());
  if (!platform)
    return Error{platform.error().where.empty() ? path : path + ": " + platform.error().where,
                 platform.error().what};
  return platform;
}

} // namespace acis::cluster

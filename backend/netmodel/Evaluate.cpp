#include "backend/netmodel/Evaluate.h"

#include "backend/netmodel/Buffers.h"
#include "backend/netmodel/GemmTile.h"
#include "backend/netmodel/Logcn.h"
#include "backend/support/Nearest.h"

#include <cmath>
#include <optional>

namespace acis::netmodel {
namespace {

using nlohmann::json;

/// A parameter and where it is in its model's structure.
template <typename Model> struct Field {
  const char *name;
  double Model::*member;
  const char *source;
  double least = 0; ///< smallest value that makes sense
};

/// What is divided by.
constexpr double Smallest = 1e-9;
constexpr double DefaultRadix = 28;

constexpr Field<Loggp> LoggpFields[] = {
    {"send_overhead_us", &Loggp::sendOverhead, "half of o, table 5.2"},
    {"receive_overhead_us", &Loggp::receiveOverhead, "half of o, table 5.2"},
    {"latency_us", &Loggp::latency, "PCIe twice, a link and a switch, table 5.2"},
    {"gap_us", &Loggp::gap, "of hosts; switches have none, section 3.5"},
    {"gap_per_byte_us", &Loggp::gapPerByte, "95.9 Gb/s, table 3.2"},
};
constexpr Field<Logcn> LogcnFields[] = {
    {"overhead_us", &Logcn::overhead, "o, table 5.2"},
    {"pcie_us", &Logcn::pcie, "table 5.2"},
    {"link_us", &Logcn::link, "FPGA to FPGA, table 5.2"},
    {"port_us", &Logcn::port, "port to port, table 5.2"},
    {"bandwidth_bytes_per_us", &Logcn::bandwidth, "95.9 Gb/s, table 5.2", Smallest},
    {"unit_latency_us", &Logcn::unitLatency, "alpha; assumed"},
    {"gather_attenuation", &Logcn::gatherAttenuation, "beta of gather-type collectives; assumed",
     Smallest},
    {"pcie_bandwidth_bytes_per_us", &Logcn::pcieBandwidth, "PCIe 3.0 x16, of inbound arrays",
     Smallest},
};
constexpr Field<Buffer> BufferFields[] = {
    {"margin_phits", &Buffer::margin, "m, flow control; example"},
    {"slack", &Buffer::slack, "q; example"},
    {"link_latency_ns", &Buffer::linkLatency, "L, table 3.2"},
    {"clock_period_ns", &Buffer::clockPeriod, "T_clk, 250 MHz", Smallest},
    {"phit_bytes", &Buffer::phitBytes, "Ph, 256 bits"},
};

constexpr Field<GemmMachine> GemmFields[] = {
    {"array_rows", &GemmMachine::arrayRows, "Sm, systolic array; assumed", 1},
    {"array_columns", &GemmMachine::arrayColumns, "Sn; assumed", 1},
    {"clock_period_ns", &GemmMachine::clockPeriod, "T_clk, 250 MHz, section 4.6.1", Smallest},
    {"bandwidth_bytes_per_us", &GemmMachine::bandwidth, "95.9 Gb/s, table 3.2", Smallest},
    {"link_us", &GemmMachine::link, "L, FPGA to FPGA, table 3.2", Smallest},
    {"element_bytes", &GemmMachine::elementBytes, "SZ: 4 float, 8 double and complex float", 1},
    {"grid_rows", &GemmMachine::gridRows, "Pm, 16 nodes of table 4.1", 1},
    {"grid_columns", &GemmMachine::gridColumns, "Pn, the same", 1},
};
constexpr Field<GemmTile> TileFields[] = {
    {"tm", &GemmTile::tm, "rows of A and C in a tile, section 4.6.1", 1},
    {"tn", &GemmTile::tn, "columns of B and C, the same", 1},
};
constexpr Field<GemmLimits> LimitFields[] = {
    {"ratio", &GemmLimits::ratio, "R to begin with, above 1 for full overlap", Smallest},
    {"ratio_step", &GemmLimits::ratioStep, "by which R is lowered; assumed", 1e-4},
    {"inner", &GemmLimits::inner, "K of a node, square matrices of section 4.6.1", 1},
    {"tk_step", &GemmLimits::step, "Tk is a multiple of it; assumed", 1},
};

template <typename Model, size_t N>
std::vector<Parameter> parametersOf(const Field<Model> (&fields)[N]) {
  std::vector<Parameter> parameters;
  for (const Field<Model> &field : fields)
    parameters.push_back({field.name, field.source, Model().*field.member});
  return parameters;
}

constexpr double MostRanks = 1u << 30, MostBytes = 1e15, MostOther = 1e9;
const std::vector<double> SomeRanks = {2, 4, 8, 16, 32, 64, 128};

/// Takes what a request says; the first thing that is wrong is kept.
class Reader {
public:
  explicit Reader(const json &request) : request(request) {}
  const std::optional<Error> &error() const { return failure; }

  /// A number in [least, most].
  double number(const std::string &name, double byDefault, double least, double most) {
    const auto found = request.find(name);
    return found == request.end() ? byDefault : checked(name, *found, least, most);
  }
  /// One number or an array of them.
  std::vector<double> list(const std::string &name, std::vector<double> byDefault, double least,
                           double most) {
    const auto found = request.find(name);
    if (found == request.end())
      return byDefault;
    std::vector<double> values;
    for (const json &value : found->is_array() ? *found : json::array({*found}))
      values.push_back(checked(name, value, least, most));
    if (values.empty())
      refuse(name, *found, "at least one number");
    return values;
  }
  /// The defaults with what the request says of its fields.
  template <typename Model, size_t N> Model model(const Field<Model> (&fields)[N]) {
    Model model;
    for (const Field<Model> &field : fields)
      model.*field.member = number(field.name, model.*field.member, field.least, MostOther);
    return model;
  }
  std::string word(const std::string &name, const std::vector<std::string> &allowed) {
    const json found = request.value(name, json(allowed.front()));
    for (const std::string &one : allowed)
      if (found == one)
        return one;
    refuse(name, found, json(allowed).dump());
    return allowed.front();
  }
  bool flag(const std::string &name) {
    const json found = request.value(name, json(false));
    if (!found.is_boolean())
      refuse(name, found, "true or false");
    return found == true;
  }

private:
  double checked(const std::string &name, const json &value, double least, double most) {
    if (value.is_number() && value.get<double>() >= least && value.get<double>() <= most)
      return value.get<double>();
    refuse(name, value, "a number from " + json(least).dump() + " to " + json(most).dump());
    return least;
  }
  void refuse(const std::string &name, const json &found, const std::string &allowed) {
    if (!failure)
      failure = Error{name, "found " + found.dump() + ", allowed is " + allowed};
  }

  const json &request;
  std::optional<Error> failure;
};

Result<json> loggp(const json &request) {
  Reader reader(request);
  const auto model = reader.model(LoggpFields);
  const auto ranks = reader.list("ranks", SomeRanks, 2, MostRanks);
  const auto bytes = reader.list("bytes", {8}, 0, MostBytes);
  if (reader.error())
    return *reader.error();
  json rows = json::array();
  for (double size : bytes)
    for (double count : ranks) {
      const auto p = unsigned(count);
      const double hosts = model.amongHosts(p, size), inSwitch = model.inSwitch(size);
      rows.push_back({{"bytes", size},
                      {"ranks", p},
                      {"hosts_last_us", model.lastAmongHosts(p, size)},
                      {"hosts_root_us", model.rootAmongHosts(p, size)},
                      {"switch_last_us", model.lastInSwitch(size)},
                      {"switch_root_us", model.rootInSwitch(size)},
                      {"hosts_us", hosts},
                      {"switch_us", inSwitch},
                      {"speedup", inSwitch > 0 ? json(hosts / inSwitch) : json()}});
    }
  return rows;
}

json fusedRow(const Logcn &model, const FusedCall &call, const Way &way, unsigned ranks,
              double collectives) {
  const LogcnTime time = fusedTime(model, call, way);
  const double hosts = collectives * model.hosts().amongHosts(ranks, call.bytes);
  return {{"bytes", call.bytes},
          {"interval", call.interval},
          {"inbound_bytes", call.inboundBytes},
          {"ranks", ranks},
          {"overhead_us", time.overhead},
          {"latency_us", time.latency},
          {"transfer_us", time.transfer},
          {"compute_us", time.compute},
          {"inbound_us", time.inbound},
          {"fused_us", time.total()},
          {"hosts_us", hosts},
          {"speedup", time.total() > 0 ? json(hosts / time.total()) : json()}};
}

Result<json> logcn(const json &request) {
  Reader reader(request);
  const auto model = reader.model(LogcnFields);
  const auto ranks = reader.list("ranks", SomeRanks, 2, MostRanks);
  const auto bytes = reader.list("bytes", {8}, 0, MostBytes);
  const auto intervals = reader.list("interval", {1}, 1, MostOther);
  const auto inbound = reader.list("inbound_bytes", {0}, 0, MostBytes);
  const double collectives = reader.number("collectives", 2, 1, 2);
  const bool isTree = reader.word("network", {"torus3d", "tree"}) == "tree";
  const auto radix = unsigned(reader.number("radix", DefaultRadix, 3, 65536));
  const double hops = reader.number("hops", -1, 0, MostOther);
  const double switches = reader.number("switches", -1, 0, MostOther);
  const bool isGather = reader.flag("gather");
  if (reader.error())
    return *reader.error();
  json rows = json::array();
  for (double arrays : inbound)
    for (double interval : intervals)
      for (double size : bytes)
        for (double count : ranks) {
          Way way = isTree ? tree(unsigned(count), radix) : torus3d(unsigned(count));
          way.hops = hops >= 0 ? hops : way.hops;
          way.switches = switches >= 0 ? switches : way.switches;
          rows.push_back(fusedRow(model, {size, interval, arrays, isGather}, way, unsigned(count),
                                  collectives));
        }
  return rows;
}

Result<json> buffers(const json &request) {
  Reader reader(request);
  auto model = reader.model(BufferFields);
  const auto depths = reader.list("depth", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 0, 64);
  if (reader.error())
    return *reader.error();
  json rows = json::array();
  for (double depth : depths) {
    model.depth = depth;
    rows.push_back({{"depth", depth}, {"bytes", model.bytes()}});
  }
  return rows;
}

json tileRow(const GemmTile &tile, const GemmMachine &machine) {
  return {{"tm", tile.tm},
          {"tn", tile.tn},
          {"tk", tile.tk},
          {"compute_us", tile.compute(machine)},
          {"communicate_us", tile.communicate(machine)},
          {"ratio", tile.ratio(machine)},
          {"buffer_bytes", tile.bufferBytes(machine)},
          {"register_bytes", tile.registerBytes(machine)}};
}

Result<json> gemm(const json &request) {
  Reader reader(request);
  const auto machine = reader.model(GemmFields);
  auto tile = reader.model(TileFields);
  const auto depths = reader.list("tk", {8, 16, 32, 64, 128, 256}, 1, MostOther);
  if (reader.error())
    return *reader.error();
  json rows = json::array();
  for (double depth : depths) {
    tile.tk = depth;
    rows.push_back(tileRow(tile, machine));
  }
  return rows;
}

Result<json> gemmTuner(const json &request) {
  Reader reader(request);
  const auto machine = reader.model(GemmFields);
  auto limits = reader.model(LimitFields);
  const auto buffers = reader.list("buffer_limit_bytes", {32768, 65536, 131072, 262144}, 1, 1e12);
  if (reader.error())
    return *reader.error();
  json rows = json::array();
  for (double bytes : buffers) {
    limits.bufferBytes = bytes;
    const std::optional<GemmTile> tile = tune(machine, limits);
    json row = tile ? tileRow(*tile, machine) : json::object();
    row["buffer_limit_bytes"] = bytes;
    for (const char *name : {"tm", "tn", "tk", "compute_us", "communicate_us", "ratio",
                             "buffer_bytes", "register_bytes"})
      row.emplace(name, nullptr); // no tile fits
    rows.push_back(row);
  }
  return rows;
}

template <typename... More>
std::vector<Parameter> together(std::vector<Parameter> all, const More &...more) {
  (all.insert(all.end(), more.begin(), more.end()), ...);
  return all;
}

std::vector<ModelInfo> describe() {
  std::vector<Parameter> fused = parametersOf(LogcnFields);
  fused.push_back(
      {"radix", "ports of a switch of network tree; largest of section 3.6", DefaultRadix});
  fused.push_back({"hops", "links on the longest way; from the network if it is left out", NAN});
  fused.push_back({"switches", "N; from the network if it is left out", NAN});
  fused.push_back({"collectives", "that one fused call replaces: 1 or 2", 2});
  return {
      {"loggp",
       "a broadcast among hosts and in switches, equations 3.2 to 3.5",
       parametersOf(LoggpFields),
       {"bytes", "ranks"},
       {"bytes", "ranks", "hosts_last_us", "hosts_root_us", "switch_last_us", "switch_root_us",
        "hosts_us", "switch_us", "speedup"}},
      {"logcn",
       "a fused collective in switches, equations 5.1 to 5.3",
       fused,
       {"bytes", "interval", "inbound_bytes", "ranks"},
       {"bytes", "interval", "inbound_bytes", "ranks", "overhead_us", "latency_us", "transfer_us",
        "compute_us", "inbound_us", "fused_us", "hosts_us", "speedup"}},
      {"buffers",
       "the smallest input buffer of a switch by the depth of the tree, equation 3.1",
       parametersOf(BufferFields),
       {"depth"},
       {"depth", "bytes"}},
      {"gemm",
       "computing and sending of a tile of a distributed matrix product, equations 4.2 to 4.5",
       together(parametersOf(GemmFields), parametersOf(TileFields)),
       {"tk"},
       {"tm", "tn", "tk", "compute_us", "communicate_us", "ratio", "buffer_bytes",
        "register_bytes"}},
      {"gemm-tuner",
       "tiles that hide the messages within a buffer, figure 4-9; rows without one have no tile",
       together(parametersOf(GemmFields), parametersOf(LimitFields)),
       {"buffer_limit_bytes"},
       {"buffer_limit_bytes", "tm", "tn", "tk", "compute_us", "communicate_us", "ratio",
        "buffer_bytes", "register_bytes"}},
  };
}

/// A name that the model does not have.
Status known(const ModelInfo &model, const json &request) {
  std::vector<std::string> names = model.lists;
  for (const Parameter &parameter : model.parameters)
    names.push_back(parameter.name);
  if (model.name == "logcn")
    names.insert(names.end(), {"network", "gather"});
  for (const auto &[name, value] : request.items())
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      const std::string nearest = didYouMean(name, names);
      return Error{name,
                   "is no parameter of " + model.name +
                       (nearest.empty() ? "; its parameters are " + json(names).dump() : nearest)};
    }
  return {};
}

} // namespace

const std::vector<ModelInfo> &models() {
  static const std::vector<ModelInfo> all = describe();
  return all;
}

const ModelInfo *findModel(const std::string &name) {
  for (const ModelInfo &model : models())
    if (model.name == name)
      return &model;
  return nullptr;
}

Result<json> evaluate(const ModelInfo &model, const json &request) {
  if (!request.is_object())
    return Error{"", "found " + request.dump() + ", allowed is an object of parameters"};
  if (Status status = known(model, request); !status)
    return status.error();
  if (model.name == "loggp")
    return loggp(request);
  if (model.name == "gemm")
    return gemm(request);
  if (model.name == "gemm-tuner")
    return gemmTuner(request);
  return model.name == "logcn" ? logcn(request) : buffers(request);
}

} // namespace acis::netmodel

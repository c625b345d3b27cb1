// The report as JSON. Additions are made at the end of objects; names stay.
#include "compiler/driver/Report.h"

#include "llvm/Support/JSON.h"

namespace acis::driver {
namespace {

llvm::json::Object toJson(const WireReport &wire) {
  static constexpr const char *places[] = {"bus", "link", "register"};
  llvm::json::Array route;
  for (const StepReport &step : wire.route)
    route.push_back(llvm::json::Object{{"pe", step.pe},
                                       {"time", step.time},
                                       {"place", places[std::min(step.place, 2u)]},
                                       {"index", step.index}});
  return llvm::json::Object{{"from", wire.from},
                            {"operand", wire.operand},
                            {"distance", wire.distance},
                            {"delay", wire.delay},
                            {"route", std::move(route)}};
}

llvm::json::Object toJson(const NodeReport &node, unsigned ii) {
  llvm::json::Array wires;
  for (const WireReport &wire : node.wires)
    wires.push_back(toJson(wire));
  return llvm::json::Object{{"name", node.name},
                            {"file", node.file},
                            {"line", node.line},
                            {"column", node.column},
                            {"pe", node.pe},
                            {"slot", node.time % std::max(ii, 1u)},
                            {"stage", node.time / std::max(ii, 1u)},
                            {"wires", std::move(wires)}};
}

llvm::json::Object toJson(const NestReport &nest) {
  llvm::json::Object object{
      {"handler", nest.handler},
      {"nest", nest.name},
      {"file", nest.file},
      {"line", nest.line},
      {"kind", nest.isVectorLoad ? "vector-load" : "context"},
      {"vf", nest.vf},
      {"laneBits", nest.laneBits},
      {"initial", llvm::json::Object{{"nodes", nest.initial.nodes}, {"edges", nest.initial.edges}}},
      {"optimised",
       llvm::json::Object{{"nodes", nest.optimised.nodes}, {"edges", nest.optimised.edges}}}};
  if (nest.isVectorLoad)
    return object;
  object["ii"] = nest.ii;
  object["resMii"] = nest.resMii;
  object["resReason"] = nest.resReason;
  object["recMii"] = nest.recMii;
  object["recReason"] = nest.recReason;
  object["lowerBound"] = nest.lowerBound;
  object["boundReason"] = nest.boundReason;
  if (nest.isOptimal())
    object["optimum"] = nest.ii;
  object["stages"] = nest.stages;
  object["mapMilliseconds"] = nest.mapMilliseconds;
  if (nest.trip)
    object["trip"] = *nest.trip;
  llvm::json::Array nodes;
  for (const NodeReport &node : nest.nodes)
    nodes.push_back(toJson(node, nest.ii));
  object["nodes"] = std::move(nodes);
  object["nodesByPe"] = llvm::json::Array(nest.nodesByPe);
  object["inBytes"] = nest.inBytes;
  object["outBytes"] = nest.outBytes;
  llvm::json::Array whatIf;
  for (const WhatIfReport &change : nest.whatIf)
    whatIf.push_back(llvm::json::Object{{"change", change.change}, {"ii", change.ii}});
  object["whatIf"] = std::move(whatIf);
  return object;
}

llvm::json::Object toJson(const Overlay &machine) {
  llvm::json::Array links, pes;
  for (const Link &link : machine.links)
    links.push_back(
        llvm::json::Object{{"from", link.from}, {"to", link.to}, {"inPort", link.inPort}});
  for (const PeKind &pe : machine.pes)
    pes.push_back(llvm::json::Object{
        {"units", llvm::json::Array(pe.units)}, {"memory", pe.memory}, {"registerFile", pe.vrf}});
  return llvm::json::Object{{"rows", machine.rows},
                            {"cols", machine.cols},
                            {"clockMhz", machine.clockMhz},
                            {"beatBytes", machine.beatBytes()},
                            {"headerBytes", machine.headerBytes},
                            {"links", std::move(links)},
                            {"pes", std::move(pes)}};
}

} // namespace

llvm::json::Value Report::json() const {
  llvm::json::Array phases, loops, rates;
  for (const HandlerCertificate &handler : certificates)
    rates.push_back(certificateJson(handler));
  for (const PhaseTime &time : times)
    phases.push_back(
        llvm::json::Object{{"name", phaseName(time.phase)}, {"milliseconds", time.milliseconds}});
  for (const NestReport &nest : nests)
    loops.push_back(toJson(nest));
  llvm::json::Array scalar;
  for (const ScalarLoopReport &loop : scalarLoops)
    scalar.push_back(llvm::json::Object{{"file", loop.file},
                                        {"line", loop.line},
                                        {"column", loop.column},
                                        {"launches", loop.launches},
                                        {"why", loop.why},
                                        {"refusal", loop.refusal}});
  llvm::json::Array entries;
  for (const HandlerReport &handler : handlers)
    entries.push_back(
        llvm::json::Object{{"name", handler.name}, {"in", handler.in}, {"out", handler.out}});
  return llvm::json::Object{{"input", input},
                            {"overlay", overlay},
                            {"binaryBytes", uint64_t(binaryBytes)},
                            {"phases", std::move(phases)},
                            {"totalMilliseconds", totalMilliseconds(times)},
                            {"loops", std::move(loops)},
                            {"certificates", std::move(rates)},
                            {"machine", toJson(machine)},
                            {"scalarLoops", std::move(scalar)},
                            {"handlers", std::move(entries)}};
}

} // namespace acis::driver

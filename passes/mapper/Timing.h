// What bounds, search and check of the input need to know of a node: can a PE run
// it, and when is its value ready. verify() has its own copy on purpose.
#pragma once

#include "passes/mapper/Problem.h"
#include "passes/mrrg/Mrrg.h"

#include <string>

namespace acis::map {

inline bool hasValue(NodeKind kind) {
  return kind == NodeKind::Compute || kind == NodeKind::VrfRead || kind == NodeKind::StreamIn ||
         kind == NodeKind::MemRead;
}

/// Cycles from the node's time to its value on the bus.
inline unsigned latencyOf(const Node &node, const Overlay &overlay) {
  return node.kind == NodeKind::Compute ? overlay.latencyOf(node.unit)
         : hasValue(node.kind)          ? overlay.inputLatency
                                        : 0;
}

/// Cycles before the node's time in which it takes the operand: an index may have to be there
/// earlier than the access that it is for.
inline unsigned leadOf(const Node &node, unsigned operand, const Overlay &overlay) {
  const bool isIndex = (node.kind == NodeKind::VrfRead && operand == 0) ||
                       (node.kind == NodeKind::VrfWrite && operand == 1);
  return isIndex ? overlay.indexLatency : 0;
}

/// Least cycles from the time of the edge's producer to that of its consumer, on one PE.
inline unsigned cyclesOf(const Problem &problem, const Edge &edge, const Overlay &overlay) {
  if (edge.order)
    return edge.latency;
  return latencyOf(problem.nodes[edge.from], overlay) +
         leadOf(problem.nodes[edge.to], edge.operand, overlay);
}

/// Slots for which a unit that lanes share is busy with the node; 1: no such unit.
inline unsigned busyOf(const PeKind &kind, const Node &node) {
  return node.kind == NodeKind::Compute ? kind.everyOf(node.unit) : 1;
}

/// Whether PE `kind` has the equipment for the node.
inline bool canRun(const PeKind &kind, const Node &node) {
  if (kind.lacks(node.extras))
    return false;
  switch (node.kind) {
  case NodeKind::Compute:
    return kind.units[unsigned(node.unit)];
  case NodeKind::VrfRead:
  case NodeKind::VrfWrite:
    return kind.vrf;
  case NodeKind::MemRead:
  case NodeKind::MemWrite:
    return kind.memory;
  case NodeKind::StreamIn:
  case NodeKind::StreamOut:
    return true;
  }
  return false;
}

/// Whether it also has the time, at this interval.
inline bool canRunEvery(const PeKind &kind, const Node &node, unsigned ii) {
  return canRun(kind, node) && busyOf(kind, node) <= ii;
}

/// The operand input of its PE that an edge to the node ends in; `port` of a VrfRead.
inline Input inputOf(const Node &node, unsigned operand, unsigned port) {
  switch (node.kind) {
  case NodeKind::Compute:
    return Input(unsigned(Input::A) + operand);
  case NodeKind::VrfRead:
    return Input(unsigned(Input::ReadIndex0) + port);
  case NodeKind::VrfWrite:
    return Input(unsigned(Input::WriteData) + operand);
  case NodeKind::MemWrite:
    return Input(unsigned(Input::MemData) + operand);
  default:
    return Input(unsigned(Input::StreamData) + operand);
  }
}

/// "'name'" or "node 7".
std::string nameOf(const Problem &problem, unsigned node);
/// "float unit", "float unit with fused multiply-add", "port to off-chip memory", ...
std::string equipmentOf(const Node &node);

} // namespace acis::map

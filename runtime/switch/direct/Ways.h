// How the engines of a group do one message of a collective: as an algorithms::Schedule, of which
// each engine does its own steps (000 3.3, 003). Pure.
//
// Engines are numbered by place, in the order of their members. Before a schedule begins an engine
// has joined what its own members give; after it, it has what they get, or can make it.
//
//   shape             by                                      ranges are of
//   folds             tree, doubling, halving, ring, torus    elements
//   source            tree                                    elements
//   scatter, gathers  tree, doubling                          engines: the blocks of their members
//
// Order of folds, which with that of the members of each engine (as at any switch) is all that the
// bits of a floating-point result depend on: doubling and trees join neighbouring places, then
// pairs of those, lower ones left; halving, rings and tori as runtime/host/algorithms/Schedule.h
// says, each direction of a torus like a ring; a tree that is the network itself joins an engine,
// then its children in order, but for operators of users, which may not commute: these go by a
// binomial tree, too. A block is folded in one place or by the same tree everywhere, so
// all members have the same bits.
#pragma once

#include "runtime/host/algorithms/Schedule.h"
#include "runtime/switch/direct/Fabric.h"
#include "runtime/switch/wire/Header.h"

namespace acis::direct {

/// A group of engines as one of them sees it.
struct Party {
  uint32_t size = 1, place = 0;
  uint32_t members = 1; ///< of all engines
  bool isWhole = false; ///< all of `fabric`, in order: rings and tori go along its links
  const Fabric *fabric = nullptr;
};

/// The way that is taken for a message that asks for one: the same on all engines. What a message
/// cannot be done by is done as if it had not asked.
Way fitting(const wire::Header &message, const Party &party);

struct Course {
  algorithms::Schedule schedule;
  bool isByEngines = false; ///< ranges count engines, not elements
};

/// `way`: of fitting(). `root`: the place of the root's engine.
Course courseOf(const wire::Header &message, Way way, const Party &party, uint32_t root);

} // namespace acis::direct

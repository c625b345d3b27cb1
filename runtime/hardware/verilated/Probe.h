// The state of a cycle from the signals of acis_probe.sv.
#pragma once

#include "runtime/engine/device/Stepped.h"

namespace acis::rtl {

/// Before the clock edge: what the register files are going to take.
template <typename Root>
void recordWrites(const Root &root, unsigned pes, unsigned lanes, CycleState &state) {
  state.writes.clear();
  for (uint32_t pe = 0; pe < pes; ++pe)
    for (uint32_t bank = 0; bank < lanes; ++bank) {
      const uint32_t at = pe * lanes + bank;
      if (root.acis_core__DOT__i_probe__DOT__load_on[at])
        state.writes.push_back({pe, root.acis_core__DOT__i_probe__DOT__load_beat[pe], bank,
                                root.acis_core__DOT__i_probe__DOT__load_data[at]});
      if (root.acis_core__DOT__i_probe__DOT__write_on[at])
        state.writes.push_back({pe, root.acis_core__DOT__i_probe__DOT__write_beat[at], bank,
                                root.acis_core__DOT__i_probe__DOT__write_data[at]});
    }
}

/// After it.
template <typename Root> void recordState(const Root &root, CycleState &state) {
  state.set(CycleState::Running, root.acis_core__DOT__i_probe__DOT__running);
  state.set(CycleState::Pc, root.acis_core__DOT__i_probe__DOT__pc);
  state.set(CycleState::Queue, root.acis_core__DOT__i_probe__DOT__waiting);
  state.set(CycleState::Loops, root.acis_core__DOT__i_probe__DOT__loops);
  state.set(CycleState::Transfers, root.acis_core__DOT__i_probe__DOT__transfers);
  state.set(CycleState::Fold, root.acis_core__DOT__i_probe__DOT__fold);
  state.set(CycleState::Live, root.acis_core__DOT__i_probe__DOT__live);
  state.set(CycleState::Held, root.acis_core__DOT__i_probe__DOT__held);
  state.set(CycleState::Slot, root.acis_core__DOT__i_probe__DOT__slot);
  state.set(CycleState::Inner, root.acis_core__DOT__i_probe__DOT__inner);
  state.set(CycleState::Outer, root.acis_core__DOT__i_probe__DOT__outer);
  state.set(CycleState::InShifted, root.acis_core__DOT__i_probe__DOT__in_shifted);
  state.set(CycleState::InFifo, root.acis_core__DOT__i_probe__DOT__in_fifo);
  state.set(CycleState::InAligned, root.acis_core__DOT__i_probe__DOT__in_aligned);
  state.set(CycleState::InCommands, root.acis_core__DOT__i_probe__DOT__in_commands);
  state.set(CycleState::OutPartial, root.acis_core__DOT__i_probe__DOT__out_partial);
  state.set(CycleState::OutFifo, root.acis_core__DOT__i_probe__DOT__out_fifo);
  state.set(CycleState::OutCommands, root.acis_core__DOT__i_probe__DOT__out_commands);
  for (unsigned i = 0; i < 32; ++i)
    state.set(CycleState::X0 + i, root.acis_core__DOT__i_probe__DOT__x[i]);
  for (unsigned i = 0; i < 16; ++i)
    state.set(CycleState::Result0 + i, root.acis_core__DOT__i_probe__DOT__results[i]);
}

} // namespace acis::rtl

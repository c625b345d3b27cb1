// See Lockstep.h.
#include "runtime/hardware/lockstep/Lockstep.h"

#include <algorithm>
#include <cstdio>
#include <deque>
#include <unordered_map>

namespace acis {
namespace {

/// The register files of both engines as far as they were written.
class RegisterFiles {
public:
  explicit RegisterFiles(const Overlay &overlay) : words(overlay.lanes), beats(overlay.vrfBeats) {}

  void write(unsigned side, const std::vector<CycleState::Write> &writes) {
    for (const CycleState::Write &write : writes) {
      const uint64_t key = (uint64_t(write.pe) * beats + write.beat) * words + write.word;
      contents[side][key] = write.value;
      touched.push_back(key);
    }
  }

  /// The first word in which they differ, of those written since the last call.
  std::string compare(const char *const *names) {
    std::sort(touched.begin(), touched.end());
    for (const uint64_t key : touched) {
      const uint32_t left = contents[0][key], right = contents[1][key];
      if (left == right)
        continue;
      char text[160];
      std::snprintf(text, sizeof text,
                    "register file of pe %u, beat %u, word %u: %s 0x%08x, %s 0x%08x",
                    unsigned(key / words / beats), unsigned(key / words % beats),
                    unsigned(key % words), names[0], left, names[1], right);
      return text;
    }
    touched.clear();
    return "";
  }

private:
  uint64_t words, beats;
  std::unordered_map<uint64_t, uint32_t> contents[2];
  std::vector<uint64_t> touched;
};

class Comparison {
public:
  Comparison(SteppedDevice &left, SteppedDevice &right, const char *leftName, const char *rightName,
             const Image &image)
      : devices{&left, &right}, names{leftName, rightName}, image(image), files(left.overlay()),
        held(left.overlay().stallLatency, false) {}

  LockstepResult run() {
    for (SteppedDevice *device : devices)
      device->watch();
    const Status started[] = {devices[0]->start(), devices[1]->start()};
    if (bool(started[0]) != bool(started[1]))
      return differ("start: " + error(0, started[0]) + ", " + error(1, started[1]));
    while (started[0]) {
      const bool goes[] = {devices[0]->step(), devices[1]->step()};
      if (goes[0] != goes[1])
        return differ(std::string("the run ends on engine ") + names[goes[0] ? 1 : 0] + " alone" +
                      trapText(goes[0] ? 1 : 0));
      if (!goes[0])
        break;
      if (std::string found = compareCycle(); !found.empty())
        return differ(found);
      executed = uint32_t(devices[0]->state().values[CycleState::Pc]);
      ++result.cycles;
    }
    const Status ended[] = {devices[0]->finish(), devices[1]->finish()};
    if (error(0, ended[0]) != error(1, ended[1], names[0]))
      return differ("end: " + error(0, ended[0]) + ", " + error(1, ended[1]));
    if (std::string found = compareTraps(); !found.empty())
      return differ(found);
    if (std::string found = compareEnd(); !found.empty())
      return differ(found);
    return result;
  }

private:
  std::string error(unsigned side, const Status &status, const char *name = nullptr) const {
    return std::string(name ? name : names[side]) + " '" +
           (status ? "no error" : status.error().str()) + "'";
  }
  std::string trapText(unsigned side) const {
    const Trap *trap = devices[side]->trap();
    return trap ? ": " + trap->what : "";
  }

  static std::string text(const CycleState &state, unsigned value) {
    if (!state.known[value])
      return "-";
    char out[24];
    std::snprintf(out, sizeof out,
                  value == CycleState::Pc || value >= CycleState::X0 ? "0x%llx" : "%llu",
                  static_cast<unsigned long long>(state.values[value]));
    return out;
  }

  std::string compareCycle() {
    const CycleState &l = devices[0]->state(), &r = devices[1]->state();
    for (unsigned v = 0; v < CycleState::NumValues; ++v)
      if (l.known[v] && r.known[v] && l.values[v] != r.values[v])
        return std::string(CycleState::name(v)) + ": " + names[0] + " " + text(l, v) + ", " +
               names[1] + " " + text(r, v);
    if (!l.showsWrites || !r.showsWrites)
      return "";
    files.write(0, l.writes);
    files.write(1, r.writes);
    // While array time stands for an interlock, engines make its early writes in different cycles;
    // and the array does so when the sequencer has done it.
    held.push_back(l.values[CycleState::Held] || r.values[CycleState::Held]);
    const bool stands = held.front();
    held.pop_front();
    return stands ? "" : files.compare(names);
  }

  /// What trapped is in the error; which of several launches did is told by the pc alone.
  std::string compareTraps() const {
    const Trap *traps[] = {devices[0]->trap(), devices[1]->trap()};
    if (!traps[0] || !traps[1] || traps[0]->pc == traps[1]->pc)
      return "";
    char text[80];
    std::snprintf(text, sizeof text, "pc of the trap: %s 0x%x, %s 0x%x", names[0], traps[0]->pc,
                  names[1], traps[1]->pc);
    return text;
  }

  /// Whether output was on its way in the last cycle, which does not leave after a trap.
  bool keepsBeats() const {
    return std::any_of(devices, devices + 2, [](const SteppedDevice *device) {
      const CycleState &state = device->state();
      return state.known[CycleState::OutFifo] && state.values[CycleState::OutFifo] != 0;
    });
  }

  std::string compareEnd() {
    const bool trapped = devices[0]->trap() != nullptr;
    if (std::string found = files.compare(names); !found.empty())
      return found;
    if (devices[0]->counters().instructions != devices[1]->counters().instructions)
      return "instructions retired";
    std::vector<uint8_t> packets[2];
    for (unsigned number = 0;; ++number) {
      const bool more[] = {devices[0]->pop(packets[0]), devices[1]->pop(packets[1])};
      // To one engine a packet is sent when its end is decided, to the other when it has left.
      if (more[0] != more[1] && trapped && keepsBeats())
        break;
      if (more[0] != more[1] || (more[0] && packets[0] != packets[1]))
        return "packet " + std::to_string(number) + " that was sent";
      if (!more[0])
        break;
    }
    // How much was written before a trap depends on what is on its way.
    if (trapped)
      return "";
    const std::span<uint8_t> l = devices[0]->memory(), r = devices[1]->memory();
    const auto at = std::mismatch(l.begin(), l.end(), r.begin(), r.end());
    return at.first == l.end() ? "" : "memory, byte " + std::to_string(at.first - l.begin());
  }

  LockstepResult differ(const std::string &what) {
    const CycleState &l = devices[0]->state(), &r = devices[1]->state();
    result.same = false;
    result.difference = "cycle " + std::to_string(l.cycle) + ": " + what;
    const std::string line = image.lineOfCode(executed);
    char head[96];
    std::snprintf(head, sizeof head, "at pc 0x%x", executed);
    result.report = std::string(head) + (line.empty() ? "" : ", " + line) + "\n";
    std::snprintf(head, sizeof head, "%-22s %18s %18s\n", "", names[0], names[1]);
    result.report += head;
    for (unsigned v = 0; v < CycleState::NumValues; ++v) {
      if (v >= CycleState::X0 && l.values[v] == 0 && r.values[v] == 0)
        continue;
      const bool marks = l.known[v] && r.known[v] && l.values[v] != r.values[v];
      std::snprintf(head, sizeof head, "%-22s %18s %18s%s\n", CycleState::name(v),
                    text(l, v).c_str(), text(r, v).c_str(), marks ? " *" : "");
      result.report += head;
    }
    for (unsigned side = 0; side < 2; ++side)
      for (const CycleState::Write &write : devices[side]->state().writes) {
        std::snprintf(head, sizeof head, "%s writes pe %u beat %u word %u: 0x%08x\n", names[side],
                      write.pe, write.beat, write.word, write.value);
        result.report += head;
      }
    return result;
  }

  SteppedDevice *devices[2];
  const char *names[2];
  const Image &image;
  RegisterFiles files;
  std::deque<bool> held; ///< for an interlock, of the cycles that the array does later
  LockstepResult result;
  uint32_t executed = 0; ///< pc of the instruction that the cycle executes
};

} // namespace

LockstepResult runLockstep(SteppedDevice &left, SteppedDevice &right, const char *leftName,
                           const char *rightName, const Image &image) {
  return Comparison(left, right, leftName, rightName, image).run();
}

} // namespace acis

// Trace events by the "Trace Event Format": X complete, b/e asynchronous, i instant.
#include "runtime/tools/acis-run/TraceWriter.h"

#include "runtime/engine/model/TraceLog.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace acis::tools {

namespace {

using Json = nlohmann::ordered_json;
using model::Event;
using model::EventKind;

constexpr int processId = 1;
constexpr const char *stallNames[NumStalls] = {"stream in",    "stream out", "memory read",
                                               "memory write", "interlock",  "register",
                                               "drain",        "launch"};

/// One line of the display per kind of activity.
enum Track : int { ScalarTrack = 1, GridTrack, StallTrack, MemoryTrack, PacketTrack };
constexpr std::pair<Track, const char *> tracks[] = {{ScalarTrack, "scalar unit"},
                                                     {GridTrack, "grid"},
                                                     {StallTrack, "stalls"},
                                                     {MemoryTrack, "vector memory"},
                                                     {PacketTrack, "packets"}};

struct Shape {
  Track track;
  char phase; ///< X, b (with its e) or i
  std::string name;
  const char *detail; ///< what Event::detail is, "" if nothing
};

Shape shapeOf(const Event &event) {
  std::string context =
      event.context == Event::NoContext ? "" : " " + std::to_string(event.context);
  switch (event.kind) {
  case EventKind::Launch:
    return {ScalarTrack, 'i', "launch" + context, "iterations"};
  case EventKind::Loop:
    return {GridTrack, 'b', "loop" + context, "iterations"};
  case EventKind::Stall:
    return {StallTrack, 'X', event.detail < NumStalls ? stallNames[event.detail] : "stall", ""};
  case EventKind::VectorLoad:
    return {MemoryTrack, 'b', "load", "iterations"};
  case EventKind::VectorStore:
    return {MemoryTrack, 'b', "store", "iterations"};
  case EventKind::PacketIn:
    return {PacketTrack, 'i', "packet in", ""};
  case EventKind::PacketOut:
    return {PacketTrack, 'i', "packet out", "packets"};
  case EventKind::Invocation:
    return {ScalarTrack, 'X', "invocation", ""};
  case EventKind::Trap:
    return {ScalarTrack, 'i', "trap", ""};
  }
  return {ScalarTrack, 'i', "event", ""};
}

class Writer {
public:
  explicit Writer(const SteppedDevice &device)
      : device(device), microseconds(1 / device.overlay().clockMhz) {}

  std::string write() {
    text = "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n";
    add({{"name", "process_name"},
         {"ph", "M"},
         {"pid", processId},
         {"args", {{"name", device.overlay().name}}}});
    for (const auto &[track, name] : tracks)
      add({{"name", "thread_name"},
           {"ph", "M"},
           {"pid", processId},
           {"tid", int(track)},
           {"args", {{"name", name}}}});
    for (const Event &event : device.events())
      addEvent(event);
    return text + "\n]}\n";
  }

private:
  const SteppedDevice &device;
  double microseconds; ///< of a cycle
  std::string text;
  bool first = true;
  unsigned nextId = 1;

  void add(const Json &json) {
    text += first ? "" : ",\n";
    first = false;
    text += json.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  void addEvent(const Event &event) {
    Shape shape = shapeOf(event);
    Json json = {{"name", shape.name},
                 {"cat", "acis"},
                 {"ph", std::string(1, shape.phase)},
                 {"ts", static_cast<double>(event.begin) * microseconds},
                 {"pid", processId},
                 {"tid", int(shape.track)}};
    json["args"] = arguments(event, shape);
    if (shape.phase == 'X')
      json["dur"] = static_cast<double>(event.end - event.begin) * microseconds;
    if (shape.phase == 'i')
      json["s"] = "t"; // on its track only
    if (shape.phase == 'b')
      json["id"] = nextId;
    add(json);
    if (shape.phase != 'b')
      return;
    json["ph"] = "e";
    json["ts"] = static_cast<double>(event.end) * microseconds;
    json.erase("args");
    ++nextId;
    add(json);
  }

  Json arguments(const Event &event, const Shape &shape) const {
    Json args = {{"cycle", event.begin}, {"endCycle", event.end}};
    if (*shape.detail)
      args[shape.detail] = event.detail;
    if (event.kind != EventKind::Stall && event.kind != EventKind::PacketIn &&
        event.kind != EventKind::PacketOut) {
      char pc[16];
      std::snprintf(pc, sizeof(pc), "0x%x", event.pc);
      args["pc"] = pc;
      if (std::string line = device.lineOf(event); !line.empty())
        args["line"] = line;
    }
    return args;
  }
};

} // namespace

std::string chromeTrace(const SteppedDevice &device) { return Writer(device).write(); }

} // namespace acis::tools

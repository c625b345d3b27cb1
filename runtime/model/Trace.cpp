// See Trace.h.
#include "runtime/model/Trace.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace acis::model {
namespace {

/// Tracks in the order in which they are shown.
enum class Track : unsigned { Scalar = 1, Queue, Grid, Stalls, VectorMemory, Streams };

constexpr std::array<std::pair<Track, std::string_view>, 6> tracks = {
    {{Track::Scalar, "scalar unit"},
     {Track::Queue, "launch queue"},
     {Track::Grid, "grid"},
     {Track::Stalls, "stalls"},
     {Track::VectorMemory, "vector loads and stores"},
     {Track::Streams, "streams"}}};

Track trackOf(EventKind kind) {
  switch (kind) {
  case EventKind::Invocation:
  case EventKind::Trap:
    return Track::Scalar;
  case EventKind::Launch:
    return Track::Queue;
  case EventKind::Loop:
    return Track::Grid;
  case EventKind::Stall:
    return Track::Stalls;
  case EventKind::VectorLoad:
  case EventKind::VectorStore:
    return Track::VectorMemory;
  case EventKind::PacketIn:
  case EventKind::PacketOut:
    return Track::Streams;
  }
  return Track::Scalar;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", c);
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", value);
  return text;
}

/// What `detail` counts.
std::string_view unitOf(EventKind kind) {
  switch (kind) {
  case EventKind::Launch:
  case EventKind::Loop:
  case EventKind::VectorLoad:
  case EventKind::VectorStore:
    return "iterations";
  case EventKind::PacketIn:
  case EventKind::PacketOut:
    return "packet";
  case EventKind::Invocation:
    return "instructions";
  case EventKind::Stall:
  case EventKind::Trap:
    break;
  }
  return "";
}

std::string eventJson(const ModelDevice &device, const Event &event) {
  const double perMicrosecond = device.overlay().clockMhz;
  const std::string_view what =
      event.kind == EventKind::Stall ? name(Stall(event.detail)) : name(event.kind);
  std::string json = "{\"name\":" + quoted(what) + ",\"ph\":\"X\",\"pid\":1,\"tid\":" +
                     std::to_string(unsigned(trackOf(event.kind))) +
                     ",\"ts\":" + number(double(event.begin) / perMicrosecond) +
                     ",\"dur\":" + number(double(event.end - event.begin) / perMicrosecond) +
                     ",\"args\":{\"cycle\":" + std::to_string(event.begin) +
                     ",\"cycles\":" + std::to_string(event.end - event.begin);
  if (const std::string_view unit = unitOf(event.kind); !unit.empty())
    json += ",\"" + std::string(unit) + "\":" + std::to_string(event.detail);
  if (event.context != Event::NoContext)
    json += ",\"context\":" + std::to_string(event.context);
  const bool hasCode = event.kind != EventKind::Stall && event.kind != EventKind::PacketIn &&
                       event.kind != EventKind::PacketOut;
  if (hasCode) {
    json += ",\"pc\":" + std::to_string(event.pc);
    if (const std::string line = device.lineOf(event); !line.empty())
      json += ",\"line\":" + quoted(line);
  }
  return json + "}}";
}

} // namespace

std::string_view name(EventKind kind) {
  switch (kind) {
  case EventKind::Launch:
    return "launch";
  case EventKind::Loop:
    return "loop";
  case EventKind::Stall:
    return "stall";
  case EventKind::VectorLoad:
    return "vector load";
  case EventKind::VectorStore:
    return "vector store";
  case EventKind::PacketIn:
    return "packet in";
  case EventKind::PacketOut:
    return "packet out";
  case EventKind::Invocation:
    return "invocation";
  case EventKind::Trap:
    return "trap";
  }
  return "";
}

std::string_view name(Stall stall) {
  static constexpr std::array<std::string_view, NumStalls> names = {
      "stream in", "stream out", "memory read", "memory write",
      "interlock", "vreg",       "drain",       "launch"};
  return names[unsigned(stall)];
}

std::string traceJson(const ModelDevice &device) {
  std::string json = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
  json += "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":" +
          quoted("overlay " + device.overlay().name) + "}}";
  for (const auto &[track, title] : tracks)
    json += ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":" +
            std::to_string(unsigned(track)) + ",\"args\":{\"name\":" + quoted(title) + "}}";
  // Viewers want the events of a track by their begin.
  const std::vector<Event> &events = device.events();
  std::vector<std::pair<uint64_t, size_t>> order;
  for (size_t i = 0; i < events.size(); ++i)
    order.emplace_back(events[i].begin, i);
  std::sort(order.begin(), order.end());
  for (const auto &[begin, i] : order)
    json += ",\n" + eventJson(device, events[i]);
  return json + "\n]}\n";
}

} // namespace acis::model

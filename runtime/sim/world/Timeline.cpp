// See Timeline.h.
#include "runtime/sim/world/Timeline.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace acis::cluster {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint32_t LinkProcess = 1; ///< groups of tracks come after

/// Microseconds, to the picosecond.
double micro(double seconds) { return std::round(seconds * 1e12) / 1e6; }

} // namespace

Timeline::Track Timeline::track(const std::string &group, const std::string &name) {
  const auto [at, isNew] = tracks.try_emplace({group, name}, Track(places.size()));
  if (isNew) {
    const uint32_t process =
        groups.try_emplace(group, LinkProcess + 1 + uint32_t(groups.size())).first->second;
    places.push_back({process, Track(places.size()) + 1, group, name});
  }
  return at->second;
}

uint32_t Timeline::textOf(const std::string &text) {
  const auto [at, isNew] = numbers.try_emplace(text, uint32_t(texts.size()));
  if (isNew)
    texts.push_back(text);
  return at->second;
}

void Timeline::add(Kind kind, Track track, const std::string &name, double begin, double end,
                   const EventDetail &detail) {
  if (events.size() == Most)
    ++beyond;
  else
    events.push_back({track, kind, textOf(name), textOf(detail.by), begin, end, detail.bytes});
}

void Timeline::slice(Track track, const std::string &name, double begin, double end,
                     const EventDetail &detail) {
  add(Kind::Slice, track, name, begin, end, detail);
}

void Timeline::span(Track track, const std::string &name, double begin, double end,
                    const EventDetail &detail) {
  add(Kind::Span, track, name, begin, end, detail);
}

void Timeline::use(const std::string &link, double time, double share) {
  std::vector<Use> &all = links[link];
  if (all.empty() ? share > 0 : all.back().share != share)
    all.push_back({time, share});
}

std::string Timeline::json() const {
  std::string text = "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n";
  bool first = true;
  const auto write = [&](const Json &event) {
    text += (first ? "" : ",\n") + event.dump(-1, ' ', false, Json::error_handler_t::replace);
    first = false;
  };
  const auto describe = [&](const char *what, const Json &place, const std::string &name) {
    Json event = {{"ph", "M"}, {"name", what}};
    event.update(place);
    event["args"]["name"] = name;
    write(event);
  };
  if (!links.empty())
    describe("process_name", {{"pid", LinkProcess}}, "links");
  for (const auto &[name, process] : groups)
    describe("process_name", {{"pid", process}}, name);
  for (const Place &place : places)
    describe("thread_name", {{"pid", place.process}, {"tid", place.thread}}, place.name);
  std::vector<uint32_t> order(events.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return std::pair(events[a].track, events[a].begin) <
           std::pair(events[b].track, events[b].begin);
  });
  for (uint32_t i : order) {
    const Event &event = events[i];
    const Place &place = places[event.track];
    Json out = {{"ph", event.kind == Kind::Slice ? "X" : "b"},
                {"pid", place.process},
                {"tid", place.thread},
                {"ts", micro(event.begin)},
                {"name", texts[event.name]}};
    if (event.bytes > 0)
      out["args"]["bytes"] = event.bytes;
    if (!texts[event.by].empty())
      out["args"]["by"] = texts[event.by];
    if (event.kind == Kind::Slice) {
      out["dur"] = micro(event.end) - micro(event.begin);
      write(out);
      continue;
    }
    out["cat"] = place.name;
    out["id"] = i;
    write(out);
    out["ph"] = "e";
    out["ts"] = micro(event.end);
    out.erase("args");
    write(out);
  }
  for (const auto &[name, uses] : links)
    for (const Use &use : uses)
      write({{"ph", "C"},
             {"pid", LinkProcess},
             {"ts", micro(use.time)},
             {"name", name},
             {"args", {{"percent", std::round(use.share * 1e5) / 1e3}}}});
  return text + "\n]}\n";
}

} // namespace acis::cluster

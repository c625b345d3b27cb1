#include "runtime/switch/core/Kept.h"

namespace acis::sw {

using collective::TaskPart;

namespace {
/// Of a part, with what is around it.
uint64_t costOf(size_t bytes) { return bytes + 128; }
} // namespace

std::optional<std::vector<uint8_t>> Kept::expand(JobId job, SessionId session,
                                                 std::span<const TaskPart> parts) {
  Store &store = stores[job];
  std::vector<uint8_t> out;
  for (const TaskPart &part : parts) {
    const Key key(session, part.number);
    std::span<const uint8_t> bytes;
    if (part.bytes) {
      bytes = *part.bytes;
      if (part.number != 0)
        keep(job, store, key, bytes);
    } else if (const Part *kept = find(store, key); kept && kept->bytes.size() == part.size) {
      bytes = kept->bytes;
      ++count.used;
    } else {
      ++count.missing;
      return std::nullopt;
    }
    out.insert(out.end(), bytes.begin(), bytes.end());
    out.resize(out.size() + (part.room() - part.size));
  }
  return out;
}

const Kept::Part *Kept::find(Store &store, Key key) {
  const auto found = store.at.find(key);
  if (found == store.at.end())
    return nullptr;
  store.parts.splice(store.parts.end(), store.parts, found->second);
  return &*found->second;
}

/// What comes again under its number is what is here.
void Kept::keep(JobId job, Store &store, Key key, std::span<const uint8_t> bytes) {
  const uint64_t cost = costOf(bytes.size());
  if (find(store, key) || cost > mostBytes)
    return;
  while (store.bytes + cost > mostBytes)
    drop(job, store, store.parts.begin());
  if (!services.charge(job, int64_t(cost)))
    return;
  store.parts.push_back({key, {bytes.begin(), bytes.end()}});
  store.at[key] = std::prev(store.parts.end());
  store.bytes += cost;
  ++count.kept;
}

void Kept::drop(JobId job, Store &store, std::list<Part>::iterator part) {
  const uint64_t cost = costOf(part->bytes.size());
  services.charge(job, -int64_t(cost));
  store.bytes -= cost;
  store.at.erase(part->key);
  store.parts.erase(part);
  ++count.forgotten;
}

bool Kept::forget(JobId job) {
  const auto at = stores.find(job);
  if (at == stores.end())
    return false;
  const bool any = !at->second.parts.empty();
  while (!at->second.parts.empty())
    drop(job, at->second, at->second.parts.begin());
  stores.erase(at);
  return any;
}

void Kept::sessionEnded(SessionId session, JobId job) {
  const auto at = stores.find(job);
  if (at == stores.end())
    return;
  Store &store = at->second;
  for (auto part = store.at.lower_bound({session, 0});
       part != store.at.end() && part->first.first == session;)
    drop(job, store, (part++)->second);
}

uint64_t Kept::bytes(JobId job) const {
  const auto at = stores.find(job);
  return at == stores.end() ? 0 : at->second.bytes;
}

void Kept::fingerprint(std::vector<uint64_t> &out) const {
  for (const auto &[job, store] : stores)
    for (const Part &part : store.parts)
      out.insert(out.end(), {job, part.key.first, part.key.second, part.bytes.size()});
}

} // namespace acis::sw

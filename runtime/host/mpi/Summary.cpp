// See Summary.h.
#include "runtime/host/mpi/Summary.h"

#include <nlohmann/json.hpp>

#include <dlfcn.h>
#include <elf.h>
#include <sys/auxv.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <vector>

namespace acis::mpi {

std::string_view wordsOf(Reason reason) {
  switch (reason) {
  case Reason::Offloaded:
    return "offloaded";
  case Reason::Empty:
    return "nothing to send";
  case Reason::NoSwitch:
    return "no switch (ACIS_SWITCH)";
  case Reason::SwitchedOff:
    return "switched off (ACIS_OFFLOAD)";
  case Reason::TooLarge:
    return "larger than ACIS_MAX_BYTES";
  case Reason::MovesMuch:
    return "moves more than ACIS_MOVE_BYTES and folds nothing";
  case Reason::OneProcess:
    return "communicator of one process";
  case Reason::Intercomm:
    return "intercommunicator";
  case Reason::NoEntry:
    return "no room in the communicator table";
  case Reason::Foreign:
    return "communicator with processes outside MPI_COMM_WORLD";
  case Reason::NotSetUp:
    return "communicator not set up before its first non-blocking call";
  case Reason::CountsDiffer:
    return "counts that only some ranks know, in a call that does not wait for others";
  case Reason::Uneven:
    return "blocks of very different lengths, which the switch moves as the longest";
  case Reason::Neighbours:
    return "neighbourhood collective";
  case Reason::Persistent:
    return "persistent collective";
  case Reason::Type:
    return "element type that the switch does not have";
  case Reason::UserOperator:
    return "user operator without a compiled handler (ACIS_Op_create)";
  case Reason::Operator:
    return "operation that MPI does not define on this type";
  case Reason::Unsupported:
    return "not supported by the switch on this group";
  case Reason::Refused:
    return "arguments left to the MPI underneath to refuse";
  case Reason::NotChosen:
    return "left to the MPI underneath (ACIS_ALGORITHM)";
  case Reason::OneHost:
    return "left to the MPI underneath: all ranks share a host (ACIS_PLACEMENT)";
  case Reason::Slower:
    return "left to the MPI underneath: faster, as measured (ACIS_COSTS)";
  case Reason::OpByHost:
    return "its collectives offloaded, its op done here: the switch could not run it";
  case Reason::NoBinary:
    return "its op has no binary for a switch: the collectives one by one";
  case Reason::ArraysShared:
    return "arrays of its op share memory: the collectives one by one";
  case Reason::ArraysNoRoom:
    return "an array of its op has no room in the switch, or a size that cannot be told: the "
           "collectives one by one";
  case Reason::ArraysNotHad:
    return "no memory here for copies of the arrays of its op: the collectives one by one";
  case Reason::NoResult:
    return "nothing here to compute from, the result is another rank's: the collectives one by one";
  case Reason::BuffersDiffer:
    return "its buffers are not those that its op was compiled for: the collectives one by one";
  case Reason::ProgramRefused:
    return "the switch refused the program of its op: the collectives one by one";
  case Reason::CostsMore:
    return "its op would move more bytes than the call saves (ACIS_FUSED_BYTES): the collectives "
           "one "
           "by one";
  case Reason::Kernel:
    return "a kernel, which stays on the hosts: its collective on its own";
  case Reason::ByNodes:
    return "offloaded for each host, whose ranks fold first";
  case Reason::ByBinomial:
    return "by the hosts: binomial tree";
  case Reason::ByDoubling:
    return "by the hosts: recursive doubling";
  case Reason::ByHalving:
    return "by the hosts: recursive halving";
  case Reason::ByRing:
    return "by the hosts: ring";
  case Reason::ByTorus:
    return "by the hosts: torus";
  case Reason::ByPairs:
    return "by the hosts: pairwise exchange";
  }
  return "?";
}

Reason reasonOf(algorithms::Algorithm algorithm) {
  return Reason(unsigned(Reason::ByBinomial) + unsigned(algorithm) -
                unsigned(algorithms::Algorithm::Binomial));
}

void Summary::count(const char *call, const void *site, Reason reason, uint64_t bytes,
                    std::string_view place) {
  if (!isCounting.load(std::memory_order_relaxed))
    return;
  std::lock_guard lock(mutex);
  Counts &counts = places[{site, call, reason}];
  ++counts.calls;
  counts.bytes += bytes;
  if (counts.place.empty())
    counts.place = place;
}

void Summary::clear() {
  std::lock_guard lock(mutex);
  places.clear();
}

void Summary::spend(const char *call, const void *site, Reason reason, const Spent &spent) {
  std::lock_guard lock(mutex);
  Counts one;
  one.timed = 1;
  one.packets = spent.moved.messages;
  one.packetBytes = spent.moved.bytes;
  one.plainMessages = spent.plain.messages;
  one.plainBytes = spent.plain.bytes;
  one.nanoseconds = uint64_t(std::max<int64_t>(spent.time.count(), 0));
  one.opCycles = spent.opCycles;
  places[{site, call, reason}].add(one);
}

void Summary::Counts::add(const Counts &other) {
  calls += other.calls;
  bytes += other.bytes;
  timed += other.timed;
  packets += other.packets;
  packetBytes += other.packetBytes;
  plainMessages += other.plainMessages;
  plainBytes += other.plainBytes;
  nanoseconds += other.nanoseconds;
  opCycles += other.opCycles;
  if (place.empty())
    place = other.place;
}

namespace {

/// The name that the program was started with. The dynamic linker looks into argv for it, which the
/// program may overwrite; so it is copied when this library is loaded.
const std::string &startedAs() {
  static const std::string &name =
      *new std::string(program_invocation_name ? program_invocation_name : "?");
  return name;
}
[[gnu::constructor]] void takeName() { (void)startedAs(); }

bool isProgram(const void *base) {
  Dl_info program;
  return dladdr(reinterpret_cast<const void *>(getauxval(AT_PHDR)), &program) &&
         program.dli_fbase == base;
}

/// "module+0x12" as addr2line wants it: the offset is the file's own address. The call is
/// the instruction before the return address.
std::string nameOfSite(const void *site) {
  char text[32];
  const void *call = static_cast<const char *>(site) - 1;
  Dl_info info;
  const bool isFound = dladdr(call, &info);
  const bool isOwn = isFound && isProgram(info.dli_fbase);
  if (!isFound || (!isOwn && !info.dli_fname)) {
    std::snprintf(text, sizeof text, "?+%p", call);
    return text;
  }
  uintptr_t address = reinterpret_cast<uintptr_t>(call);
  auto *header = static_cast<const Elf64_Ehdr *>(info.dli_fbase);
  if (header->e_type == ET_DYN)
    address -= reinterpret_cast<uintptr_t>(info.dli_fbase);
  std::snprintf(text, sizeof text, "+0x%lx", static_cast<unsigned long>(address));
  std::string name = (isOwn ? startedAs() : info.dli_fname) + text;
  if (info.dli_sname)
    name += " (" + std::string(info.dli_sname) + ")";
  return name;
}

/// Takes the text up to the next `end` from `text`.
std::string_view take(std::string_view &text, char end) {
  const size_t at = std::min(text.find(end), text.size());
  const std::string_view field = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return field;
}

uint64_t takeNumber(std::string_view &line) {
  const std::string_view field = take(line, '\t');
  uint64_t number = 0;
  std::from_chars(field.data(), field.data() + field.size(), number);
  return number;
}

/// One that the plain collectives did, which are counted on their own.
bool isRepeated(const std::string &call, Reason reason) {
  return call.starts_with("ACIS_") && reason != Reason::Offloaded && reason != Reason::Empty &&
         reason != Reason::OpByHost;
}

const char *servedBy(Reason reason, bool repeated) {
  if (repeated)
    return "collectives";
  if (reason <= Reason::Empty || reason == Reason::OpByHost)
    return "switch";
  return reason >= Reason::ByBinomial ? "hosts" : "mpi";
}

} // namespace

std::string Summary::serialize() const {
  std::lock_guard lock(mutex);
  std::string lines;
  for (const auto &[key, counts] : places) {
    const auto &[site, call, reason] = key;
    lines += nameOfSite(site) + "\t" + call;
    for (uint64_t number : {uint64_t(reason), counts.calls, counts.bytes, counts.timed,
                            counts.packets, counts.packetBytes, counts.plainMessages,
                            counts.plainBytes, counts.nanoseconds, counts.opCycles})
      lines += "\t" + std::to_string(number);
    lines += "\t" + counts.place + "\n";
  }
  return lines;
}

void Summary::merge(std::string_view lines) {
  std::lock_guard lock(mutex);
  while (!lines.empty()) {
    std::string_view line = take(lines, '\n');
    std::string site(take(line, '\t'));
    std::string call(take(line, '\t'));
    const uint64_t reason = takeNumber(line);
    Counts counts;
    for (uint64_t *number :
         {&counts.calls, &counts.bytes, &counts.timed, &counts.packets, &counts.packetBytes,
          &counts.plainMessages, &counts.plainBytes, &counts.nanoseconds, &counts.opCycles})
      *number = takeNumber(line);
    counts.place = take(line, '\t');
    if (reason < NumReasons && counts.calls > 0) // else not written by serialize()
      merged[{site, call, Reason(reason)}].add(counts);
  }
}

Summary::Totals Summary::totals() const {
  uint64_t all = 0, offloaded = 0;
  for (const auto &[key, counts] : merged) {
    const auto &[site, call, reason] = key;
    if (isRepeated(call, reason))
      continue;
    all += counts.calls;
    offloaded += reason <= Reason::Empty ? counts.calls : 0;
  }
  return {all, offloaded};
}

std::string Summary::report(uint32_t ranks, const Traffic &traffic) const {
  std::lock_guard lock(mutex);
  const auto [all, offloaded] = totals();
  std::vector<std::pair<MergedPlace, Counts>> rows(merged.begin(), merged.end());
  std::sort(rows.begin(), rows.end(), [](const auto &a, const auto &b) {
    return std::tie(b.second.calls, a.first) < std::tie(a.second.calls, b.first);
  });
  std::string text = "acis: " + std::to_string(offloaded) + " of " + std::to_string(all) +
                     " collective calls of " + std::to_string(ranks) + " ranks offloaded\n";
  if (traffic.packets > 0)
    text += "acis: the ranks sent " + std::to_string(traffic.packets) + " packets, " +
            std::to_string(traffic.bytes) + " bytes; " + std::to_string(traffic.repeated) +
            " messages were repeated\n";
  char line[160];
  if (!rows.empty())
    text +=
        "acis:      calls          bytes  call                       what became of it, where\n";
  for (const auto &[key, counts] : rows) {
    const auto &[site, call, reason] = key;
    std::snprintf(line, sizeof line, "acis: %10llu %14llu  %-26s ",
                  static_cast<unsigned long long>(counts.calls),
                  static_cast<unsigned long long>(counts.bytes), call.c_str());
    text += line + std::string(wordsOf(reason)) + "; " + site;
    text += counts.place.empty() ? "\n" : ", " + counts.place + "\n";
  }
  return text;
}

std::string Summary::json(uint32_t ranks, const Traffic &traffic) const {
  std::lock_guard lock(mutex);
  const auto [all, offloaded] = totals();
  nlohmann::ordered_json places = nlohmann::ordered_json::array();
  for (const auto &[key, counts] : merged) {
    const auto &[site, call, reason] = key;
    nlohmann::ordered_json place = {
        {"call", call},           {"place", counts.place},
        {"site", site},           {"served_by", servedBy(reason, isRepeated(call, reason))},
        {"why", wordsOf(reason)}, {"calls", counts.calls},
        {"bytes", counts.bytes}};
    if (counts.timed > 0) {
      place["measured"] = {{"calls", counts.timed},
                           {"us", double(counts.nanoseconds) / 1000},
                           {"packets", counts.packets},
                           {"packet_bytes", counts.packetBytes},
                           {"plain_messages", counts.plainMessages},
                           {"plain_bytes", counts.plainBytes}};
      if (counts.opCycles > 0)
        place["measured"]["op_cycles"] = counts.opCycles;
    }
    places.push_back(std::move(place));
  }
  const nlohmann::ordered_json report = {{"ranks", ranks},
                                         {"calls", all},
                                         {"offloaded", offloaded},
                                         {"packets_sent", traffic.packets},
                                         {"bytes_sent", traffic.bytes},
                                         {"messages_repeated", traffic.repeated},
                                         {"places", std::move(places)}};
  return report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

} // namespace acis::mpi

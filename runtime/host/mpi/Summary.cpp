// See Summary.h.
#include "runtime/host/mpi/Summary.h"

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
    return "a count for each rank";
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
  case Reason::OpByHost:
    return "offloaded but for the op, which the switch could not run";
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

void Summary::count(const char *call, const void *site, Reason reason, uint64_t bytes) {
  std::lock_guard lock(mutex);
  Counts &counts = places[{site, call, reason}];
  ++counts.calls;
  counts.bytes += bytes;
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

/// Takes the text up to the next tab or line end from `text`.
std::string_view takeField(std::string_view &text) {
  size_t end = std::min(text.find_first_of("\t\n"), text.size());
  std::string_view field = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return field;
}

uint64_t takeNumber(std::string_view &text) {
  std::string_view field = takeField(text);
  uint64_t number = 0;
  std::from_chars(field.data(), field.data() + field.size(), number);
  return number;
}

} // namespace

std::string Summary::serialize() const {
  std::lock_guard lock(mutex);
  std::string lines;
  for (const auto &[place, counts] : places) {
    const auto &[site, call, reason] = place;
    lines += nameOfSite(site) + "\t" + call + "\t" + std::to_string(unsigned(reason)) + "\t" +
             std::to_string(counts.calls) + "\t" + std::to_string(counts.bytes) + "\n";
  }
  return lines;
}

void Summary::merge(std::string_view lines) {
  std::lock_guard lock(mutex);
  while (!lines.empty()) {
    std::string site(takeField(lines));
    std::string call(takeField(lines));
    uint64_t reason = takeNumber(lines);
    uint64_t calls = takeNumber(lines);
    uint64_t bytes = takeNumber(lines);
    if (reason >= NumReasons || calls == 0)
      continue; // not written by serialize()
    Counts &counts = merged[{site, call, Reason(reason)}];
    counts.calls += calls;
    counts.bytes += bytes;
  }
}

std::string Summary::report(uint32_t ranks, const Traffic &traffic) const {
  std::lock_guard lock(mutex);
  uint64_t all = 0, offloaded = 0;
  std::vector<std::pair<MergedPlace, Counts>> rows(merged.begin(), merged.end());
  for (const auto &[place, counts] : rows) {
    all += counts.calls;
    if (std::get<Reason>(place) <= Reason::Empty)
      offloaded += counts.calls;
  }
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
  for (const auto &[place, counts] : rows) {
    const auto &[site, call, reason] = place;
    std::snprintf(line, sizeof line, "acis: %10llu %14llu  %-26s ",
                  static_cast<unsigned long long>(counts.calls),
                  static_cast<unsigned long long>(counts.bytes), call.c_str());
    text += line + std::string(wordsOf(reason)) + "; " + site + "\n";
  }
  return text;
}

} // namespace acis::mpi

// Reads the ACIS_ variables.
#include "runtime/host/mpi/Settings.h"

#include "backend/support/Nearest.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <vector>

namespace acis::mpi {
namespace {

std::vector<std::string_view> splitAt(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// A whole number or a decimal fraction, all of `text`.
template <typename Number> bool parse(std::string_view text, Number &number) {
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  return code == std::errc() && end == text.data() + text.size();
}

Error wrong(const char *variable, std::string_view value, const std::string &allowed) {
  return {variable, "'" + std::string(value) + "' is not " + allowed};
}

template <typename Number>
Status readNumber(const Environment &environment, const char *variable, Number low, Number high,
                  Number &number) {
  const char *text = environment(variable);
  if (!text)
    return {};
  Number value{};
  if (!parse(std::string_view(text), value) || !(value >= low && value <= high))
    return wrong(variable, text,
                 "a number from " + std::to_string(low) + " to " + std::to_string(high));
  number = value;
  return {};
}

Status readSeconds(const Environment &environment, const char *variable, Nanoseconds &time) {
  double seconds = std::chrono::duration<double>(time).count();
  if (Status status = readNumber(environment, variable, 0.001, 1e8, seconds); !status)
    return status;
  time = std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(seconds));
  return {};
}

/// "allreduce,bcast": only these; "-alltoall": all but this; "none"; "all".
Status readKinds(const Environment &environment, const char *variable, uint32_t &kinds) {
  const char *text = environment(variable);
  if (!text)
    return {};
  constexpr uint32_t All = (1u << NumKinds) - 1;
  std::vector<std::string> names = {"all", "none"};
  for (unsigned k = 0; k < NumKinds; ++k)
    names.emplace_back(nameOf(Kind(k)));
  std::vector<std::string_view> words = splitAt(text, ',');
  uint32_t chosen = !words.empty() && words[0].starts_with('-') ? All : 0;
  for (std::string_view word : words) {
    bool removes = word.starts_with('-');
    std::string_view name = word.substr(removes ? 1 : 0);
    auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      return wrong(variable, name, "a collective, all or none" + didYouMean(name, names));
    size_t index = found - names.begin();
    uint32_t bits = index == 0 ? All : index == 1 ? 0 : 1u << (index - 2);
    chosen = removes ? chosen & ~bits : chosen | bits;
  }
  kinds = chosen;
  return {};
}

Status addRule(const AlgorithmRule &rule, Policy &policy) {
  if (policy.numRules == policy.rules.size())
    return Error{"ACIS_ALGORITHM", "has more than " + std::to_string(policy.rules.size()) +
                                       " rules; a name without a kind is one for each kind"};
  policy.rules[policy.numRules++] = rule;
  return {};
}

/// "ring": for the kinds that have it; "allreduce:ring": for one; "allreduce:ring@65536": from a
/// size on. Later ones come before earlier ones.
Status readAlgorithms(const Environment &environment, Policy &policy) {
  using namespace algorithms;
  const char *text = environment("ACIS_ALGORITHM");
  if (!text)
    return {};
  std::vector<std::string> kinds, names;
  for (unsigned k = 0; k < NumKinds; ++k)
    kinds.emplace_back(nameOf(Kind(k)));
  for (unsigned a = 0; a < NumAlgorithms; ++a)
    names.emplace_back(nameOf(Algorithm(a)));
  for (std::string_view word : splitAt(text, ',')) {
    const size_t sign = std::min(word.find('@'), word.size());
    AlgorithmRule rule;
    if (sign < word.size() && !parse(word.substr(sign + 1), rule.fromBytes))
      return wrong("ACIS_ALGORITHM", word.substr(sign + 1), "a number of bytes");
    std::string_view name = word.substr(0, sign);
    const size_t colon = name.find(':');
    const bool ofOneKind = colon != std::string_view::npos;
    const std::string_view kindName = ofOneKind ? name.substr(0, colon) : "";
    name = name.substr(ofOneKind ? colon + 1 : 0);
    const auto kind = std::find(kinds.begin(), kinds.end(), kindName);
    if (ofOneKind && kind == kinds.end())
      return wrong("ACIS_ALGORITHM", kindName, "a collective" + didYouMean(kindName, kinds));
    const auto algorithm = std::find(names.begin(), names.end(), name);
    if (algorithm == names.end())
      return wrong("ACIS_ALGORITHM", name, "an algorithm" + didYouMean(name, names));
    rule.algorithm = Algorithm(algorithm - names.begin());
    if (ofOneKind && !has(Kind(kind - kinds.begin()), rule.algorithm))
      return wrong("ACIS_ALGORITHM", word,
                   "done like that; " + *kind + " has " + namesFor(Kind(kind - kinds.begin())));
    for (unsigned k = 0; k < NumKinds; ++k) {
      rule.kind = Kind(k);
      if (has(rule.kind, rule.algorithm) && (!ofOneKind || *kind == kinds[k]))
        if (Status status = addRule(rule, policy); !status)
          return status;
    }
  }
  return {};
}

/// "0,0,1,1": a switch number for each rank (or for each switch, with "-" for none).
Status readSwitches(std::string_view text, const char *variable, std::vector<uint16_t> &numbers) {
  for (std::string_view word : splitAt(text, ',')) {
    uint16_t number = SessionOptions::NoSwitch;
    if (word != "-" && !parse(word, number))
      return wrong(variable, word, "the number of a switch or '-'");
    numbers.push_back(number);
  }
  return {};
}

/// ACIS_ENGINES: how engines do it.
Status readWay(const Environment &environment, Way &way) {
  const char *text = environment("ACIS_ENGINES");
  if (!text)
    return {};
  std::vector<std::string_view> names;
  for (unsigned w = 0; w < NumWays; ++w)
    names.push_back(nameOf(Way(w)));
  const auto at = std::find(names.begin(), names.end(), text);
  if (at == names.end())
    return wrong("ACIS_ENGINES", text, "a way of engines" + didYouMean(text, names));
  way = Way(at - names.begin());
  return {};
}

Status readLeaves(const Environment &environment, Settings &settings) {
  const char *text = environment("ACIS_LEAVES");
  return text ? readSwitches(text, "ACIS_LEAVES", settings.session.leafOfRank) : Status();
}

/// ACIS_PARENTS: "2,2,-,-", or several of them with ; between.
Status readParents(const Environment &environment, Settings &settings) {
  const char *text = environment("ACIS_PARENTS");
  if (!text)
    return {};
  for (std::string_view choice : splitAt(text, ';'))
    if (Status status = readSwitches(choice, "ACIS_PARENTS", settings.parents.emplace_back());
        !status)
      return status;
  constexpr size_t Most = 64;
  if (settings.parents.size() > Most)
    return Error{"ACIS_PARENTS", "has more than " + std::to_string(Most) + " choices"};
  settings.policy.turns = uint8_t(settings.parents.size());
  settings.session.parentOfSwitch = settings.parents[0];
  return {};
}

/// ACIS_HOST_LEAVES: "node0=0,node1=1", the number of a switch for each host.
Status readHostLeaves(const Environment &environment, Settings &settings) {
  const char *text = environment("ACIS_HOST_LEAVES");
  if (!text)
    return {};
  for (std::string_view word : splitAt(text, ',')) {
    const size_t sign = std::min(word.find('='), word.size());
    uint16_t number = 0;
    if (sign == 0 || sign == word.size() || !parse(word.substr(sign + 1), number))
      return wrong("ACIS_HOST_LEAVES", word, "a host and its switch; write node0=0,node1=1");
    settings.leafOfHost.emplace_back(word.substr(0, sign), number);
  }
  settings.policy.leavesByHost = true;
  return {};
}

/// ACIS_PLACEMENT: "apart", or "0,0,1,1", a number for each rank.
Status readHosts(const Environment &environment, Settings &settings) {
  const char *text = environment("ACIS_PLACEMENT");
  if (!text)
    return {};
  settings.placement = Placement::Apart;
  if (text == std::string_view("apart"))
    return {};
  settings.placement = Placement::Listed;
  for (std::string_view word : splitAt(text, ',')) {
    uint32_t number = 0;
    if (!parse(word, number))
      return wrong("ACIS_PLACEMENT", word,
                   "the number of a host; write apart, or one for each rank");
    settings.hostOfRank.push_back(number);
  }
  return {};
}

/// ACIS_COSTS: "measure", "none" or a file. Where hosts are not what MPI says the default is none:
/// what is measured on one host is not what it costs between several.
void readCosts(const Environment &environment, Settings &settings) {
  const char *text = environment("ACIS_COSTS");
  const std::string_view value = text ? text : "";
  settings.measuresCosts = value.empty() ? settings.placement == Placement::Asked : value != "none";
  if (value != "measure" && value != "none")
    settings.costsFile = value;
}

/// "function=file" or "function=file:handler", with commas between.
Status readOperators(const Environment &environment, std::vector<OperatorFile> &operators) {
  const char *text = environment("ACIS_OPERATORS");
  if (!text)
    return {};
  for (std::string_view word : splitAt(text, ',')) {
    size_t equal = word.find('=');
    if (equal == std::string_view::npos || equal == 0 || equal + 1 == word.size())
      return wrong("ACIS_OPERATORS", word, "function=file or function=file:handler");
    std::string_view file = word.substr(equal + 1);
    size_t colon = std::min(file.rfind(':'), file.size());
    operators.push_back({std::string(word.substr(0, equal)), std::string(file.substr(0, colon)),
                         std::string(file.substr(std::min(colon + 1, file.size())))});
  }
  return {};
}

/// ACIS_JOIN
Status readJoins(const Environment &environment, Joins &joins) {
  const char *text = environment("ACIS_JOIN");
  const std::string_view value = text ? text : "";
  if (value == "creation")
    joins = Joins::AtCreation;
  else if (value == "use")
    joins = Joins::AtUse;
  else if (!value.empty())
    return wrong("ACIS_JOIN", value, "creation or use");
  return {};
}

/// "loss=0.01,duplicate=0.01,reorder=0.01,corrupt=0.01,delay=0.01,seed=7"
Status readFaults(const Environment &environment, FaultOptions &faults) {
  const char *text = environment("ACIS_FAULTS");
  if (!text)
    return {};
  const std::pair<std::string_view, double *> rates[] = {{"loss", &faults.loss},
                                                         {"duplicate", &faults.duplicate},
                                                         {"reorder", &faults.reorder},
                                                         {"corrupt", &faults.corrupt},
                                                         {"delay", &faults.delay}};
  for (std::string_view word : splitAt(text, ',')) {
    size_t equal = std::min(word.find('='), word.size());
    std::string_view name = word.substr(0, equal);
    std::string_view value = word.substr(std::min(equal + 1, word.size()));
    if (name == "seed") {
      if (!parse(value, faults.seed))
        return wrong("ACIS_FAULTS", word, "seed=<whole number>");
      continue;
    }
    auto rate = std::find_if(std::begin(rates), std::end(rates),
                             [&](const auto &entry) { return entry.first == name; });
    if (rate == std::end(rates) || !parse(value, *rate->second) ||
        !(*rate->second >= 0 && *rate->second <= 1))
      return wrong("ACIS_FAULTS", word,
                   "loss, duplicate, reorder, corrupt or delay = a rate from 0 to 1, or seed");
  }
  return {};
}

} // namespace

bool Policy::mayUseNodes() const {
  return choosesByHosts() ||
         std::any_of(rules.begin(), rules.begin() + numRules, [](const AlgorithmRule &rule) {
           return rule.algorithm == algorithms::Algorithm::Nodes;
         });
}

bool Policy::mayUseHosts() const {
  return std::any_of(rules.begin(), rules.begin() + numRules, [](const AlgorithmRule &rule) {
    return rule.algorithm == algorithms::Algorithm::Hosts || isByHosts(rule.algorithm);
  });
}

algorithms::Algorithm Policy::algorithmFor(Kind kind, uint64_t bytes) const {
  for (uint32_t r = numRules; r > 0; --r)
    if (rules[r - 1].kind == kind && bytes >= rules[r - 1].fromBytes)
      return rules[r - 1].algorithm;
  return algorithms::Algorithm::Automatic;
}

bool Policy::movesTooMuch(Kind kind, uint64_t bytes, uint64_t size) const {
  const double each = double(bytes) * double(size); // what one rank, or all, send or get
  switch (kind) {
  case Kind::Gather:
  case Kind::Scatter:
    return 2 * each > double(moveBytes);
  case Kind::Allgather:
    return each * double(1 + size) > double(moveBytes);
  case Kind::Alltoall:
    return 2 * each * double(size) > double(moveBytes);
  default:
    return false;
  }
}

Result<Settings> readSettings(const Environment &environment) {
  Settings settings;
  auto textOf = [&](const char *variable) {
    const char *text = environment(variable);
    return std::string(text ? text : "");
  };
  settings.endpoint.address = textOf("ACIS_SWITCH");
  settings.endpoint.key = textOf("ACIS_KEY");
  settings.why = textOf("ACIS_WHY");
  settings.stepsFile = textOf("ACIS_STEPS");
  if (settings.why == "0")
    settings.why.clear();
  settings.policy.counts = !settings.why.empty();
  settings.required = !textOf("ACIS_REQUIRE").empty() && textOf("ACIS_REQUIRE") != "0";

  double spin = std::chrono::duration<double, std::micro>(settings.session.spin).count();
  for (const Status &status :
       {readNumber(environment, "ACIS_JOB", uint32_t(0), UINT32_MAX, settings.endpoint.job),
        readNumber(environment, "ACIS_MAX_BYTES", uint64_t(0), UINT64_MAX,
                   settings.policy.maxBytes),
        readNumber(environment, "ACIS_MOVE_BYTES", uint64_t(0), UINT64_MAX,
                   settings.policy.moveBytes),
        readNumber(environment, "ACIS_FUSED_BYTES", uint64_t(0), UINT64_MAX,
                   settings.policy.fusedBytes),
        readNumber(environment, "ACIS_SPIN_US", 0.0, 1e6, spin),
        readSeconds(environment, "ACIS_TIMEOUT", settings.timeout),
        readSeconds(environment, "ACIS_DEAD_AFTER", settings.session.deadAfter),
        readKinds(environment, "ACIS_OFFLOAD", settings.policy.kinds),
        readKinds(environment, "ACIS_STEPS_AT", settings.stepKinds),
        readAlgorithms(environment, settings.policy), readLeaves(environment, settings),
        readParents(environment, settings), readWay(environment, settings.session.way),
        readOperators(environment, settings.operators), readJoins(environment, settings.joins),
        readHostLeaves(environment, settings), readHosts(environment, settings),
        readFaults(environment, settings.session.faults)})
    if (!status)
      return status.error();
  readCosts(environment, settings);
  // Who may be silent for longer may also take longer to answer at first.
  settings.session.openTimeout = std::max(settings.session.openTimeout, settings.session.deadAfter);
  settings.session.spin =
      std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double, std::micro>(spin));
  return settings;
}

Result<Endpoint> endpointOf(const Settings &settings, uint32_t rank) {
  Endpoint endpoint = settings.endpoint;
  const std::vector<uint16_t> &leaves = settings.session.leafOfRank;
  if (leaves.empty())
    return endpoint;
  std::vector<std::string_view> addresses = splitAt(settings.endpoint.address, ',');
  if (rank >= leaves.size() || leaves[rank] >= addresses.size())
    return Error{"ACIS_LEAVES", "names no switch of ACIS_SWITCH for rank " + std::to_string(rank)};
  endpoint.address = std::string(addresses[leaves[rank]]);
  return endpoint;
}

} // namespace acis::mpi

// The command line through CLI11, whose exceptions end in this file.
#include "runtime/switch/acisd/Options.h"

#include "backend/support/CommandLine.h"
#include "runtime/switch/core/Topology.h"
#include "runtime/switch/memory/Blocks.h"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace acis::acisd {

namespace {

constexpr const char *description =
    "Runs a switch that computes on what passes: collectives of MPI programs, and packets\n"
    "of handlers that acisc compiled.\n\n"
    "Hosts (and switches below) attach over UDP. With a topology file the same program is\n"
    "a leaf or a spine, or an engine of a direct network; without one it is the only switch.";

/// Of the same program by the name acis-memd.
constexpr const char *nodeDescription =
    "Runs a memory node: a region of memory that hosts read and write over the network, and\n"
    "functions, compiled by acisc, that run on what lies there. It is acisd with a region, of\n"
    "which one has to be named, and a switch as well.";

constexpr std::string_view nodeProgram = "acis-memd";

constexpr const char *footer =
    "Example: acisd --listen 127.0.0.1:9000 --key-file job.key\n"
    "         acis-memd --listen 127.0.0.1:9001 --config u280.json --region 64M\n"
    "It says on standard output where it listens and runs until SIGINT or SIGTERM.\n"
    "Exit code: 0, or 1 after an error.";

struct Texts {
  std::string listen = "127.0.0.1:0", topology, name, keyFile, faults;
  std::string controlTls, metrics, logFormat;
  std::string casts = "auto";
  std::vector<std::string> rules;
  std::string handlerListen = "127.0.0.1:0", engine = "fast", state = "one";
  double deadAfter = 10, spin = 1000;
};

void declare(CLI::App &app, Options &options, Texts &texts) {
  sw::SwitchConfig &config = options.config;
  app.set_help_flag("-h,--help", "print this help");
  app.set_version_flag("--version", options.program + " (ACiS) " ACIS_VERSION, "print the version");
  app.footer(footer);
  app.add_option("--listen", texts.listen,
                 "address and UDP port (default: 127.0.0.1:0, any free port)")
      ->type_name("HOST:PORT");
  app.add_option("--topology", texts.topology, "topology file; needs --name")->type_name("FILE");
  app.add_option("--name", texts.name, "which switch of the topology file this is")
      ->type_name("NAME");
  app.add_option("--key-file", texts.keyFile,
                 "file with the fabric's key, 32 hexadecimal digits; each job's key is\n"
                 "derived from it (default: no authentication, for a trusted fabric)")
      ->type_name("FILE");
  app.add_option("--config", options.overlay,
                 "overlay that user-defined operators and handlers run on: a description, or\n"
                 "the name of a shipped one (default: none, they are refused)")
      ->type_name("FILE");
  app.add_option("--handler", options.handler,
                 "switch binary whose handler gets the packets of --handler-listen; what it\n"
                 "sends goes back to where they came from; needs --config")
      ->type_name("FILE");
  app.add_option("--handler-listen", texts.handlerListen,
                 "address and UDP port of the handler (default: 127.0.0.1:0, any free port)")
      ->type_name("HOST:PORT");
  app.add_option("--handler-name", options.handlerName,
                 "the handler's name, if the binary has several")
      ->type_name("NAME");
  app.add_option("--engine", texts.engine,
                 "of handlers, operators, ops and functions on blocks: fast (default), or model,\n"
                 "which counts cycles")
      ->check(CLI::IsMember({"fast", "model"}));
  app.add_option("--workers", options.workers,
                 "threads that packets of handlers are spread over, by sender: those of one\n"
                 "address and port stay in order (default: 0, the switch's own thread)")
      ->check(CLI::Range(0u, 256u))
      ->type_name("N");
  app.add_option("--job-workers", options.jobWorkers,
                 "threads that jobs are spread over, by their numbers: a job is one thread's, and\n"
                 "limits of jobs, ranks and communicators are each thread's (default: 1)")
      ->check(CLI::Range(1u, 64u))
      ->type_name("N");
  app.add_option("--state", texts.state,
                 "one (default): a handler that keeps state between packets runs on one worker;\n"
                 "each: on every one, with a state of its own")
      ->check(CLI::IsMember({"one", "each"}));
  app.add_option("--forward", options.forward,
                 "forward Ethernet frames between this port and the others that are given so\n"
                 "(docs/forwarding.md): an interface such as eth1 (needs CAP_NET_RAW), tap:NAME\n"
                 "(needs CAP_NET_ADMIN), or udp:HOST:PORT-HOST:PORT, from here to another switch")
      ->type_name("PORT")
      ->allow_extra_args(false);
  app.add_option("--station", options.stations,
                 "where the station with this address is, whatever is learnt")
      ->type_name("MAC=PORT")
      ->allow_extra_args(false);
  app.add_option("--rule", texts.rules,
                 "let datagrams that pass and match go through a handler, such as\n"
                 "udp=9100,to=10.0.2.0/24:quantise.acis; with several handlers in the file,\n"
                 "quantise.acis#NAME; needs --forward and --config")
      ->type_name("MATCH:FILE")
      ->allow_extra_args(false);
  app.add_option("--region", options.region,
                 "be a memory node with so many bytes for blocks, such as 64M (docs/near-data.md)")
      ->transform(CLI::AsSizeValue(false))
      ->type_name("BYTES");
  app.add_option("--region-file", options.regionFile,
                 "be a memory node whose region is this file; its blocks outlast jobs and the node")
      ->type_name("FILE");
  app.add_option("--fold-at", options.foldAt,
                 "switch that folds what this memory node and others give to a reduction, so that\n"
                 "a host hears one result (docs/near-data.md; default: none, hosts fold)")
      ->type_name("HOST:PORT");
  app.add_option("--launchers", options.launchers,
                 "threads that run functions on blocks (default: 1)")
      ->check(CLI::Range(1u, 256u))
      ->type_name("N");
  app.add_option("--memory", options.memory, "content of the handler's off-chip memory")
      ->type_name("FILE");
  app.add_option("--control", options.control,
                 "Unix socket for acisctl, for the owner only (default: none)")
      ->type_name("PATH");
  app.add_option("--control-tls", texts.controlTls,
                 "address and TCP port for acisctl on other machines, over TLS: both ends show\n"
                 "certificates; needs --cert, --key and --ca (default: none)")
      ->type_name("HOST:PORT");
  app.add_option("--cert", options.tlsFiles.certificate, "the switch's certificate (PEM)")
      ->type_name("FILE");
  app.add_option("--key", options.tlsFiles.key, "the certificate's private key (PEM)")
      ->type_name("FILE");
  app.add_option("--ca", options.tlsFiles.authority,
                 "authorities that sign the certificates of who may control the switch (PEM)")
      ->type_name("FILE");
  app.add_option("--metrics", texts.metrics,
                 "address and TCP port where Prometheus gets the counters, by HTTP at /metrics;\n"
                 "whoever reaches it can read them (default: none)")
      ->type_name("HOST:PORT");
  app.add_option("--log-format", texts.logFormat,
                 "say on standard error what becomes of jobs, sessions and handlers, a line each:\n"
                 "text, or json, an object in each line (default: no log)")
      ->check(CLI::IsMember({"text", "json"}));
  app.add_option("--capture", options.capture,
                 "write what it receives and sends to a pcapng file; comments of packets have\n"
                 "cycles (engine model) and why a packet was dropped")
      ->type_name("FILE");
  app.add_option("--capture-bytes", options.captureBytes,
                 "most bytes of that file; later packets are only counted (default: 1 GiB)")
      ->type_name("N");
  app.add_option("--dead-after", texts.deadAfter,
                 "seconds of silence after which a rank or a switch is dead (default: 10)")
      ->check(CLI::Range(0.05, 86400.0))
      ->type_name("S");
  app.add_option("--spin", texts.spin,
                 "microseconds of polling after each datagram before sleeping, unless the\n"
                 "core has other work (default: 1000)")
      ->check(CLI::NonNegativeNumber)
      ->type_name("US");
  app.add_option("--multicast", texts.casts,
                 "the first of 65,536 IPv4 multicast groups, on the network of --listen, for\n"
                 "results that go to all members of a communicator; off: each gets its own; auto\n"
                 "(default): 239.193.0.0 if it listens on the loopback device, else off")
      ->type_name("A.B.C.D:PORT");
  app.add_flag("--segments", options.segments,
               "hand handlers' answers of one length to one address to the system together\n"
               "(UDP_SEGMENT); quicker, and the same packets on the wire. The main port does so\n"
               "always");
  app.add_option("--message-bytes", config.messageBytes, "most bytes of a message (default: 65536)")
      ->check(CLI::Range(64u, 1u << 20))
      ->type_name("N");
  app.add_option("--packet-bytes", config.packetBytes,
                 "most payload of a datagram, where the path takes so much in one piece; messages\n"
                 "are cut into up to 64 (default: 16384)")
      ->check(CLI::Range(64u, unsigned(wire::MaxPacketPayload)))
      ->type_name("N");
  app.add_option("--slots", config.slots, "messages of a communicator in use at once (default: 64)")
      ->check(CLI::Range(1u, 4096u))
      ->type_name("N");
  app.add_option("--max-jobs", config.maxJobs, "most jobs at once (default: 64)")->type_name("N");
  app.add_option("--max-sessions", config.maxSessions, "most ranks and switches (default: 4096)")
      ->type_name("N");
  app.add_option("--max-communicators", config.maxContexts,
                 "entries of the communicator table (default: 4096)")
      ->type_name("N");
  app.add_option("--max-job-bytes", config.maxJobBytes, "memory of a job (default: 256 MiB)")
      ->type_name("N");
  app.add_option("--max-kept-bytes", config.maxKeptBytes,
                 "of it for what ops of fused calls read again in the next call (default: 16 MiB)")
      ->type_name("N");
  app.add_option("--max-packets-per-second", config.packetsPerSecond,
                 "packets taken from one source in a second (default: no limit)")
      ->type_name("N");
  app.add_option("--faults", texts.faults,
                 "faults on outgoing datagrams, for tests: loss=0.01,duplicate=0.01,\n"
                 "reorder=0.01,corrupt=0.01,delay=0.01,delay-time=1000,seed=1")
      ->type_name("LIST");
  app.add_option("--stats", options.statistics,
                 "write the counters to a file at the end; - is standard output")
      ->type_name("FILE");
}

Result<std::string> fileText(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf()))
    return Error{path, "cannot be read"};
  return text.str();
}

Status useTopology(Options &options, Texts &texts) {
  Result<std::string> source = fileText(texts.topology);
  if (!source)
    return source.error();
  Result<sw::Topology> topology = sw::Topology::read(*source);
  if (!topology)
    return Error{texts.topology + ": " + topology.error().where, topology.error().what};
  Result<uint16_t> id = topology->switchNamed(texts.name);
  if (!id)
    return Error{texts.topology, id.error().what + "; name one with --name"};
  const sw::Topology::Switch &own = topology->switches[*id];
  texts.listen = own.address;
  options.config.id = *id;
  if (own.ports > 0)
    options.config.maxSessions = own.ports;
  if (topology->fabric) {
    Result<direct::Network> network = topology->networkOf(*id);
    if (!network)
      return Error{texts.topology, network.error().str()};
    options.config.network = std::make_shared<const direct::Network>(std::move(*network));
  }
  for (uint16_t parent : own.parents) {
    Result<wire::Address> address = wire::parseAddress(topology->switches[parent].address);
    if (!address)
      return address.error();
    options.config.parents.push_back(*address);
  }
  return Status::ok();
}

/// `casts` as in --multicast.
Status useCasts(Options &options, const std::string &casts) {
  if (casts == "off" || (casts == "auto" && !options.listen.isV4Loopback()))
    return Status::ok();
  if (casts == "auto") {
    options.castsOnLoopback = true;
    return Status::ok();
  }
  Result<wire::Address> first = wire::parseAddress(casts);
  if (!first)
    return Error{"--multicast", first.error().what};
  if (!first->isV4Multicast() || first->port == 0)
    return Error{"--multicast", first->str() + " is not an IPv4 multicast group (224.0.0.0 to "
                                               "239.255.255.255) and a port; or say off or auto"};
  options.config.casts = *first;
  return Status::ok();
}

/// "udp=9100,to=fd00::/8:quantise.acis": the file is behind the last colon.
Status useRules(Options &options, const std::vector<std::string> &rules) {
  if (options.forward.empty() && (!rules.empty() || !options.stations.empty()))
    return Error{rules.empty() ? "--station" : "--rule",
                 "needs ports to forward between: --forward"};
  if (options.forward.size() == 1)
    return Error{"--forward", "one port; there is nothing to forward to, give another"};
  if (!rules.empty() && options.overlay.empty())
    return Error{"--rule", "needs the overlay that the binary was compiled for: --config"};
  for (const std::string &rule : rules) {
    const size_t colon = rule.rfind(':');
    if (colon == std::string::npos || colon + 1 == rule.size())
      return Error{"--rule " + rule, "is no MATCH:FILE"};
    const std::string file = rule.substr(colon + 1);
    const size_t hash = file.rfind('#');
    options.rules.push_back({rule.substr(0, colon), file.substr(0, hash),
                             hash == std::string::npos ? "" : file.substr(hash + 1)});
  }
  return Status::ok();
}

Status complete(Options &options, Texts &texts) {
  if (texts.topology.empty() != texts.name.empty())
    return Error{"", "--topology and --name go together"};
  if (!texts.topology.empty())
    if (Status status = useTopology(options, texts); !status)
      return status;
  Result<wire::Address> listen = wire::parseAddress(texts.listen);
  if (!listen)
    return Error{"--listen", listen.error().what};
  options.listen = *listen;
  if (Status status = useCasts(options, texts.casts); !status)
    return status;
  Result<wire::Address> handlerListen = wire::parseAddress(texts.handlerListen);
  if (!handlerListen)
    return Error{"--handler-listen", handlerListen.error().what};
  options.handlerListen = *handlerListen;
  const tls::Files &files = options.tlsFiles;
  const bool complete =
      !files.certificate.empty() && !files.key.empty() && !files.authority.empty();
  const bool any = !files.certificate.empty() || !files.key.empty() || !files.authority.empty();
  if (texts.controlTls.empty() ? any : !complete)
    return Error{"--control-tls", "goes together with --cert, --key and --ca"};
  if (!texts.controlTls.empty()) {
    Result<wire::Address> at = wire::parseAddress(texts.controlTls);
    if (!at)
      return Error{"--control-tls", at.error().what};
    options.controlTls = *at;
  }
  if (!texts.metrics.empty()) {
    Result<wire::Address> at = wire::parseAddress(texts.metrics);
    if (!at)
      return Error{"--metrics", at.error().what};
    options.metrics = *at;
  }
  if (!texts.logFormat.empty())
    options.logFormat = texts.logFormat == "json" ? LogFormat::Json : LogFormat::Text;
  options.exact = texts.engine == "model";
  options.isNode = options.region > 0 || !options.regionFile.empty();
  if (!options.isNode && options.program == nodeProgram)
    return Error{"--region", "is not given; say how large the region is (--region 64M), or which "
                             "file has it (--region-file FILE)"};
  if (options.isNode && options.regionFile.empty() && options.region < memory::Blocks::Least)
    return Error{"--region", std::to_string(options.region) + " bytes; at least " +
                                 std::to_string(memory::Blocks::Least) + " are needed"};
  if (options.jobWorkers > 1 && (options.isNode || options.config.network))
    return Error{"--job-workers", std::to_string(options.jobWorkers) +
                                      (options.isNode ? "; a memory node's blocks are of all jobs"
                                                      : "; an engine hands on what is others'") +
                                      ", so that it has one thread: leave the option out"};
  if (!options.foldAt.empty()) {
    if (!options.isNode)
      return Error{"--fold-at", "is of a memory node, which has --region or --region-file"};
    if (auto at = wire::parseAddress(options.foldAt); !at)
      return Error{"--fold-at", at.error().what};
  }
  if (Status rules = useRules(options, texts.rules); !rules)
    return rules;
  options.stateEach = texts.state == "each";
  if (!options.handler.empty() && options.overlay.empty())
    return Error{"--handler", "needs the overlay that the binary was compiled for: --config"};
  if (!texts.keyFile.empty()) {
    const Result<wire::Key> key = wire::readKeyFile(texts.keyFile);
    if (!key)
      return key.error();
    options.config.master = *key;
  }
  Result<wire::FaultRates> faults = wire::parseFaults(texts.faults);
  if (!faults)
    return Error{"--faults", faults.error().what};
  options.faults = *faults;
  options.config.deadAfter = wire::Time(texts.deadAfter * double(wire::Second));
  options.spin = wire::Time(texts.spin * double(wire::Microsecond));
  options.config.packetBytes = std::min(options.config.packetBytes, options.config.messageBytes);
  if (options.config.messageBytes / options.config.packetBytes >= wire::MaxParts)
    return Error{"--packet-bytes",
                 "a message is cut into at most " + std::to_string(wire::MaxParts - 1) +
                     " packets; with this, --message-bytes may be " +
                     std::to_string((wire::MaxParts - 1) * options.config.packetBytes)};
  options.config.secret = wire::randomBits();
  return Status::ok();
}

} // namespace

wire::Address loopbackCasts(const wire::Address &listening) {
  wire::Address first = listening;
  first.ip[12] = 239;
  first.ip[13] = 193;
  first.ip[14] = first.ip[15] = 0;
  first.port = uint16_t(10'000 + listening.port % 20'000);
  return first;
}

std::optional<int> parseOptions(int argc, char **argv, Options &options) {
  if (argc > 0 && std::filesystem::path(argv[0]).filename() == nodeProgram)
    options.program = nodeProgram;
  CLI::App app(options.program == nodeProgram ? nodeDescription : description, options.program);
  Texts texts;
  declare(app, options, texts);
  if (std::optional<int> code = parseCommandLine(app, argc, argv, options.program))
    return code;
  Status status = complete(options, texts);
  return refuseCommandLine(options.program, status ? "" : status.error().str());
}

} // namespace acis::acisd

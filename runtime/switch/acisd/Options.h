// The command line of acisd.
#pragma once

#include "runtime/switch/acisd/Log.h"
#include "runtime/switch/core/Switch.h"
#include "runtime/switch/tls/Tls.h"
#include "runtime/switch/wire/Faults.h"

#include <optional>
#include <string>
#include <vector>

namespace acis::acisd {

struct Options {
  std::string program = "acisd"; ///< the name that it was called by: "acis-memd" has a region
  wire::Address listen;
  sw::SwitchConfig config;
  std::string overlay;                      ///< for user operators and handlers; "": none
  std::string handler, handlerName, memory; ///< binary, its handler, content of its memory
  wire::Address handlerListen;
  bool exact = false;                ///< engine `model`
  bool stateEach = false;            ///< each worker may have a state of its own
  unsigned workers = 0;              ///< threads for handlers; 0: none of their own
  unsigned jobWorkers = 1;           ///< threads that share jobs, the main one among them
  std::vector<std::string> forward;  ///< ports for frames; none: nothing is forwarded
  std::vector<std::string> stations; ///< "MAC=PORT"
  struct Rule {
    std::string match, binary, handler;
  };
  std::vector<Rule> rules;
  std::string control;                     ///< path of the control socket; "": none
  std::optional<wire::Address> controlTls; ///< where it listens for control over TLS
  tls::Files tlsFiles;
  std::optional<wire::Address> metrics; ///< where Prometheus asks; none
  std::optional<LogFormat> logFormat;   ///< of lines on standard error; none: no log
  std::string capture;                  ///< pcapng file; "": none
  uint64_t captureBytes = uint64_t(1) << 30;
  wire::FaultRates faults;
  bool castsOnLoopback = false; ///< multicast groups of its own, on this machine
  bool segments = false;        ///< handlers' answers go out as segments (UDP_SEGMENT)
  wire::Time spin = 0;          ///< polls for so long after each datagram before it sleeps
  uint64_t region = 0;          ///< bytes of a memory node's region
  std::string regionFile;       ///< "": memory of this process
  bool isNode = false;          ///< a memory node
  std::string foldAt;           ///< the switch that this node's parts of folds go to; "": none
  unsigned launchers = 1;       ///< threads that run launches
  std::string statistics;       ///< file for the counters at the end; "-": standard output
};

/// Multicast groups for a switch on this machine: of another port for nearly every switch, so that
/// hosts get little that is not for them, below those that the system gives away.
wire::Address loopbackCasts(const wire::Address &listening);

/// Fills `options`, or gives the exit code after --help, --version or an error.
std::optional<int> parseOptions(int argc, char **argv, Options &options);

} // namespace acis::acisd

// Handlers on the wire over one worker or many: which handler is at which address, loading,
// replacing and unloading it for all workers at once, and its counters over all of them.
#pragma once

#include "runtime/switch/acisd/CaptureFile.h"
#include "runtime/switch/acisd/Core.h"
#include "runtime/switch/core/Handlers.h"

namespace acis::acisd {

/// How many states a handler has that keeps one between packets.
enum class StateUse : uint8_t {
  One,  ///< all its packets are seen by one worker
  Each, ///< each worker has one of its own
};

class HandlerService {
public:
  struct Config {
    sw::SwitchConfig core; ///< of limits, those per source hold
    unsigned threads = 0;  ///< 0: the owner serves the handlers, by receive() and so on
    bool segments = false;
    wire::Time spin = 0;
    CaptureFile *capture = nullptr; ///< outlives this
    sw::Tap *tap = nullptr;         ///< without threads: the owner's, of that file
    std::shared_ptr<sw::SourceRates> rates;
  };
  HandlerService(const Overlay &overlay, const Config &config);

  /// Opens the address if it is not, or replaces the handler there. The new ones are ready
  /// before the old ones go, and all workers change between the same two batches, with no
  /// answer of the old handler to come: no packet is lost, and none sees both. Fails with the
  /// loader's reason; what was there goes on.
  Result<wire::Address> load(const wire::Address &listen, sw::HandlerLoad what,
                             StateUse state = StateUse::One);
  /// Closes the address. Fails if there is no handler.
  Status unload(const wire::Address &listen);

  struct PortStatus {
    wire::Address listen;
    std::string handler;
    bool exact = false;
    sw::HandlerCounters counters;         ///< of all workers, since the address was opened
    std::vector<uint64_t> workerReceived; ///< packets by worker, likewise
    std::string lastTrap;                 ///< "handler.c:12: what", of any worker, or ""
    std::string whyKeepsState;            ///< loader/StateUse.h
    bool onAllWorkers = false;
  };
  std::vector<PortStatus> ports();
  /// Of the workers' cores and of all handlers.
  sw::Statistics statistics();

  // Without threads, for who owns this.
  size_t receive() { return threaded ? 0 : workers.front()->receive(); }
  wire::Time tick(wire::Time now) { return threaded ? wire::Never : workers.front()->tick(now); }
  void descriptors(std::vector<int> &all) const {
    if (!threaded)
      workers.front()->descriptors(all);
  }

private:
  struct Port {
    wire::Address listen;
    bool onAllWorkers = false;
    std::vector<sw::HandlerCounters> before; ///< by worker, of handlers that were replaced
  };
  using Instances = std::vector<std::unique_ptr<sw::HandlerPort>>; ///< by worker, or null
  std::map<unsigned, Port>::iterator find(const wire::Address &listen);
  Result<Instances> instances(sw::HandlerLoad what, StateUse state, unsigned home) const;
  Result<std::vector<wire::UdpSocket>> open(const wire::Address &listen) const;
  PortStatus statusOf(unsigned number, const Port &port) const;

  /// A share of the packets of handlers.
  struct Worker : Core {
    Worker(const sw::SwitchConfig &config, std::shared_ptr<sw::SourceRates> rates);
    sw::Handlers &handlers;
  };
  using Workers = std::vector<std::unique_ptr<Worker>>;

  const Overlay overlay;
  const bool threaded, segments;
  CaptureFile *const capture;
  Workers workers;
  std::map<unsigned, Port> table;
  unsigned last = 0; ///< port number
};

} // namespace acis::acisd

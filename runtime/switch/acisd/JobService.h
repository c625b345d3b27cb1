// Jobs over one thread or several: all packets of a job are one worker's, which has its sessions,
// its communicators and its control groups, so that workers share nothing but limits per source.
#pragma once

#include "runtime/switch/acisd/CaptureFile.h"
#include "runtime/switch/acisd/Core.h"
#include "runtime/switch/core/Collectives.h"
#include "runtime/switch/core/Control.h"

namespace acis::acisd {

class JobService {
public:
  struct Config {
    sw::SwitchConfig core; ///< its limits are each worker's, but for those per source
    wire::Time spin = 0;
    wire::FaultRates faults;
    sw::EngineChoice engine; ///< of user operators and ops
    std::shared_ptr<sw::SourceRates> rates;
    sw::Journal *journal = nullptr; ///< safe for threads if there are several workers
  };
  /// `sockets`: one for each worker, a group (UdpSocket::bindGroup).
  JobService(std::vector<wire::UdpSocket> sockets, const Config &config);
  ~JobService();

  /// The owner's, for plugins that are not of jobs.
  sw::Switch &first() { return workers.front()->device; }
  /// What other workers receive and send goes to the file, too, which outlives them. Before
  /// start().
  void capture(CaptureFile &file);
  /// The other workers begin.
  void start();

  // For the owner.
  size_t receive() { return workers.front()->receive(); }
  wire::Time tick(wire::Time now) { return workers.front()->tick(now); }
  void descriptors(std::vector<int> &all) const { workers.front()->descriptors(all); }

  /// Of all workers.
  sw::Statistics statistics();
  std::vector<sw::Control::Status> groups();
  /// sw::Control::change, wherever the group is.
  std::string change(sw::JobId job, uint32_t context, const wire::Policy &policy);

private:
  struct Worker final : Core, Elsewhere {
    Worker(JobService &all, unsigned number, const Config &config);
    bool takes(const wire::Address &from, std::span<const uint8_t> datagram) override;
    void refused(const wire::Address &to) override;

    JobService &all;
    const unsigned number;
    sw::Control *steered = nullptr; ///< the device's
  };

  unsigned workerOf(sw::JobId job) const;

  const wire::Time spin;
  std::vector<std::unique_ptr<Worker>> workers;
};

} // namespace acis::acisd

// A Session over UDP: a HostSession in its SocketLoop.
#pragma once

#include "runtime/host/client/Session.h"
#include "runtime/host/client/SocketLoop.h"

namespace acis::client {

class UdpSession final : public Session {
public:
  UdpSession(const HostSession::Config &config, const SessionOptions &options, wire::UdpSocket udp,
             const wire::Address &peer)
      : options(options), loop(config, options, std::move(udp), peer), session(loop.hosted()) {}
  ~UdpSession() override { (void)close(std::chrono::milliseconds(200)); }

  Status attach();

  Status addCommunicator(uint32_t context, std::span<const uint32_t> ranks) override;
  Status reach(std::span<const uint32_t> ranks) override;
  Status freeCommunicator(uint32_t context) override;
  void retireCommunicator(uint32_t context) override;
  Result<uint64_t> loadOperator(std::span<const uint8_t> elf, const std::string &name) override;
  Status supports(const Collective &collective) const override;
  bool weigh(const Collective &collective) override;
  Result<Request> start(const Collective &collective) override;
  Result<bool> test(Request request) override;
  Status wait(Request request, Nanoseconds timeout) override;
  Status progress() override;
  Status drain(Nanoseconds timeout) override;
  Status close(Nanoseconds timeout) override;
  Status openControl(uint32_t context, std::span<const uint32_t> ranks,
                     const wire::Policy &policy) override;
  Status beginIteration(uint32_t context, uint64_t iteration, Nanoseconds timeout,
                        Nanoseconds waited) override;
  Status endIteration(uint32_t context, uint64_t iteration) override;
  Result<ControlState> control(uint32_t context) override;
  size_t taskBytes() const override;
  Status putTask(uint32_t context, std::span<const uint8_t> task) override;
  Result<NextTask> nextTask(uint32_t context, Nanoseconds timeout) override;
  Result<GroupSum> sum(uint32_t context, std::span<const double> share,
                       Nanoseconds timeout) override;
  Status closeControl(uint32_t context, Nanoseconds timeout) override;
  Result<uint64_t> startAccess(const wire::Access &access, bool polled) override;
  Result<bool> testAccess(uint64_t id) override;
  Result<wire::Outcome> waitAccess(uint64_t id, Nanoseconds timeout) override;
  uint32_t accessBytes() const override;
  const SessionCounters &counters() const override;

private:
  Status isUsable(const HostControl *, uint32_t context);
  /// Under the lock.
  Status beginSum(uint32_t context, std::span<const double> share);

  SessionOptions options;
  mutable SocketLoop loop;
  HostSession &session; ///< under the loop's lock
};

} // namespace acis::client

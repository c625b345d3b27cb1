// Counters over HTTP for Prometheus: GET /metrics, and nothing else. Off unless acisd is told an
// address; it says how much passes, so the address should be one that only the collector reaches.
#pragma once

#include "backend/support/Result.h"
#include "runtime/switch/wire/Address.h"
#include "runtime/switch/wire/Clock.h"

#include <functional>
#include <list>
#include <string>
#include <vector>

namespace acis::acisd {

class MetricsPort {
public:
  static constexpr size_t MostClients = 8, MostRequestBytes = 8192;
  static constexpr wire::Time Patience = 5 * wire::Second; ///< for a whole request

  static Result<MetricsPort> listen(const wire::Address &address);
  MetricsPort(MetricsPort &&) noexcept;
  MetricsPort &operator=(MetricsPort &&) = delete;
  ~MetricsPort();

  /// Takes what has come, without blocking, and answers requests that are complete; `text` is
  /// asked for when one is.
  void serve(wire::Time now, const std::function<std::string()> &text);
  /// Adds what to wait on.
  void descriptors(std::vector<int> &all) const;
  wire::Address localAddress() const;

private:
  struct Client {
    int fd;
    wire::Time since;
    std::string request, reply;
    bool answered = false;
  };
  explicit MetricsPort(int fd) : fd(fd) {}
  bool progress(Client &client, const std::function<std::string()> &text);

  int fd;
  std::list<Client> clients;
};

/// What is answered to a request; "": more of it has to come.
std::string replyTo(std::string_view request, const std::function<std::string()> &text);

} // namespace acis::acisd

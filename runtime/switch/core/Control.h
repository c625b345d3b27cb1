// Type 4 of in-switch computing as a plugin: control groups, whose members report how far they are
// and are told how they go on. The top switch of a group decides (control/Pace.h); one below hands
// reports up and orders down (docs/wire-protocol.md).
#pragma once

#include "runtime/switch/control/Echo.h"
#include "runtime/switch/control/Moves.h"
#include "runtime/switch/control/Pace.h"
#include "runtime/switch/control/Sums.h"
#include "runtime/switch/core/Plugin.h"

#include <map>
#include <memory>
#include <set>

namespace acis::sw {

class Control final : public Plugin {
public:
  struct Limits {
    uint32_t groups = 1024;
  };
  Control(Services &services, const Limits &limits) : services(services), limits(limits) {}

  std::string_view name() const override { return "control"; }
  bool takes(wire::PacketType type) const override {
    return type == wire::PacketType::Report || type == wire::PacketType::Move ||
           type == wire::PacketType::Share;
  }
  void packet(const Packet &packet) override;
  void fromAbove(const Packet &packet) override;
  void batchEnded() override;
  void linkOpened(JobId job) override;
  void sessionEnded(SessionId session, JobId job) override;
  Death death(SessionId session, JobId job) const override;
  bool isDrained(JobId job) const override;
  void jobEnded(JobId job) override;
  wire::Time tick() override;
  void statistics(Statistics &out) const override;

  /// What there is, for those who operate the switch.
  struct Status {
    JobId job = 0;
    uint32_t context = 0, members = 0;
    bool decides =
        false; ///< the top switch of the group; else only `context` and `order` are known
    wire::Policy policy;
    wire::Order order;
    uint64_t measured = 0, missedDeadlines = 0;
    uint64_t moved = 0;              ///< tasks
    uint64_t sums = 0, partials = 0; ///< of these, not of all members
  };
  std::vector<Status> groups() const;
  /// From here on; "" or why not. Only where the group is decided on.
  std::string change(JobId job, uint32_t context, const wire::Policy &policy);

  void fingerprint(std::vector<uint64_t> &out) const;

private:
  using Key = std::pair<JobId, uint32_t>;
  struct Child {
    SessionId session = 0; ///< 0: it has not come
    wire::Level place;
    uint64_t number = 0; ///< of its last Report
    uint64_t use = 0;    ///< as it says
    bool left = false;   ///< as have all below it
    bool gone = false;   ///< it has said Bye
    control::Echo echo;
  };
  struct Group {
    wire::Join join; ///< of the first who came: the levels above this switch are those of all
    wire::Policy policy;
    wire::Level own;     ///< positions below this switch
    std::string trouble; ///< what this switch has seen
    std::vector<Child> children;
    std::vector<wire::Record> records; ///< by position, from own.first
    std::vector<bool> spoken;
    std::unique_ptr<control::Pace> pace; ///< at the top, and
    std::unique_ptr<control::Moves> moves;
    std::unique_ptr<control::Sums> sums;
    wire::Order order; ///< what goes down
    uint64_t version = 0;
    control::Echo above; ///< not at the top
    uint64_t first = 0;  ///< version of the first Report above
    int64_t charged = 0;
    wire::Time due = 0; ///< there is something to do
  };

  void drop(uint64_t &counter, std::string_view why) {
    ++counter;
    services.note({0, why});
  }
  void report(const Packet &packet);
  // Of one member: tasks and sums (ControlMembers.cpp).
  void ofMember(const Packet &packet);
  void taskOrShare(const Packet &packet, Group &group);
  void sendMember(Key key, Group &group, wire::PacketType type, uint32_t position, uint64_t number,
                  std::span<const uint8_t> payload);
  wire::Time serveMembers(Key key, Group &group);
  bool keep(JobId job, Group &group, size_t bytes);
  void release(JobId job, Group &group);
  static bool isOfGroup(const Group &group, const wire::Report &report);
  std::string admit(const Packet &packet, const wire::Report &report) const;
  Group *begin(const Packet &packet, const wire::Report &report);
  void refuse(const Packet &packet, const std::string &why);
  void confirmEnd(const Packet &packet);
  Child *childOf(Group &group, const Packet &packet, const wire::Report &report);
  void take(Group &group, const wire::Report &report);
  void trouble(Group &group, const std::string &what);
  void changed(Group &group);
  void spread(Group &group);
  void serve(Key key, Group &group);
  void sendDown(uint32_t context, Group &group, Child &child);
  void sendUp(Key key, Group &group);
  bool isOver(const Group &group) const;
  void end(std::map<Key, Group>::iterator at);

  Services &services;
  Limits limits;
  std::map<Key, Group> table;
  /// By session and context: the last use that has ended. Charged to the job.
  std::map<std::pair<SessionId, uint32_t>, uint64_t> used;
  std::set<SessionId> ended; ///< have said Bye
  uint64_t versions = 0;     ///< of Reports above
  struct {
    uint64_t begun = 0, reports = 0, orders = 0, old = 0, malformed = 0, refused = 0;
  } count;
};

} // namespace acis::sw

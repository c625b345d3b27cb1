// Hosts and switches, the real code, with a network whose every step somebody chooses: what
// the exploration of all orders and faults stands on. Nothing happens but by an Action; the
// same actions give the same world.
#pragma once

#include "runtime/host/client/HostSession.h"
#include "runtime/switch/core/Collectives.h"
#include "runtime/switch/core/Control.h"
#include "runtime/switch/core/Memory.h"
#include "runtime/switch/core/Switch.h"

#include <deque>
#include <map>
#include <memory>
#include <unordered_set>

namespace acis::explore {

/// One thing that a rank does; it goes on to the next when this one is over.
struct Step {
  enum class Do : uint8_t {
    Attach,  ///< a session, new each time
    Join,    ///< `context`; over when the switch has answered
    Start,   ///< a collective; over at once
    Task,    ///< a collective with a task, and an Allreduce that the switch begins; over at once
    Await,   ///< until all that was started is complete
    Free,    ///< waits for what was given eagerly, then leaves; over when that is answered
    Close,   ///< waits likewise, then says Bye; over when that is answered
    Enlist,  ///< in the control group `context` of all ranks; over when the switch has heard
    Work,    ///< when the next iteration may begin: that, over at once
    Put,     ///< task `program` to the own queue; over at once
    Run,     ///< tasks, each until something happens: `count`, or until all queues have ended
    Add,     ///< gives its rank + 1 to the next sum; over when that is made
    Try,     ///< runs a task if there is one, else says that it waits; over at once
    Ask,     ///< for the next sum, if it is made
    Die,     ///< says and does nothing any more
    Dismiss, ///< leaves the control group; over when the switch has heard
    Alloc,   ///< a block of its own; over when it is there
    Access,  ///< `access` on that block, with the byte `value`; over at once
  } what;
  uint32_t context = 0;
  Kind kind = Kind::Barrier;
  uint32_t root = 0;    ///< rank of the group
  uint32_t program = 0; ///< of a task, or its number
  uint32_t count = 0;
  wire::Access::Op access = wire::Access::Op::List;
  uint8_t value = 0;
};
using Script = std::vector<Step>;

Step attach();
Step join(uint32_t context = 0);
Step start(Kind kind, uint32_t root = 0, uint32_t context = 0);
/// Of the programs the switches have an odd one.
Step task(Kind first, uint32_t program);
Step await();
Step leave(uint32_t context = 0);
Step close();
Step enlist();
Step work();
Step put(uint32_t task);
/// 0: all.
Step run(uint32_t tasks = 0);
Step tryOne();
Step add();
Step ask();
Step die();
Step dismiss();
Step alloc();
Step write(uint8_t value);
/// A launch that adds 1 to all bytes of the block, and ends when a timer of the switch comes.
Step increment();
/// Finds this byte.
Step read(uint8_t value);
/// The same in a fold of this node alone, which ends when a timer of the switch comes.
Step fold(uint8_t value);
/// Of the block.
Step release();

struct Scene {
  std::vector<uint16_t> leafOfRank;          ///< empty: all on switch 0
  std::vector<uint16_t> parentOfSwitch;      ///< empty: one switch
  std::optional<direct::Fabric> fabric;      ///< the switches are engines of it
  std::vector<std::vector<uint32_t>> groups; ///< world ranks of each context
  std::vector<Script> scripts;               ///< of each rank
  unsigned calm = 0;                         ///< first steps of all, done before the exploration
  uint32_t maxContexts = 16;                 ///< rows of each switch's table
  uint32_t count = 1;                        ///< elements of each collective
  uint32_t pathBytes = 16'384;               ///< of a datagram's payload, in one piece
  bool inPlace = false;                      ///< an Allreduce's result comes where its message is
  wire::Policy policy;                       ///< of the control group
  bool mortal = false;                       ///< who says nothing is dead
  std::optional<uint32_t> mayDie;            ///< a rank, at any moment of a step Run
  bool casts = false;                        ///< hosts can hear what is sent to several at once
  bool memory = false;                       ///< the switches are memory nodes
};

/// What may go wrong so often on one path.
struct Budget {
  unsigned losses = 0, duplicates = 0, timers = 0;
  unsigned holds = 0;    ///< a datagram is late, by as much as one likes
  unsigned pauses = 0;   ///< a rank does nothing for a while
  unsigned deaths = 0;   ///< of Scene::mayDie
  bool anyOrder = false; ///< all datagrams may overtake each other
};

struct Action {
  enum Kind : uint8_t { Deliver, Lose, Duplicate, Hold, Release, Timer, Pause, Resume, Kill } kind;
  static constexpr uint16_t AllNodes = 0xffff;
  uint16_t index = 0; ///< of a datagram on its way, of a late one, a node or a rank
};

class World {
public:
  /// After the calm steps.
  explicit World(const Scene &scene);
  ~World();

  void apply(Action action);
  /// What happens next if nothing more goes wrong; no value when all is over or nothing helps.
  std::optional<Action> next() const;
  /// All that may happen instead, with what is left of the budget afterwards.
  std::vector<std::pair<Action, Budget>> others(const Budget &budget) const;

  bool isOver() const;
  /// "" or what is wrong now.
  std::string wrong() const;
  /// After the end: "" or what the switches still hold.
  std::string remains();
  /// Equal for worlds that behave alike from here on.
  uint64_t fingerprint(bool anyOrder) const;

private:
  struct Flight {
    uint16_t from, to; ///< nodes: ranks, then switches
    std::vector<uint8_t> bytes;
    bool operator==(const Flight &) const = default;
  };
  struct Rank;
  struct Device;
  struct Memory;

  uint16_t nodeOfSwitch(uint32_t id) const { return uint16_t(ranks.size() + id); }
  void deliver(Flight flight);
  void timer(uint16_t node);
  void advance(uint32_t rank);
  bool begin(Rank &rank, const Step &what);
  bool hasEnded(Rank &rank, const Step &what);
  bool runOne(Rank &rank, uint32_t most);
  void endSum(Rank &rank);
  bool mayDie(const Rank &rank) const;
  void dieNow(Rank &rank);
  void attachRank(Rank &rank);
  Collective describe(Rank &rank, const Step &what);
  void startCall(Rank &rank, const Step &what);
  void startAccess(Rank &rank, const Step &what);
  bool endAccesses(Rank &rank);
  void startTask(Rank &rank, const Step &what);
  void settle();
  std::string staleness() const;
  std::string tasksTwice() const;
  std::string tasksLost() const;
  unsigned mostIdleRounds() const;
  static wire::Address addressOf(uint16_t node);

  Scene scene;
  std::vector<std::unique_ptr<Rank>> ranks;
  std::vector<std::unique_ptr<Device>> switches;
  std::deque<Flight> flights, late;
  std::map<wire::Address, std::vector<uint16_t>> listeners; ///< ranks, of multicast groups
  std::unordered_set<uint64_t> delivered; ///< datagrams of sessions, by hash; they count once
  unsigned limit = 0;                     ///< steps of a script that may be done
  unsigned idleRounds = 0;
  std::map<uint64_t, wire::PartialSum> sums; ///< as the first who heard it
  std::string wrongSum, wrongAnswer;
};

} // namespace acis::explore

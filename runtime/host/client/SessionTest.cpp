// Sessions on real sockets: switches in threads of this process, ranks in threads, faults
// on both sides. What the sockets, the lock and waiting add to the simulated tests.
#include "runtime/host/client/Session.h"
#include "runtime/host/client/acis_client.h"
#include "runtime/switch/core/Collectives.h"
#include "runtime/switch/core/Switch.h"
#include "runtime/switch/wire/Faults.h"
#include "runtime/switch/wire/UdpSocket.h"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace acis;
using namespace std::chrono_literals;

namespace {

constexpr wire::Key master = {7, 7, 7, 7, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

/// A switch with a socket and a thread.
class Switch final : sw::Output {
public:
  Switch(sw::SwitchConfig config, const wire::FaultRates &rates = {})
      : socket(std::move(*wire::UdpSocket::bind(*wire::parseAddress("127.0.0.1:0"), 1 << 20))),
        faults(rates, [this](const wire::Address &to,
                             std::span<const uint8_t> bytes) { socket.send(to, bytes); }),
        device(config, *this) {
    device.add(std::make_unique<sw::Collectives>(device.services(), sw::Collectives::Limits{},
                                                 sw::EngineChoice{}));
    thread = std::thread([this] { run(); });
  }
  ~Switch() override { stop(); }
  void stop() {
    stopping = true;
    if (thread.joinable())
      thread.join();
  }
  wire::Address address() const { return socket.localAddress(); }

private:
  void send(unsigned, const wire::Address &to, std::span<const uint8_t> bytes) override {
    faults.pass(to, bytes, wire::systemTime());
  }
  bool takesPieces() const override { return true; }
  void sendPieces(const wire::Address &to, std::span<const uint8_t> head,
                  std::span<const uint8_t> body) override {
    if (faults.any())
      return faults.pass(to, head, body, wire::systemTime());
    socket.send(to, head, body);
  }
  void sendStaying() override { socket.flush(); }
  void run() {
    std::vector<sw::Ingress> batch;
    while (!stopping) {
      socket.receive([&](std::span<const wire::UdpSocket::Arrived> arrived) {
        batch.clear();
        for (const auto &datagram : arrived)
          batch.push_back({0, datagram.from, datagram.bytes});
        device.receive(batch, wire::systemTime());
      });
      const wire::Time now = wire::systemTime();
      const wire::Time next = std::min(device.tick(now), faults.tick(now));
      socket.flush();
      socket.sleep(std::min(next > now ? next - now : 0, 5 * wire::Millisecond));
    }
  }

  wire::UdpSocket socket;
  wire::Faults<wire::Address> faults;
  sw::Switch device;
  std::atomic<bool> stopping = false;
  std::thread thread;
};

std::vector<uint32_t> iota(uint32_t n) {
  std::vector<uint32_t> out(n);
  std::iota(out.begin(), out.end(), 0u);
  return out;
}

void mixed(Session &session, uint32_t rank, uint32_t size, unsigned rounds) {
  for (unsigned i = 0; i < rounds; ++i) {
    const uint64_t count = i % 50 == 0 ? 20'000 : i % 7;
    std::vector<int64_t> in(count, rank + i), out(count, -1);
    Collective call;
    call.context = 1;
    call.kind = i % 3 == 0 ? Kind::Allreduce : i % 3 == 1 ? Kind::Bcast : Kind::Reduce;
    call.op = ReduceOp::Sum;
    call.type = ElementType::Int64;
    call.count = count;
    call.root = i % size;
    call.send = in.data();
    call.recv = out.data();
    if (call.kind == Kind::Bcast)
      call.recv = in.data();
    Result<Request> request = session.start(call);
    ASSERT_TRUE(request) << request.error().str();
    Status status = session.wait(*request, 30s);
    ASSERT_TRUE(status) << status.error().str();
    const int64_t sum = int64_t(size) * (size - 1) / 2 + int64_t(size) * i;
    if (call.kind == Kind::Bcast)
      ASSERT_EQ(in, std::vector<int64_t>(count, call.root + i)) << i;
    else if (call.kind == Kind::Allreduce || rank == call.root)
      ASSERT_EQ(out, std::vector<int64_t>(count, sum)) << i;
  }
}

/// Elements that are in a buffer of a long call; those around them are nobody's business.
struct Framed {
  static constexpr size_t Around = 100;
  std::vector<int32_t> all;
  explicit Framed(uint64_t count, int32_t value) : all(count + 2 * Around, -7) {
    for (uint64_t i = 0; i < count; ++i)
      at()[i] = value + int32_t(i % 1000);
  }
  int32_t *at() { return all.data() + Around; }
  /// Whether they are a value that grows so, and the rest is as it was.
  bool is(uint64_t count, int32_t value, int32_t step = 1) const {
    Framed expected(count, value);
    for (uint64_t i = 0; i < count; ++i)
      expected.at()[i] = value + step * int32_t(i % 1000);
    return all == expected.all;
  }
};

/// Long calls with the results in buffers of their own and in place.
void longCalls(Session &session, uint32_t rank, uint32_t size, unsigned rounds) {
  const int32_t members = int32_t(size), me = int32_t(rank);
  for (unsigned i = 0; i < rounds; ++i) {
    const uint64_t count = i % 4 == 3 ? 511 : 60'001; // not a multiple of anything
    const bool inPlace = i / 4 % 2;
    Framed in(count, me), out(count, -1);
    Collective call;
    call.context = 1;
    call.op = ReduceOp::Sum;
    call.type = ElementType::Int32;
    call.count = count;
    call.kind = i % 4 == 1 ? Kind::Bcast : i % 4 == 2 ? Kind::Reduce : Kind::Allreduce;
    call.root = i / 8 % size;
    call.send = inPlace ? nullptr : in.at();
    call.recv = inPlace ? in.at() : out.at();
    if (call.kind == Kind::Bcast)
      call.send = call.recv = in.at();
    const bool gives = call.kind == Kind::Reduce && rank != call.root;
    if (gives) {
      call.send = in.at();
      call.recv = nullptr;
    }
    Result<Request> request = session.start(call);
    ASSERT_TRUE(request) << request.error().str();
    Status status = session.wait(*request, 60s);
    ASSERT_TRUE(status) << status.error().str();
    if (call.kind == Kind::Bcast)
      ASSERT_TRUE(in.is(count, int32_t(call.root))) << i;
    else if (!gives)
      ASSERT_TRUE((inPlace ? in : out).is(count, members * (members - 1) / 2, members)) << i;
    if (call.kind != Kind::Bcast && (!inPlace || gives))
      ASSERT_TRUE(in.is(count, me)) << i;
  }
}

/// All ranks on leaves below one spine, `rounds` collectives each.
void fabric(uint32_t ranks, double rate, unsigned rounds) {
  wire::FaultRates rates{rate, rate, rate, rate, rate, wire::Millisecond, 3};
  sw::SwitchConfig config;
  config.master = master;
  config.id = 2;
  config.secret = 1;
  Switch spine(config, rates);
  std::vector<std::unique_ptr<Switch>> leaves;
  for (uint32_t id : {0, 1}) {
    config.id = id;
    config.secret = 2 + id;
    config.parents = {spine.address()};
    leaves.push_back(std::make_unique<Switch>(config, rates));
  }
  SessionOptions options;
  options.parentOfSwitch = {2, 2, SessionOptions::NoSwitch};
  for (uint32_t r = 0; r < ranks; ++r)
    options.leafOfRank.push_back(uint16_t(r % 2));
  options.faults = {rate, rate, rate, rate, rate, 1ms, 1};
  std::vector<std::thread> threads;
  for (uint32_t r = 0; r < ranks; ++r)
    threads.emplace_back([&, r] {
      SessionOptions own = options;
      own.openTimeout = 30s;
      own.faults.seed = r + 10;
      const Endpoint endpoint{leaves[r % 2]->address().str(), 5,
                              wire::keyText(wire::jobKey(master, 5))};
      auto session = Session::open(endpoint, r, ranks, own);
      ASSERT_TRUE(session) << session.error().str();
      Status added = (*session)->addCommunicator(1, iota(ranks));
      ASSERT_TRUE(added) << added.error().str();
      mixed(**session, r, ranks, rounds);
      Status freed = (*session)->freeCommunicator(1);
      EXPECT_TRUE(freed) << freed.error().str();
      Status closed = (*session)->close(30s);
      EXPECT_TRUE(closed) << closed.error().str();
    });
  for (std::thread &thread : threads)
    thread.join();
}

/// On one switch, packets of `packetBytes`.
void longOnOne(double rate, unsigned rounds, uint32_t packetBytes = 16'384, bool isKeyed = true) {
  constexpr uint32_t ranks = 3;
  sw::SwitchConfig config;
  if (isKeyed)
    config.master = master;
  config.packetBytes = packetBytes;
  Switch device(config, {rate, rate, rate, rate, rate, wire::Millisecond, 3});
  std::vector<std::thread> threads;
  for (uint32_t r = 0; r < ranks; ++r)
    threads.emplace_back([&, r] {
      SessionOptions options;
      options.openTimeout = 30s;
      options.faults = {rate, rate, rate, rate, rate, 1ms, r + 10};
      auto session = Session::open(
          {device.address().str(), 5, isKeyed ? wire::keyText(wire::jobKey(master, 5)) : ""}, r,
          ranks, options);
      ASSERT_TRUE(session) << session.error().str();
      Status added = (*session)->addCommunicator(1, iota(ranks));
      ASSERT_TRUE(added) << added.error().str();
      longCalls(**session, r, ranks, rounds);
      Status closed = (*session)->close(30s);
      EXPECT_TRUE(closed) << closed.error().str();
    });
  for (std::thread &thread : threads)
    thread.join();
}

/// Which signals a thread of this process does not take: a bit for each, from signal 1 on.
uint64_t blockedIn(const std::filesystem::path &task) {
  std::ifstream status(task / "status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("SigBlk:"))
      return std::stoull(line.substr(7), nullptr, 16);
  return 0;
}

std::set<std::filesystem::path> tasks() {
  std::set<std::filesystem::path> all;
  for (const auto &task : std::filesystem::directory_iterator("/proc/self/task"))
    all.insert(task.path());
  return all;
}

// A program's timers and kill() are for its own threads.
TEST(Session, ItsThreadTakesNoSignals) {
  Switch device({});
  const std::set<std::filesystem::path> before = tasks();
  Result<std::unique_ptr<Session>> session = Session::open({device.address().str(), 1, ""}, 0, 1);
  ASSERT_TRUE(session) << session.error().str();
  unsigned made = 0;
  for (const std::filesystem::path &task : tasks()) {
    if (before.contains(task))
      continue;
    ++made;
    // Until it runs, the system's own mask holds: everything.
    const auto has = [&](int signal) { return bool(blockedIn(task) >> (signal - 1) & 1); };
    for (int i = 0; i < 500 && has(SIGSEGV); ++i)
      std::this_thread::sleep_for(10ms);
    EXPECT_FALSE(has(SIGSEGV)) << "a fault of its own";
    for (int signal : {SIGALRM, SIGPROF, SIGUSR1, SIGTERM, SIGINT, SIGCHLD})
      EXPECT_TRUE(has(signal)) << "signal " << signal;
  }
  EXPECT_EQ(made, 1u);
}

TEST(Session, EightRanksOnThreeSwitches) { fabric(8, 0, 300); }
TEST(Session, FaultsOnEveryLink) { fabric(4, 0.02, 300); }

// What is given and needs no answer arrives, though its giver ends long before the root comes:
// more messages than the switch has slots for, and the sessions gone at once.
TEST(Session, GiversMayEndBeforeTheRootComes) {
  Switch device(sw::SwitchConfig{});
  constexpr uint32_t ranks = 3;
  constexpr int64_t rounds = 200;
  std::atomic<unsigned> started = 0;
  auto reduce = [&](Session &session, int64_t value, int64_t &sum) {
    Collective call;
    call.kind = Kind::Reduce;
    call.context = 1;
    call.op = ReduceOp::Sum;
    call.type = ElementType::Int64;
    call.count = 1;
    call.send = &value;
    call.recv = &sum;
    Result<Request> request = session.start(call);
    ASSERT_TRUE(request) << request.error().str();
    Status status = session.wait(*request, 60s);
    ASSERT_TRUE(status) << status.error().str();
  };
  std::vector<std::thread> threads;
  for (uint32_t r = 0; r < ranks; ++r)
    threads.emplace_back([&, r] {
      auto session = Session::open({device.address().str(), 1, ""}, r, ranks);
      ASSERT_TRUE(session) << session.error().str();
      ASSERT_TRUE((*session)->addCommunicator(1, iota(ranks)));
      ++started;
      while (r == 0 && started < ranks)
        std::this_thread::sleep_for(1ms);
      if (r == 0)
        std::this_thread::sleep_for(100ms);
      for (int64_t i = 0; i < rounds; ++i) {
        int64_t sum = -1;
        reduce(**session, int64_t(r) * rounds + i, sum);
        if (r == 0)
          EXPECT_EQ(sum, 3 * i + 3 * rounds);
      }
      if (r == 1) // as MPI_Comm_free does it, which does not wait
        (*session)->retireCommunicator(1);
      Status left = (*session)->drain(60s);
      EXPECT_TRUE(left) << left.error().str();
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST(Session, WrongKeyAndNoSwitch) {
  sw::SwitchConfig config;
  config.master = master;
  Switch device(config);
  SessionOptions options;
  options.openTimeout = 200ms;
  auto wrong = Session::open({device.address().str(), 5, std::string(32, '0')}, 0, 1, options);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().str(),
            device.address().str() +
                ": wrong key: the switch has another one for this job, or none");
  auto none = Session::open({device.address().str(), 5, ""}, 0, 1, options);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().str(),
            device.address().str() + ": wrong key: the switch has one, and this rank has none");
  auto bad = Session::open({device.address().str(), 5, "xyz"}, 0, 1, options);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().str(), "key has 3 characters or others than 0-9 and a-f; expected 32 "
                               "hexadecimal digits");
  auto nobody = Session::open({"127.0.0.1:1", 5, ""}, 0, 1, options);
  ASSERT_FALSE(nobody);
  EXPECT_EQ(nobody.error().str(), "127.0.0.1:1: the switch does not answer");
}

TEST(Session, PlaceThatSomebodyHasIsRefusedWhileHeIsThere) {
  Switch device(sw::SwitchConfig{});
  const Endpoint endpoint{device.address().str(), 5, ""};
  Result<std::unique_ptr<Session>> first = Session::open(endpoint, 0, 1);
  ASSERT_TRUE(first);
  for (int i = 0; i < 2; ++i) {
    auto second = Session::open(endpoint, 0, 1);
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().str().find("refuses: rank 0 is attached already, from 127.0.0.1:"),
              std::string::npos)
        << second.error().str();
  }
  ASSERT_TRUE((*first)->close(1s));
  EXPECT_TRUE(Session::open(endpoint, 0, 1)) << "it has left";
}

TEST(Session, DeadlineNamesTheRankThatHasNotCome) {
  Switch device(sw::SwitchConfig{});
  auto zero = Session::open({device.address().str(), 1, ""}, 0, 2);
  auto one = Session::open({device.address().str(), 1, ""}, 1, 2);
  ASSERT_TRUE(zero && one);
  std::thread other([&] { EXPECT_TRUE((*one)->addCommunicator(9, iota(2))); });
  EXPECT_TRUE((*zero)->addCommunicator(9, iota(2)));
  other.join();
  Collective barrier;
  barrier.context = 9;
  Result<Request> request = (*zero)->start(barrier);
  ASSERT_TRUE(request);
  // The switch has to have said so within the time; on a busy machine, ask again.
  Status status = (*zero)->wait(*request, 300ms);
  for (unsigned i = 0; i < 100 && !status && status.error().str().find("rank") == std::string::npos;
       ++i)
    status = (*zero)->wait(*request, 300ms);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().str(), "barrier on context 9: rank 1 has not come within 0.3 s");
}

// Rank 0 is a process of its own, which waits for rank 1 and is then stopped for six times its
// timeout: the timeout stands still.
TEST(Session, TimeoutStandsStillWhileItsProcessIsStopped) {
  int address[2], waits[2];
  ASSERT_TRUE(pipe(address) == 0 && pipe(waits) == 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) { // this process has no thread yet
    char text[64] = {};
    if (read(address[0], text, sizeof(text) - 1) <= 0)
      _exit(2);
    const auto session = Session::open({text, 1, ""}, 0, 2);
    if (!session || !(*session)->addCommunicator(1, iota(2)))
      _exit(3);
    Collective barrier;
    barrier.context = 1;
    const Result<Request> request = (*session)->start(barrier);
    if (!request || write(waits[1], "w", 1) != 1)
      _exit(4);
    _exit((*session)->wait(*request, 500ms) ? 0 : 5);
  }
  Switch device(sw::SwitchConfig{});
  const std::string text = device.address().str();
  ASSERT_EQ(write(address[1], text.data(), text.size()), ssize_t(text.size()));
  const auto session = Session::open({text, 1, ""}, 1, 2);
  ASSERT_TRUE(session) << session.error().str();
  ASSERT_TRUE((*session)->addCommunicator(1, iota(2)));
  char byte;
  ASSERT_EQ(read(waits[0], &byte, 1), 1);
  std::this_thread::sleep_for(100ms);
  kill(child, SIGSTOP);
  std::this_thread::sleep_for(3s);
  kill(child, SIGCONT);
  std::this_thread::sleep_for(100ms); // for it to give up
  Collective barrier;
  barrier.context = 1;
  const Result<Request> request = (*session)->start(barrier);
  ASSERT_TRUE(request) << request.error().str();
  EXPECT_TRUE((*session)->wait(*request, 30s));
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Session, SwitchThatDiesIsNamed) {
  sw::SwitchConfig config;
  config.deadAfter = 1500 * wire::Millisecond;
  auto device = std::make_unique<Switch>(config);
  SessionOptions options;
  options.deadAfter = 1500ms;
  const std::string address = device->address().str();
  auto session = Session::open({address, 1, ""}, 0, 1, options);
  ASSERT_TRUE(session);
  ASSERT_TRUE((*session)->addCommunicator(0, iota(1)));
  std::this_thread::sleep_for(2s); // the background thread keeps it alive
  Collective barrier;
  Result<Request> request = (*session)->start(barrier);
  ASSERT_TRUE(request) << request.error().str();
  EXPECT_TRUE((*session)->wait(*request, 20s));
  device.reset();
  request = (*session)->start(barrier);
  ASSERT_TRUE(request);
  Status status = (*session)->wait(*request, 20s);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().str().substr(0, address.size() + 16), "switch " + address + " is gone:");
}

TEST(Session, LongResultsAreWhereTheyAreWanted) { longOnOne(0, 48); }
TEST(Session, LongResultsAreWhereTheyAreWantedWithoutAKey) { longOnOne(0, 16, 16'384, false); }
TEST(Session, LongResultsInShortPackets) { longOnOne(0, 16, 2100); }
TEST(Session, LongResultsThatGetLost) { longOnOne(0.03, 24); }
TEST(Session, LongResultsInShortPacketsThatGetLost) { longOnOne(0.02, 8, 2100); }

TEST(Session, InC) {
  Switch device(sw::SwitchConfig{});
  const char *error = nullptr;
  acis_session *session = acis_open(device.address().str().c_str(), 3, "", 0, 1, &error);
  ASSERT_NE(session, nullptr) << error;
  const uint32_t ranks[] = {0};
  EXPECT_EQ(acis_add_communicator(session, 1, ranks, 1), nullptr);
  const float in[2] = {1, 2};
  float out[2] = {};
  acis_collective call = {};
  call.kind = ACIS_ALLREDUCE;
  call.context = 1;
  call.op = ACIS_SUM;
  call.type = ACIS_FLOAT32;
  call.count = 2;
  call.send = in;
  call.recv = out;
  EXPECT_EQ(acis_run(session, &call, 5), nullptr);
  EXPECT_EQ(out[1], 2);
  call.op = ACIS_BAND;
  EXPECT_STREQ(acis_run(session, &call, 5), "operation band is not defined on float32");
  acis_close(session);
}

} // namespace

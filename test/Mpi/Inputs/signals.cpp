// Programs with signals of their own: a timer that interrupts every call, a handler that must run
// on the program's thread, signals that are blocked and taken with sigtimedwait. usage: signals
// [milliseconds]
#include "Check.h"

#include <csignal>
#include <ctime>
#include <sys/time.h>
#include <unistd.h>

using namespace check;

namespace {

const MPI_Comm world = MPI_COMM_WORLD;
volatile sig_atomic_t ticks = 0;

void onTick(int) { ticks = ticks + 1; }

void collectives(int round) {
  const int rank = rankOf(world), size = sizeOf(world);
  int sum = -1, first = rank == round % size ? round : -1;
  MPI_Request request;
  MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, world, &request);
  MPI_Bcast(&first, 1, MPI_INT, round % size, world);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  require(sum == size * (size - 1) / 2, "Iallreduce between signals");
  require(first == round, "Bcast between signals");
}

/// Every call of the system is interrupted now and then: the handler has no SA_RESTART.
void underATimer(double seconds) {
  struct sigaction action = {};
  action.sa_handler = onTick;
  sigaction(SIGALRM, &action, nullptr);
  const itimerval often = {{0, 500}, {0, 500}}, never = {};
  setitimer(ITIMER_REAL, &often, nullptr);
  int round = 0;
  double longest = 0;
  for (const double begin = MPI_Wtime(); longest < seconds; ++round) {
    collectives(round);
    const double taken = MPI_Wtime() - begin;
    MPI_Allreduce(&taken, &longest, 1, MPI_DOUBLE, MPI_MAX, world);
  }
  setitimer(ITIMER_REAL, &never, nullptr);
  require(ticks > 0, "the timer has run");
}

/// As programs do that take signals at a place of their choice. They block them before MPI_Init, as
/// both MPI libraries have threads that would take them otherwise.
void blockedAndTaken(const sigset_t &set) {
  for (int signal : {SIGUSR2, SIGTERM}) {
    kill(getpid(), signal);
    collectives(signal);
    usleep(50'000);
    const timespec most = {5, 0};
    require(sigtimedwait(&set, nullptr, &most) == signal,
            "a blocked signal waits for sigtimedwait");
  }
}

} // namespace

int main(int argc, char **argv) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  MPI_Init(&argc, &argv);
  collectives(0);
  blockedAndTaken(set);
  underATimer((argc > 1 ? std::atoi(argv[1]) : 300) / 1000.0);
  return finish();
}

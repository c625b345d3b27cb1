// A thread of our own in a process that may be somebody else's program.
#pragma once

#include <csignal>
#include <pthread.h>
#include <thread>
#include <utility>

namespace acis::wire {

/// Runs `work` in a thread that takes no signal sent to the process: they are for the program's
/// own threads, whose handlers count on being run there and which may wait for blocked ones. What a
/// fault of the thread itself raises is not blocked.
template <typename F> std::thread ownThread(F work) {
  sigset_t ours, before;
  sigfillset(&ours);
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT})
    sigdelset(&ours, fault);
  pthread_sigmask(SIG_SETMASK, &ours, &before);
  std::thread thread(std::move(work));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

} // namespace acis::wire

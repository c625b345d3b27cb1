// See Children.h.
#include "runtime/host/acis-mpirun/Children.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace acis::tools {

Child &Child::operator=(Child &&other) noexcept {
  if (this != &other) {
    end();
    pid = std::exchange(other.pid, 0);
  }
  return *this;
}

void Child::end() {
  if (pid <= 0)
    return;
  kill(pid, SIGTERM);
  for (int tries = 0; tries < 200; ++tries) {
    if (waitpid(pid, nullptr, WNOHANG) != 0) {
      pid = 0;
      return;
    }
    usleep(10000);
  }
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  pid = 0;
}

int Child::wait() {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR)
      return 1;
  pid = 0;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

Result<Child> start(const std::vector<std::string> &command, const Variables &variables,
                    int *output) {
  int ends[2] = {-1, -1}, failure[2] = {-1, -1};
  if ((output && pipe(ends) != 0) || pipe2(failure, O_CLOEXEC) != 0)
    return Error{command[0], std::strerror(errno)};
  pid_t parent = getpid(), pid = fork();
  if (pid < 0)
    return Error{command[0], std::strerror(errno)};
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
      _exit(1);
    if (output) {
      dup2(ends[1], STDOUT_FILENO);
      close(ends[0]);
      close(ends[1]);
    }
    for (const auto &[name, value] : variables)
      setenv(name.c_str(), value.c_str(), 1);
    std::vector<char *> words;
    for (const std::string &word : command)
      words.push_back(const_cast<char *>(word.c_str()));
    words.push_back(nullptr);
    execvp(words[0], words.data());
    int code = errno;
    (void)!write(failure[1], &code, sizeof code);
    _exit(127);
  }
  Child child(pid);
  close(failure[1]);
  int code = 0;
  bool failed = read(failure[0], &code, sizeof code) == sizeof code;
  close(failure[0]);
  if (output) {
    close(ends[1]);
    *output = ends[0];
  }
  if (failed)
    return Error{command[0], std::strerror(code)};
  return child;
}

std::string outputOf(const std::vector<std::string> &command, const Variables &variables) {
  int from = -1;
  Result<Child> child = start(command, variables, &from);
  std::string text;
  char part[4096];
  for (ssize_t got; from >= 0 && (got = read(from, part, sizeof part)) > 0;)
    text.append(part, size_t(got));
  if (from >= 0)
    close(from);
  return child && child->wait() == 0 ? text : "";
}

namespace {
volatile pid_t receiver = 0;
}

void forwardSignals(const Child &child) {
  receiver = child.pid;
  for (int signal : {SIGINT, SIGTERM, SIGHUP})
    std::signal(signal, [](int number) { kill(receiver, number); });
}

} // namespace acis::tools

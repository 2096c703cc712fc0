// Starts a worker with fewer rights: `confine WORKER` closes the files that it inherited, forbids
// system calls that a submission does not need, and becomes WORKER. It needs no privileges, so it
// works where no sandbox can be made. Inside a sandbox it is the second wall.
//
// `confine --probe` tells by its exit status whether this system can forbid system calls. Where it
// cannot, and the judge says that a person accepted that, confine does the rest.

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "contract/wire.h"
#include "driver.h"
#include "worker/forbid.h"

namespace {

// A program may be started from this descriptor only. It closes as the worker starts.
constexpr int program_descriptor = 1000;

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "confine: %s: %s\n", what, std::strerror(errno));
  std::_Exit(125);
}

void set_limit(decltype(RLIMIT_CORE) resource, rlim_t most) {
  rlimit limit{};
  getrlimit(resource, &limit);
  limit.rlim_max = std::min(limit.rlim_max, most);
  limit.rlim_cur = std::min(limit.rlim_cur, most);
  setrlimit(resource, &limit);
}

void forbid_system_calls() {
  using namespace tilelab::worker;
  if (!forbid_reaching_others(program_descriptor)) fail("seccomp");
  if (!driver_writes_files && !forbid_leaving_files()) fail("seccomp");
  if (only_computes && !forbid_all_but_computing()) fail("seccomp");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: confine WORKER|--probe\n");
    return 125;
  }
  if (std::strcmp(argv[1], "--probe") == 0) {
    forbid_system_calls();
    return 0;
  }
  set_limit(RLIMIT_CORE, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);

  const int program = open(argv[1], O_RDONLY | O_CLOEXEC);
  if (program < 0) fail(argv[1]);
  if (dup3(program, program_descriptor, O_CLOEXEC) < 0) fail("dup3");
  constexpr unsigned first_to_close = tilelab::wire::worker_socket + 1;
  static_cast<void>(syscall(SYS_close_range, first_to_close, program_descriptor - 1, 0));
  static_cast<void>(syscall(SYS_close_range, program_descriptor + 1, ~0u, 0));

  // Only now, because no new descriptor may be above the limit.
  set_limit(RLIMIT_NOFILE, tilelab::worker::most_open_files);
  // The environment was chosen by the judge.
  if (std::getenv(tilelab::wire::unfiltered_variable) == nullptr) {
    forbid_system_calls();
    execveat(program_descriptor, "", argv + 1, environ, AT_EMPTY_PATH);
  } else {
    // Where seccomp is missing, execveat() may be too.
    execve(argv[1], argv + 1, environ);
  }
  fail(argv[1]);
}

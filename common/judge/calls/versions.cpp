#include "judge/calls/versions.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <system_error>

#include "judge/events.h"
#include "judge/options.h"
#include "judge/worker/workers.h"
#include "judge/write_event.h"

namespace tilelab::judge {
namespace {

using Clock = std::chrono::steady_clock;

// Once a call is known where the submission fails, few others are worth a look.
constexpr std::chrono::milliseconds enough{300};

// A version may take so many times as long as the submission itself.
constexpr double times_as_long = 4;

// The exit status of a process that looked at calls tells which one to use, if it is not this.
constexpr int no_call = 255;

/// What this process does at a call.
enum class Doing {
  nothing,    ///< It makes the call, as any judge does.
  looking,    ///< It lets a child make the call, to see whether version 0 fails there, and when.
  trying,     ///< It lets children make one call, each with another version.
  being_one,  ///< It is such a child, and ends at the next call.
};

struct State {
  Doing doing = Doing::nothing;
  int calls = 0;   // so far
  int chosen = 0;  // the call that is tried
  std::optional<int> fails;
  Clock::duration least = Clock::duration::max();  // that a call took where version 0 fails
  Clock::time_point begin = Clock::now();
};

State& state() {
  static State instance;
  return instance;
}

/// Ends a path through a test, whose next call another path may reach.
struct Elsewhere {};

[[noreturn]] void end_version() {
  stop_workers();
  std::_Exit(test_has_failed() ? 1 : 0);
}

/// Returns 0 in a child, and its process in the parent. A child writes no events.
pid_t start_child() {
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) close_events();
  return child;
}

int exit_status_of(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "waitpid");
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : no_call;
}

/// Returns in a child, which makes the call with this version. In the parent, returns whether that
/// passed.
std::optional<bool> passes(std::uint32_t version) {
  const pid_t child = start_child();
  if (child > 0) return exit_status_of(child) == 0;
  state().doing = Doing::being_one;
  options().version = version;
  return std::nullopt;
}

void look_at_call(int call) {
  State& now = state();
  if (now.fails && Clock::now() - now.begin > enough) throw Elsewhere();
  const Clock::time_point begin = Clock::now();
  const std::optional<bool> passed = passes(0);
  if (!passed) return;
  const Clock::duration taken = Clock::now() - begin;
  if (!*passed && taken < now.least && call < no_call) {
    now.fails = call;
    now.least = taken;
  }
  throw Elsewhere();
}

/// Takes away the time that only endless loops need. Returns as passes() does.
std::optional<bool> limit_time() {
  const Clock::time_point begin = Clock::now();
  const std::optional<bool> passed = passes(0);
  const std::chrono::duration<double> taken = Clock::now() - begin;
  options().time_limit = std::min(options().time_limit, times_as_long * taken.count());
  return passed;
}

void try_at_call(int call) {
  if (call != state().chosen) throw Elsewhere();
  if (!limit_time()) return;
  for (std::uint32_t version = 1; version <= options().versions; ++version) {
    const std::optional<bool> passed = passes(version);
    if (!passed) return;
    if (*passed) write_event(schema::Version{version});
  }
  throw Elsewhere();
}

/// Runs the tests until all calls have been looked at, and ends this process.
[[noreturn]] void look(const std::function<int()>& run_tests) {
  state().doing = Doing::looking;
  run_tests();
  if (state().doing == Doing::being_one) end_version();
  std::_Exit(state().fails.value_or(no_call));
}

}  // namespace

void try_versions(const std::function<int()>& run_tests) {
  const pid_t child = start_child();
  if (child == 0) look(run_tests);
  state().chosen = exit_status_of(child);
  if (state().chosen == no_call) return;
  state().doing = Doing::trying;
  run_tests();
  if (state().doing == Doing::being_one) end_version();
}

void before_call() {
  State& now = state();
  switch (now.doing) {
    case Doing::nothing:
      return;
    case Doing::looking:
      return look_at_call(now.calls++);
    case Doing::trying:
      return try_at_call(now.calls++);
    case Doing::being_one:
      end_version();
  }
}

}  // namespace tilelab::judge

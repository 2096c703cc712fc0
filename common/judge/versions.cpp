#include "judge/versions.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
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

// A version may take this many times as long as the submission itself. That may have failed before
// it did any work, so the first ones may take as long as an honest one needs. Each that takes all
// of it leaves half to those after it, because many may be endless, and the most plausible ones
// come first.
constexpr double times_as_long = 4;
constexpr double seconds_at_first = 1;

// The exit status of a process that made a call with a version is this many times what was wrong.
constexpr double percent = 100;

// The exit status of a process that looked at calls tells which one to try, if it is not this.
constexpr int no_call = 255;

/// What this process does at a call.
enum class Doing {
  nothing,    ///< It makes the call, as any judge does.
  looking,    ///< It makes the call, to see whether version 0 fails there, and when.
  trying,     ///< At the chosen call, it lets children go on, each with another version.
  being_one,  ///< It is such a child, and ends at the next call.
};

struct State {
  Doing doing = Doing::nothing;
  bool is_quick = false;  // whether it is enough to run threads in one order
  int calls = 0;          // so far
  int chosen = no_call;   // the one that is tried, or that is to be
  Clock::duration least = Clock::duration::max();  // time of a call where version 0 fails
  Clock::time_point begin = Clock::now();          // of the process
  Clock::time_point begin_of_call;
};

State& state() {
  static State instance;
  return instance;
}

/// Ends a path through a test after the call that is tried.
struct Tried {};

[[noreturn]] void end_version() {
  stop_workers();
  std::_Exit(test_has_failed() ? std::max(1, int(percent * share_wrong())) : 0);
}

[[noreturn]] void end_look() {
  stop_workers();
  std::_Exit(state().chosen);
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

/// Returns nothing in a child, which makes the call with this version. In the parent, returns
/// what percentage was wrong then: 0 if it passed, and more than 100 if there was no result.
std::optional<int> wrong_with(std::uint32_t version, bool is_quick) {
  const pid_t child = start_child();
  if (child > 0) return exit_status_of(child);
  state().doing = Doing::being_one;
  state().is_quick = is_quick;
  options().version = version;
  return std::nullopt;
}

/// The same. Most versions fail whatever the order of the threads.
std::optional<int> wrong_with(std::uint32_t version) {
  const std::optional<int> wrong = wrong_with(version, true);
  return wrong == 0 ? wrong_with(version, false) : wrong;
}

/// Looks at what became of the last call.
void look_back() {
  State& now = state();
  const Clock::duration taken = Clock::now() - now.begin_of_call;
  if (now.calls == 0 || !test_has_failed()) return;
  if (taken < now.least && now.calls <= no_call) {
    now.least = taken;
    now.chosen = now.calls - 1;
  }
  if (Clock::now() - now.begin > enough) end_look();
}

void look_at_call() {
  look_back();
  forget_failure();
  ++state().calls;
  state().begin_of_call = Clock::now();
}

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Makes the call with each version, and writes which of them pass or are less wrong than the
/// submission itself. Returns false in a child. The lab's own kernels, with which a test may
/// compare, and version 0 itself, in a child, may take what they take. The others have less time,
/// which takes away what only endless loops need.
bool try_all() {
  Clock::time_point begin = Clock::now();
  const std::optional<int> itself = wrong_with(0, false);
  if (!itself) return false;
  const double least = times_as_long * seconds_since(begin);
  double limit = std::max(seconds_at_first, least);
  for (std::uint32_t version = 1; version <= options().versions; ++version) {
    limit_submission(limit);
    begin = Clock::now();
    const std::optional<int> wrong = wrong_with(version);
    if (!wrong) return false;
    if (*wrong == 0 || *wrong < *itself) write_event(schema::Version{version, *wrong / percent});
    if (*wrong > 0 && seconds_since(begin) > limit) limit = std::max(least, limit / 2);
  }
  return true;
}

void try_at_call() {
  State& now = state();
  forget_failure();
  if (now.calls > now.chosen) throw Tried();
  if (now.calls++ < now.chosen) return;
  stop_workers();  // each child starts its own
  if (try_all()) throw Tried();
}

/// Runs the tests until the calls have been looked at, and ends this process.
[[noreturn]] void look(const std::function<int()>& run_tests) {
  state().doing = Doing::looking;
  run_tests();
  look_back();
  end_look();
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

std::vector<Order> orders_in_use(const std::vector<Order>& orders) {
  return state().is_quick ? std::vector{orders.back()} : orders;
}

void before_call() {
  switch (state().doing) {
    case Doing::nothing:
      return;
    case Doing::looking:
      return look_at_call();
    case Doing::trying:
      return try_at_call();
    case Doing::being_one:
      end_version();
  }
}

}  // namespace tilelab::judge

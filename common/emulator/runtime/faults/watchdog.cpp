#include <signal.h>
#include <sys/time.h>

#include <cmath>

#include "emulator/emulator.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/execution/scheduler.h"

namespace tilelab::emulator {
namespace {

// Looks several times per period, so that a stuck kernel is found little later than asked.
constexpr int looks_per_period = 4;

// Threads that meet at barriers make progress, but in an endless loop they do so without end.
constexpr int periods_without_end = 10;

double period = 0;
std::uint64_t progress_seen = 0, ends_seen = 0;
int looks_without_progress = 0, looks_without_end = 0;

void on_timer(int) {
  const Scheduler* scheduler = Scheduler::running_anywhere();
  const bool has_end = scheduler == nullptr || scheduler->threads_ended() != ends_seen;
  looks_without_end = has_end ? 0 : looks_without_end + 1;
  if (scheduler != nullptr) ends_seen = scheduler->threads_ended();
  if (looks_without_end >= looks_per_period * periods_without_end) {
    fatal(
        "%s: its threads meet at barriers or in warp operations, but for %g s none of them has "
        "ended: it is in an endless loop, or it is slow",
        scheduler->describe_running_thread(), period * periods_without_end);
  }
  if (scheduler == nullptr || scheduler->progress() != progress_seen) {
    if (scheduler != nullptr) progress_seen = scheduler->progress();
    looks_without_progress = 0;
    return;
  }
  if (++looks_without_progress < looks_per_period) return;
  const char* const waits = scheduler->describe_waits();
  fatal(
      "%s: no progress for %g s: it is in an endless loop, or it is slow, or it waits for a "
      "thread that never comes, or for a block that cannot start until the waiting ones finish%s%s",
      scheduler->describe_running_thread(), period, *waits != '\0' ? ". Of its block," : "", waits);
}

void on_question(int) {
  const Scheduler* scheduler = Scheduler::running_anywhere();
  if (scheduler == nullptr)
    fatal("host code was running. The call is too slow, or has an endless loop");
  const char* const thread = scheduler->describe_running_thread();
  const auto all = static_cast<unsigned long long>(scheduler->block_count());
  if (const double seconds = scheduler->seconds_per_block(); seconds > 0) {
    fatal(
        "%s was running, and %llu of %llu blocks had ended, one every %.2g s, so it looks slow "
        "rather than stuck",
        thread, static_cast<unsigned long long>(scheduler->blocks_ended()), all, seconds);
  }
  fatal(
      "%s was %s, and %llu of %llu blocks had begun. The call is too slow, has an endless loop, or "
      "has threads that wait for each other",
      thread,
      scheduler->waits_in_a_loop() ? "in a loop that may wait for another thread" : "running",
      static_cast<unsigned long long>(scheduler->blocks_begun()), all);
}

timeval to_timeval(double seconds) {
  const double whole = std::floor(seconds);
  return {static_cast<time_t>(whole), static_cast<suseconds_t>((seconds - whole) * 1e6)};
}

}  // namespace

void tell_what_runs_on(int signal) {
  struct sigaction action {};
  action.sa_handler = on_question;
  action.sa_flags = SA_ONSTACK;
  sigaction(signal, &action, nullptr);
}

void set_watchdog(double seconds) {
  period = seconds;
  looks_without_progress = looks_without_end = 0;
  struct sigaction action {};
  action.sa_handler = on_timer;
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  sigaction(SIGPROF, &action, nullptr);
  // CPU time, so that a busy machine does not make a kernel look stuck. It includes the system's,
  // because in a checked build a loop fills pages.
  const timeval interval = to_timeval(seconds / looks_per_period);
  const itimerval timer{interval, interval};
  setitimer(ITIMER_PROF, &timer, nullptr);
}

}  // namespace tilelab::emulator

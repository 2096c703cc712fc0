// What surrounds a CUDA program of its own on the emulator: it starts before the program's global
// constructors, and ends after its global destructors.

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>

#include "emulator/emulator.h"
#include "program/launch_recorder.h"
#include "program/observation.h"
#include "program/variables.h"

namespace tilelab::program {
namespace {

// As if a signal of abort() had ended it.
constexpr int status_of_stopped = 128 + SIGABRT;

/// Ends the process, without any of what is below.
[[noreturn]] void leave_with(int status) {
  for (;;) syscall(SYS_exit_group, status);
}

void leave(int) { leave_with(status_of_stopped); }

/// A process that the program has forked has nothing to tell.
pid_t own_process = 0;
bool is_own_process() { return getpid() == own_process; }

/// Null if the launches are not recorded.
LaunchRecorder* launch_recorder = nullptr;

/// The value of a variable, which the program does not see; "" without one.
std::string taken(const char* variable) {
  const char* const text = std::getenv(variable);
  std::string value = text != nullptr ? text : "";
  unsetenv(variable);
  return value;
}

void begin_recording() {
  const std::string folder = taken(recording_variable);
  const std::string most_bytes = taken(recorded_bytes_variable);
  const std::string multiprocessors = taken(multiprocessors_variable);
  if (folder.empty()) return;
  launch_recorder = new LaunchRecorder(folder, std::strtoull(most_bytes.c_str(), nullptr, 10));
  emulator::launch_listener = launch_recorder;
  emulator::show_multiprocessors(std::atoi(multiprocessors.c_str()));
}

void end_recording() {
  emulator::launch_listener = nullptr;
  if (launch_recorder != nullptr) launch_recorder->end();
  launch_recorder = nullptr;
}

/// What was printed and found so far helps most when a program cannot go on. It may not be possible
/// to tell, because the program can have been stopped anywhere.
void tell_what_is_known(const char* ended_by, bool is_its_own) {
  static bool is_telling = false;
  if (is_telling) leave(0);
  is_telling = true;
  constexpr unsigned seconds = 20;
  signal(SIGALRM, leave);
  alarm(seconds);
  std::fflush(stdout);
  end_recording();
  end_observation(ended_by, is_its_own);
  alarm(0);
}

void write_text(const char* text) {
  static_cast<void>(!write(STDERR_FILENO, text, std::strlen(text)));
}

/// The emulator stops the program: a kernel hangs, for example.
void stop(const char* sentence) {
  write_text("tilelab: ");
  write_text(sentence);
  write_text("\n");
  if (is_own_process()) tell_what_is_known("TileLab", false);
  leave(0);
}

/// What host code does that crashes. Allocates nothing, because it may have overwritten the heap.
const char* crash_of(int number, const siginfo_t& info) {
  if (number == SIGFPE) return "host code divides an integer by zero";
  constexpr std::uintptr_t first_page = 4096;
  const bool is_null = reinterpret_cast<std::uintptr_t>(info.si_addr) < first_page;
  // x86-64 does not tell an address that none can have.
  if (is_null && info.si_code != SI_KERNEL) return "host code uses a null pointer";
  return "host code uses an address where it has no memory, perhaps because it has written past "
         "the end of an array before";
}

/// The program ends by a signal, such as that of abort().
void end_by_signal(int number, siginfo_t* info, void*) {
  if (is_own_process()) {
    const bool is_crash = number == SIGSEGV || number == SIGBUS || number == SIGFPE;
    // No process has sent it.
    if (is_crash && info->si_code > 0) note_crash(crash_of(number, *info));
    tell_what_is_known("", false);
  }
  signal(number, SIG_DFL);
  raise(number);
}

/// Where the stack may be full.
void handle_on_another_stack(int number) {
  struct sigaction action {
  }, before{};
  sigaction(number, nullptr, &before);
  if (before.sa_handler == SIG_IGN) return;  // nohup, for example
  action.sa_sigaction = end_by_signal;
  action.sa_flags = SA_ONSTACK | SA_SIGINFO;
  sigaction(number, &action, nullptr);
}

void end_by(const char* what) {
  if (!is_own_process()) return;
  std::fflush(stdout);
  end_recording();
  end_observation(what, true);
}

void end() { end_by(""); }
void end_quickly() { end_by("quick_exit()"); }

double seconds_without_progress() { return std::atof(taken(stuck_variable).c_str()); }

}  // namespace
}  // namespace tilelab::program

/// Programs are linked with `-u`, so that this is part of them.
extern "C" [[gnu::constructor(101)]] void tilelab_start_program() {
  using namespace tilelab::program;
  own_process = getpid();
  // What is registered first is called last.
  std::atexit(end);
  std::at_quick_exit(end_quickly);
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGINT,
                           SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGXCPU, SIGUSR1, SIGUSR2}) {
    handle_on_another_stack(number);
  }
  tilelab::emulator::set_fatal_handler(stop);
  tilelab::emulator::allow_managed_memory();
  tilelab::emulator::guard_device_memory();
  if (const double seconds = seconds_without_progress(); seconds > 0) {
    tilelab::emulator::set_watchdog(seconds);
  }
  begin_recording();
  begin_observation();
}

// The program's calls come here, not to the C library's functions, which call no handler of exit().

extern "C" void _exit(int status) {
  using namespace tilelab::program;
  if (is_own_process()) tell_what_is_known("_exit()", true);
  leave_with(status);
}

extern "C" void _Exit(int status) { _exit(status); }

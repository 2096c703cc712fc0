#include "judge/worker/endings.h"

#include <signal.h>
#include <string.h>

#include <sstream>

namespace tilelab::judge {
namespace {

std::string explain_signal(int signal) {
  switch (signal) {
    case SIGSEGV:
    case SIGBUS:
      return "crashed in host code (segmentation fault): it used a null pointer, or a device "
             "pointer outside a kernel";
    case SIGABRT:
      return "was aborted by a failed assert(), an exception that nobody caught, or a damaged heap";
    case SIGFPE:
      return "divided an integer by zero";
    case SIGILL:
      return "executed an illegal instruction: it has a function without a return, or a __trap()";
    case SIGSYS:
      return "was stopped because it tried what a submission must not do: start a process, send a "
             "signal, open a network connection or look into another process";
    default:
      return std::string("was ended by a signal (") + strsignal(signal) + ")";
  }
}

constexpr int invalid_value = 1, invalid_configuration = 9;  // of cudaError_t

/// Whether it is the error of a launch with a bad configuration, which depends on the CUDA version.
bool is_launch_error(int cuda_code) {
  return cuda_code == invalid_value || cuda_code == invalid_configuration;
}

std::string pattern_of_returned(int cuda_code) {
  if (cuda_code == invalid_configuration) return "launch_failed";
  return cuda_code == invalid_value ? "error_returned" : "";
}

}  // namespace

std::string explain_ending(Process::Event event, const Ending& ending, const Limits& limits,
                           const std::string& subject) {
  std::ostringstream text;
  text << subject << " ";
  switch (event) {
    case Process::Event::over_time:
      text << "did not finish within " << limits.seconds
           << " s of processor time: it has an endless loop, or threads that wait for each other";
      break;
    case Process::Event::stalled:
      text << "did not finish within " << limits.seconds_with_waiting()
           << " s: it sleeps, or it waits for a kernel or a thread that never ends";
      break;
    case Process::Event::over_memory:
      text << "used more than " << (limits.memory_bytes >> 20) << " MiB of memory";
      break;
    case Process::Event::over_threads:
      text << "started more than " << most_threads << " threads";
      break;
    case Process::Event::hung_up:
      text << "closed a file descriptor that is not its own";
      break;
    default:
      if (ending.signal != 0) {
        text << explain_signal(ending.signal);
      } else {
        text << "ended the whole program (exit status " << ending.exit_status
             << ") instead of returning";
      }
  }
  text << ".";
  return text.str();
}

Message explain_error(const wire::Reply& reply, const std::string& subject) {
  const std::string text = reply.text;
  switch (reply.telling) {
    case wire::Telling::returned:
      return {subject + " returned " + text, pattern_of_returned(reply.cuda_code)};
    case wire::Telling::ignored:
      return {subject + " returned cudaSuccess, but something in it failed with " + text,
              "error_ignored"};
    default:
      return {subject + " failed with " + text,
              is_launch_error(reply.cuda_code) ? "launch_failed" : ""};
  }
}

}  // namespace tilelab::judge

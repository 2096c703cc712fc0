#include "judge/worker/endings.h"

#include <signal.h>
#include <string.h>

#include <cmath>
#include <sstream>
#include <utility>

#include "judge/worker/reply_text.h"

namespace tilelab::judge {
namespace {

std::string explain_signal(int signal) {
  switch (signal) {
    case SIGSEGV:
    case SIGBUS:
      return "crashed (segmentation fault): host code used a null pointer or a device pointer, or "
             "a "
             "kernel wrote past the end of a __shared__ array";
    case SIGABRT:
      return "was aborted by a failed assert(), an exception that nobody caught, or a damaged heap";
    case SIGFPE:
      return "divided an integer by zero";
    case SIGILL:
      return "executed an illegal instruction: it has a function without a return, or a __trap()";
    case SIGTRAP:  // on AArch64
      return "ran into a trap: an integer division by zero, a function without a return, or a "
             "__trap()";
    case SIGSYS:
      return "was stopped because it tried what a submission must not do: start a process, send a "
             "signal, open a network connection or look into another process";
    default:
      return std::string("was ended by a signal (") + strsignal(signal) + ")";
  }
}

std::string mebibytes(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

/// Rounded up, because a limit may be a measured time.
double in_hundredths(double seconds) { return std::ceil(100 * seconds) / 100; }

/// What the process was doing when its time was over.
std::string then(const Ending& ending) {
  return ending.last_words.empty() ? ". The call is too slow, has an endless loop, or has threads "
                                     "that wait for each other"
                                   : ". At that time " + ending.last_words;
}

/// Earlier calls may have taken more of the memory than this one.
std::string held_before(const Ending& ending, const Limits& limits) {
  if (ending.memory_of_earlier_calls < limits.memory_bytes / 4) return "";
  return ": earlier calls had left " + mebibytes(ending.memory_of_earlier_calls) + " in use";
}

const char* pattern_of(Process::Event event, const Ending& ending) {
  if (event == Process::Event::over_time || event == Process::Event::stalled) return "out_of_time";
  if (event == Process::Event::over_memory) {
    return ending.is_watched ? "out_of_time" : "too_much_memory";
  }
  const bool is_crash = ending.signal == SIGSEGV || ending.signal == SIGBUS;
  return event == Process::Event::ended && is_crash ? "crash" : "";
}

/// The error, and what its own text leaves open.
std::string explained_text_of(const wire::Reply& reply) {
  constexpr int launch_out_of_resources = 701;
  std::string text = text_of(reply);
  if (reply.cuda_code != launch_out_of_resources) return text;
  return text +
         ". The threads of a block need more registers than a multiprocessor has: make the block "
         "smaller, or tell the compiler how large it is, by __launch_bounds__(threads) before the "
         "kernel's name.";
}

/// The pattern of an error that a launch or a kernel left behind. A launch with a bad configuration
/// has one of two codes, depending on the CUDA version.
const char* pattern_of_error(const wire::Reply& reply) {
  switch (reply.cuda_code) {
    case 1:  // cudaErrorInvalidValue; the emulator explains which call failed
      return reply.explained != 0 ? "invalid_argument" : "launch_failed";
    case 9:  // cudaErrorInvalidConfiguration
      return "launch_failed";
    case 700:  // cudaErrorIllegalAddress
      return text_of(reply).find("host memory") == std::string::npos ? "out_of_bounds"
                                                                     : "host_pointer";
    case 716:  // cudaErrorMisalignedAddress
      return "misaligned";
    default:
      return "fault";
  }
}

/// The pattern of an error that a function returned: only a call that is no launch has the code of
/// a wrong argument. The emulator says which way a copy should have gone.
const char* pattern_of_returned(const wire::Reply& reply) {
  constexpr int invalid_value = 1;
  if (reply.cuda_code != invalid_value) return pattern_of_error(reply);
  const std::string text = text_of(reply);
  if (text.find("but its direction is") == std::string::npos) return "error_returned";
  return text.find("destination of a copy is host") == std::string::npos ? "copy_to_device"
                                                                         : "copy_to_host";
}

}  // namespace

Message about_call(const std::string& subject, const std::string& says, std::string pattern) {
  Message message(subject + says, std::move(pattern));
  message.summary = subject.substr(0, subject.find('(')) + says;
  return message;
}

Message explain_ending(Process::Event event, const Ending& ending, const Limits& limits,
                       const std::string& subject) {
  std::ostringstream text;
  text << " ";
  switch (event) {
    case Process::Event::over_time:
      text << "did not finish within " << in_hundredths(limits.seconds) << " s of processor time"
           << then(ending);
      break;
    case Process::Event::stalled:
      text << "did not finish within " << in_hundredths(limits.seconds_with_waiting())
           << " s: it sleeps, or it waits for a kernel or a thread that has not ended";
      break;
    case Process::Event::over_memory:
      if (ending.is_watched) {
        text << "made so many accesses that watching them took more than "
             << mebibytes(limits.memory_bytes)
             << " of memory. The call is too slow, has an endless loop, or allocates too much";
        break;
      }
      text << "used more than " << mebibytes(limits.memory_bytes) << " of memory"
           << held_before(ending, limits);
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
  return about_call(subject, text.str(), pattern_of(event, ending));
}

Message explain_fault(const wire::Reply& reply, const std::string& subject) {
  const std::string says = text_of(reply);
  return about_call(subject, ": " + says + (says.ends_with('.') ? "" : "."));
}

Message explain_harness_failure(const wire::Reply& reply, const std::string& subject,
                                std::uint64_t held_bytes) {
  const std::string text = ": " + text_of(reply);
  if (reply.has_run != 0) {
    return about_call(subject, " left the device unusable or its memory full" + text + ".");
  }
  const std::string held = held_bytes > 0 ? " (" + mebibytes(held_bytes) + ")" : "";
  return about_call(subject,
                    " could not be called" + text + ". Earlier calls left device memory" + held +
                        " allocated, or the device unusable.",
                    "leak");
}

Message explain_error(const wire::Reply& reply, const std::string& subject,
                      const wire::Request& request) {
  const std::string text = explained_text_of(reply);
  switch (reply.telling) {
    case wire::Telling::returned:
      return about_call(subject, " returned " + text, pattern_of_returned(reply));
    case wire::Telling::ignored:
      return about_call(subject, " returned cudaSuccess, but something in it failed with " + text,
                        request.expects_error ? "error_ignored" : pattern_of_returned(reply));
    default:
      return about_call(subject, " failed with " + text, pattern_of_error(reply));
  }
}

}  // namespace tilelab::judge

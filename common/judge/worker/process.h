#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "contract/failed_call.h"
#include "judge/worker/descriptor.h"
#include "judge/worker/limits.h"
#include "judge/worker/usage.h"

namespace tilelab::judge {

/// How a process ended.
struct Ending {
  int exit_status = -1;  ///< The exit status, or -1 if a signal ended the process.
  int signal = 0;        ///< The signal that ended the process, or 0.
  /// The memory that it held when it got its last request, beyond what it held at its first.
  std::uint64_t memory_of_earlier_calls = 0;
  bool is_watched = false;  ///< Whether a checked build looked at its last call.
  std::string last_words;   ///< What it was doing when its time was over; "" if it did not say.
  /// Where it was then, as a Reply says it.
  std::array<std::uint64_t, FailedCall::most_callers> callers{};
};

/// A worker process as the judge sees it from outside: its socket, its output, its memory, its end.
class Process {
 public:
  /// What wait() waited for.
  enum class Event {
    readable,     ///< A message can be read.
    ended,        ///< The process ended.
    hung_up,      ///< The process closed its socket but lives on.
    over_time,    ///< The process used up its time on the processor.
    stalled,      ///< The process did not use up its time, but nobody else was in its way.
    starved,      ///< The process got too little of the processor to tell.
    over_memory,  ///< The process took too much memory.
    over_threads  ///< The process started too many threads.
  };

  /// Starts `program` through confine. If there is a file `PROGRAM.jail`, it has a command line,
  /// one word per line, that starts confine in turn. Throws std::system_error.
  explicit Process(const std::filesystem::path& program);

  /// Kills the process if it still runs.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// The judge's end of the socket.
  int socket() const { return socket_.number(); }

  /// Notes how much memory the process holds now, for ending().
  void note_memory();

  /// Waits until a message can be read, or the process ends or breaks a limit. Then it is killed:
  /// after every event but `readable` it no longer runs.
  Event wait(const Limits& limits);

  /// How long the last wait() took, without the time in which others had the processors.
  double seconds_taken() const { return seconds_taken_; }

  /// Whether others had the processors for a part of the last wait().
  bool machine_was_busy() const { return machine_was_busy_; }

  /// Receives the first message. It also tells which process sends the messages: inside of a jail
  /// that is not the one that was started. Returns its length.
  ssize_t receive_first(std::span<std::byte> message);

  /// Stops the process that sends the messages (SIGSTOP).
  void pause();
  /// Lets it go on (SIGCONT).
  void resume();

  /// How the process ended, once wait() has said `ended`.
  Ending ending() const { return ending_; }

  /// What the process has printed since the last call of this function: the begin and the end, up
  /// to `output_limit` bytes in all.
  std::string take_output();

  /// Output between the begin and the end of this many bytes is dropped.
  static constexpr std::size_t output_limit = 16 << 10;

 private:
  void drain_output();
  void ask_for_last_words();
  Event wait_for_end();
  bool reap(bool wait_for_it);
  void kill_all();

  pid_t pid_ = -1;
  pid_t sender_ = -1;
  Descriptor socket_{-1};
  Descriptor output_pipe_{-1};
  bool jailed_ = false;
  bool reaped_ = false;
  bool machine_was_busy_ = false;
  double seconds_taken_ = 0;
  std::optional<std::uint64_t> memory_at_first_;  // request
  Ending ending_;
  std::string output_;      // the begin of what was printed
  std::string output_end_;  // what comes after it
  bool output_was_cut_ = false;
};

}  // namespace tilelab::judge

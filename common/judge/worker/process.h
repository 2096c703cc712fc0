#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

namespace tilelab::judge {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// How a process ended.
struct Ending {
  int exit_status = -1;  ///< -1 when a signal ended it
  int signal = 0;
};

/// A worker process, watched from outside: its socket, what it prints, its memory, its end.
class Process {
 public:
  enum class Event { readable, ended, hung_up, over_time, over_memory };

  /// Starts `program` through confine and, if `PROGRAM.jail` exists, the command line that this
  /// file holds (a word per line). Throws std::system_error.
  explicit Process(const std::filesystem::path& program);

  /// Kills what is left.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// The judge's end of the socket.
  int socket() const { return socket_; }

  /// Waits until a message can be read, or the process ends or breaks a limit. Limits are enforced
  /// here: after `over_time`, `over_memory` and `hung_up` (it closed its socket but lives on) the
  /// process has been killed.
  Event wait(Clock::time_point deadline, std::uint64_t memory_limit);

  /// Call after wait() has said `ended`.
  Ending ending() const { return ending_; }

  /// What the process printed so far, at most the first `output_limit` bytes.
  const std::string& output() const { return output_; }

  static constexpr std::size_t output_limit = 16 * 1024;

 private:
  void drain_output();
  bool reap(bool wait_for_it);
  void kill_all();

  pid_t pid_ = -1;
  int socket_ = -1;
  int output_pipe_ = -1;
  bool jailed_ = false;
  bool reaped_ = false;
  Ending ending_;
  std::string output_;
};

}  // namespace tilelab::judge

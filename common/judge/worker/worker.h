#pragma once

#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <string>

#include "contract/wire.h"
#include "judge/events.h"
#include "judge/worker/limits.h"
#include "judge/worker/memory_file.h"
#include "judge/worker/process.h"

namespace tilelab::judge {

/// How long calls may take where that is limited, as after one that took long and failed. The twins
/// of a worker share it.
struct Patience {
  double seconds_left = std::numeric_limits<double>::infinity();  ///< For each later call.
  double longest_seconds = 0;  ///< The longest call that returned took so long.
};

/// A worker that is started when it is needed, and again after it has died.
class Worker {
 public:
  /// @param reports_output  what the program prints is for the student
  /// @param patience        that of its twins, if it has any
  explicit Worker(std::filesystem::path program, bool reports_output = false,
                  std::shared_ptr<Patience> patience = std::make_shared<Patience>());

  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Starts the process if there is none, outside of any call's time limit. Throws
  /// InfrastructureError, or SubmissionError because a submission can end its process at the start.
  const wire::Hello& start();

  /// Sends a request with up to two files and waits for the reply. `subject` names the call in
  /// messages: "diff(int[33], int[33], 33)".
  ///
  /// Throws SubmissionError with a sentence if the call fails, and ends the process. Only if a
  /// checked call fails on the device and there is a report, the reply comes back instead. After a
  /// call that failed after a long time, later calls get less time.
  ///
  /// A call that runs out of time while the machine is busy, or finds no room on the device, is
  /// repeated alone, if it needs nothing of earlier requests and these are not the reason. No other
  /// worker of this judge runs then, so that none is in the way. Throws InfrastructureError if the
  /// machine is too busy, or the device too full, even then.
  wire::Reply ask(wire::Request request, const MemoryFile* images, const MemoryFile* results,
                  const Limits& limits, const std::string& subject);

  /// Stops the process and all its threads until resume(). Work that it gave to the GPU goes on.
  void pause();
  /// Lets a stopped process go on. Does nothing if there is none.
  void resume();

  /// Ends the process and keeps what it printed.
  void stop();

  /// What the worker printed since the last call of this function, as Process::take_output() says.
  std::string take_output();

  /// Writes the event "output", if this worker reports what it prints.
  void report_output(const std::string& subject);

 private:
  void stop_others();
  std::string start_process();
  Process::Event attempt(wire::Request& request, const MemoryFile* images,
                         const MemoryFile* results, const Limits& limits);
  Process::Event attempt_alone(wire::Request& request, const MemoryFile* images,
                               const MemoryFile* results, const Limits& limits);
  Process::Event make_request(wire::Request& request, const MemoryFile* images,
                              const MemoryFile* results, const Limits& limits);
  void send(const wire::Request& request, const MemoryFile* images, const MemoryFile* results);
  wire::Reply receive(Process::Event event, const wire::Request& request, const Limits& limits,
                      const std::string& subject);
  bool others_filled_device(const wire::Reply& reply) const;
  void assert_answered(const wire::Reply& reply, const wire::Request& request,
                       const std::string& subject);
  [[noreturn]] void fail_at(std::span<const std::uint64_t> callers, const char* says,
                            Message message);
  [[noreturn]] void fail(const Message& message);
  [[noreturn]] void give_up(const std::string& sentence);

  std::filesystem::path program_;
  std::unique_ptr<Process> process_;
  wire::Hello hello_;
  std::uint64_t nonce_ = 0;
  std::shared_ptr<Patience> patience_;
  double seconds_taken_ = 0;      // by the last attempt
  std::uint64_t held_bytes_ = 0;  // of device memory, by calls of the process
  bool has_timed_ = false;        // the process has made calls that do not tell what they hold
  std::string earlier_output_;    // of processes that have ended
  bool reports_output_;
  std::size_t reported_bytes_ = 0;
};

}  // namespace tilelab::judge

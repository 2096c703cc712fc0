#pragma once

#include <filesystem>
#include <limits>
#include <memory>
#include <string>

#include "contract/wire.h"
#include "judge/events.h"
#include "judge/worker/limits.h"
#include "judge/worker/memory_file.h"
#include "judge/worker/process.h"

namespace tilelab::judge {

/// A worker that is started when it is needed, and again after it has died.
class Worker {
 public:
  /// @param reports_output  what the program prints is for the student
  explicit Worker(std::filesystem::path program, bool reports_output = false);

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
  /// A call that runs out of time while the machine is busy is repeated alone, if it needs nothing
  /// of earlier requests. Throws InfrastructureError if the machine is too busy even then.
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
  Process::Event attempt(wire::Request& request, const MemoryFile* images,
                         const MemoryFile* results, const Limits& limits);
  Process::Event attempt_alone(wire::Request& request, const MemoryFile* images,
                               const MemoryFile* results, const Limits& limits);
  Process::Event make_request(wire::Request& request, const MemoryFile* images,
                              const MemoryFile* results, const Limits& limits);
  void send(const wire::Request& request, const MemoryFile* images, const MemoryFile* results);
  wire::Reply receive(const wire::Request& request, const std::string& subject);
  [[noreturn]] void fail(const Message& message);
  [[noreturn]] void give_up(const std::string& sentence);

  std::filesystem::path program_;
  std::unique_ptr<Process> process_;
  wire::Hello hello_;
  std::uint64_t nonce_ = 0;
  double seconds_left_ = std::numeric_limits<double>::infinity();  // for each later call
  double seconds_taken_ = 0;                                       // by the last attempt
  double longest_seconds_ = 0;                                     // of a call that returned
  std::string earlier_output_;                                     // of processes that have ended
  bool reports_output_;
  std::size_t reported_bytes_ = 0;
};

}  // namespace tilelab::judge

#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "judge/calls/arguments.h"
#include "judge/worker/worker.h"

namespace tilelab {
namespace judge {

/// One run of a call: per output, what lay there before and after.
struct RunResult {
  /// One output.
  struct Bytes {
    std::vector<std::byte> poison;  ///< what lay there before
    std::vector<std::byte> values;  ///< what lies there after
  };
  std::vector<Bytes> outputs;  ///< in the order of the parameters
};

/// All runs of a call.
struct CallResult {
  std::vector<RunResult> runs;          ///< one per order of threads
  std::vector<std::string> violations;  ///< sentences on what was changed and should not be
};

/// Orders of blocks and threads.
using Orders = std::vector<Order>;

/// What shows most races: each reads or writes too early in some of them.
inline const Orders all_orders = {Order::ascending, Order::descending, Order::random};

/// Runs a function of a worker once per order of threads, each time on fresh addresses. Throws
/// SubmissionError or InfrastructureError.
CallResult run_in_orders(Worker& worker, const Function& function,
                         const std::vector<CallArgument>& arguments, const Orders& orders);

/// run_in_orders() of the submission. Its failures fail the current Catch2 test; a failure of the
/// machine ends the judge.
std::vector<RunResult> call_submission(const Function& function,
                                       const std::vector<CallArgument>& arguments,
                                       const Orders& orders);

/// Ends all workers and writes what the submission printed.
void stop_workers();

/// The worker of this name: "submission", "baseline" or "reference".
Worker& worker(const std::string& name);

/// Notes that the machine or the harness failed, for the grading side, and ends the judge: no
/// report is better than one that blames the student.
[[noreturn]] void give_up(const std::string& sentence);

/// Memory that a worker may use for arrays of `bytes` in all.
std::uint64_t memory_limit_for(std::size_t bytes);

/// An argument that is no Output keeps nothing.
template <class A>
void store_run(A&, const RunResult&, std::size_t&) {}

/// Adds the run's next output to the Output that it belongs to.
template <class T>
void store_run(Output<T>& output, const RunResult& run, std::size_t& next) {
  const RunResult::Bytes& bytes = run.outputs.at(next++);
  output.add_run(bytes.poison, bytes.values);
}

/// An argument that is no Output has nothing to forget.
template <class A>
void clear_runs(A&) {}

/// Forgets the runs of the call before.
template <class T>
void clear_runs(Output<T>& output) {
  output.clear();
}

}  // namespace judge

/// The submission under judgment. Its functions are called as if they were here:
/// `submission.call<diff>(in, out, n)`.
class Submission {
 public:
  /// Inputs are spans (or vectors), outputs are Outputs, scalars are values. After the call each
  /// Output holds the result of every run.
  template <auto* F, class... A>
  void call(A&&... arguments) {
    call_in<F>(judge::all_orders, arguments...);
  }

  /// call() with one run, in which each block has a random order of its own: for calls of so many
  /// blocks that further runs would show nothing new.
  template <auto* F, class... A>
  void call_once(A&&... arguments) {
    call_in<F>({Order::random}, arguments...);
  }

 private:
  template <auto* F, class... A>
  void call_in(const judge::Orders& orders, A&&... arguments) {
    const auto runs = judge::call_submission(judge::function_of<F>(),
                                             judge::arguments_of<F>(arguments...), orders);
    (judge::clear_runs(arguments), ...);
    for (const judge::RunResult& run : runs) {
      std::size_t next = 0;
      (judge::store_run(arguments, run, next), ...);
    }
  }
};

}  // namespace tilelab

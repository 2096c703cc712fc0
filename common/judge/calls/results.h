#pragma once

#include <cstddef>
#include <vector>

#include "judge/calls/arguments.h"

namespace tilelab::judge {

/// What one run of a call left.
struct RunResult {
  /// The bytes of one output.
  struct Bytes {
    std::vector<std::byte> poison;  ///< These bytes were there before the run.
    std::vector<std::byte> values;  ///< These bytes are there after it.
  };
  std::vector<Bytes> outputs;  ///< The outputs have the order of their parameters.
};

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

/// Hands the results of a call to the Outputs among its arguments.
template <class... A>
void store_runs(const std::vector<RunResult>& runs, A&... arguments) {
  (clear_runs(arguments), ...);
  for (const RunResult& run : runs) {
    std::size_t next = 0;
    (store_run(arguments, run, next), ...);
  }
}

}  // namespace tilelab::judge

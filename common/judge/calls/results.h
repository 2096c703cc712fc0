#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "judge/calls/arguments.h"

namespace tilelab::judge {

/// What one run of a call left.
struct RunResult {
  /// The bytes of one output.
  struct Bytes {
    std::vector<std::byte> before;  ///< These bytes were there before the run.
    std::vector<std::byte> values;  ///< These bytes are there after it.
  };
  std::vector<Bytes> outputs;  ///< The outputs have the order of their parameters.
};

/// Whether an argument keeps the results of a call: Outputs do, and what is derived from them.
template <class A>
concept KeepsRuns = requires(A argument) {
  argument.runs();
};

/// Adds the run's next output to the argument, if it keeps results.
template <class A>
void store_run(A& argument, const RunResult& run, std::size_t& next) {
  if constexpr (KeepsRuns<A>) {
    const RunResult::Bytes& bytes = run.outputs.at(next++);
    argument.add_run(bytes.before, bytes.values);
  }
}

/// Forgets the results of the call before.
template <class A>
void clear_runs(A& argument) {
  if constexpr (KeepsRuns<A>) argument.clear();
}

/// The number of results that a function leaves.
template <auto* F, class R, class... P, std::size_t... I>
constexpr std::size_t result_count(R (*)(P...), std::index_sequence<I...>) {
  return (std::size_t{returns_value<R>()} + ... +
          std::size_t{wire::is_written(role_of<F, I, P>())});
}

/// Hands the results of a call of F to the Outputs among its arguments.
template <auto* F, class... A>
void store_runs(const std::vector<RunResult>& runs, A&... arguments) {
  constexpr auto type = static_cast<decltype(F)>(nullptr);
  constexpr auto all = std::make_index_sequence<parameter_count(decltype(F){nullptr})>();
  static_assert(result_count<F>(type, all) == (std::size_t{0} + ... + std::size_t{KeepsRuns<A>}),
                "an output parameter takes an Output, an inout() parameter an InOut");
  (clear_runs(arguments), ...);
  for (const RunResult& run : runs) {
    std::size_t next = 0;
    (store_run(arguments, run, next), ...);
  }
}

}  // namespace tilelab::judge

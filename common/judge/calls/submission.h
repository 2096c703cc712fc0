#pragma once

#include "judge/calls/results.h"
#include "judge/calls/runs.h"

namespace tilelab {

/// The submission under judgment. Its functions are called as if they were here:
/// `Submission().call<diff>(in, out, n)`.
class Submission {
 public:
  /// Calls F in several orders of its threads. Inputs are spans (or vectors), outputs are Outputs,
  /// inout() arrays are InOuts, scalars are values, and a Returned for what F returns comes last.
  /// After the call each of them that holds results has that of every run.
  template <auto* F, class... A>
  void call(A&&... arguments) {
    call_in<F>(judge::all_orders, arguments...);
  }

  /// Calls F once, and each block runs its threads in a random order of its own. Use it for calls
  /// of so many blocks that further runs would show nothing new.
  template <auto* F, class... A>
  void call_once(A&&... arguments) {
    call_in<F>({Order::random}, arguments...);
  }

  /// Calls F once, which returns its errors, with arguments that must lead to one.
  template <auto* F, class... A>
  judge::ReturnedError call_for_error(A&&... arguments) {
    return judge::call_for_error(judge::function_of<F>(), judge::arguments_of<F>(arguments...));
  }

 private:
  template <auto* F, class... A>
  void call_in(const judge::Orders& orders, A&... arguments) {
    const auto runs = judge::call_submission(judge::function_of<F>(),
                                             judge::arguments_of<F>(arguments...), orders);
    judge::store_runs<F>(runs, arguments...);
  }
};

}  // namespace tilelab

#pragma once

#include <functional>
#include <vector>

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

  /// Calls F like call(), or like call_once() if it is for so many elements that each of very many
  /// blocks has an order of its own.
  template <auto* F, class... A>
  void call_for(std::size_t elements, A&&... arguments) {
    constexpr std::size_t many = 1 << 20;
    elements < many ? call<F>(arguments...) : call_once<F>(arguments...);
  }

  /// Calls F like call_once(). If something is wrong with the run, calls it in the other orders,
  /// too, so that the message says the same as after call(). Use it for large inputs, and where
  /// other tests look for what depends on the order.
  /// @param is_right   looks at the Outputs and says whether they are right
  /// @param arguments  those of call()
  template <auto* F, class... A>
  void call_in_any_order(const std::function<bool()>& is_right, A&&... arguments) {
    const auto runs_are_right = [&](const std::vector<judge::RunResult>& runs) {
      judge::store_runs<F>(runs, arguments...);
      return is_right();
    };
    const auto runs = judge::call_in_any_order(
        judge::function_of<F>(), judge::arguments_of<F>(arguments...), runs_are_right);
    judge::store_runs<F>(runs, arguments...);
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

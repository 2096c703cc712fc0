#pragma once

#include <exception>
#include <string>

#include "judge/events.h"
#include "judge/worker/errors.h"

namespace tilelab::judge {

/// Reports that the machine or the harness failed and ends the judge: no verdict is better than one
/// that blames the student.
[[noreturn]] void give_up(const std::string& sentence);

/// Does an action in which no submission takes part. If it fails, the judge ends.
template <class Action>
auto or_give_up(Action action) -> decltype(action()) {
  try {
    return action();
  } catch (const std::exception& error) {
    give_up(error.what());
  }
}

/// Fails the current test if a call of it has failed after a long time: its points are lost, and a
/// class should not wait for an endless loop with each of its inputs.
void fail_after_long_failure();

/// Notes that a call of the current test has failed after a long time.
void note_long_failure();

/// Returns the result of an action that asks the submission. If the submission fails, the current
/// Catch2 test fails and ends; if the machine fails, the judge ends.
template <class Action>
auto or_fail(Action action) -> decltype(action()) {
  fail_after_long_failure();
  try {
    return action();
  } catch (const SubmissionError& error) {
    if (dynamic_cast<const LongFailure*>(&error) != nullptr) note_long_failure();
    fail_and_stop(error.message);
  } catch (const std::exception& error) {
    give_up(error.what());
  }
}

}  // namespace tilelab::judge

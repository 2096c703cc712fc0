#pragma once

#include "judge/calls/submission.h"
#include "judge/catch.h"

namespace tilelab::judge {

/// Fails the current test if a call of it has failed after a long time: its points are lost, and a
/// class should not wait for an endless loop with each of its inputs.
void fail_after_long_failure();

/// Notes that a call of the current test has.
void note_long_failure();

/// The result of an action that asks the submission. If the submission fails, so does the current
/// Catch2 test; if the machine does, the judge ends.
template <class Action>
auto or_fail(Action action) -> decltype(action()) {
  fail_after_long_failure();
  try {
    return action();
  } catch (const SubmissionError& error) {
    if (dynamic_cast<const LongFailure*>(&error) != nullptr) note_long_failure();
    FAIL(error.what());
    throw;  // never reached, which a compiler cannot know
  } catch (const std::exception& error) {
    give_up(error.what());
  }
}

}  // namespace tilelab::judge

#pragma once

#include "judge/catch.h"
#include "judge/submission.h"

namespace tilelab::judge {

/// The result of an action that asks the submission. If the submission fails, so does the current
/// Catch2 test; if the machine does, the judge ends.
template <class Action>
auto or_fail(Action action) -> decltype(action()) {
  try {
    return action();
  } catch (const SubmissionError& error) {
    FAIL(error.what());
    throw;  // never reached, which a compiler cannot know
  } catch (const std::exception& error) {
    give_up(error.what());
  }
}

}  // namespace tilelab::judge

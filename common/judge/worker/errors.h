#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "judge/events.h"

namespace tilelab::judge {

/// The submission did something that ends the call.
struct SubmissionError : std::runtime_error {
  /// @param says  tells the student what it was
  explicit SubmissionError(Message says)
      : std::runtime_error(says.sentence), message(std::move(says)) {}

  Message message;  ///< What it did, for the student.
};

/// A call failed after a long time. Most of the time that is an endless loop.
struct LongFailure : SubmissionError {
  using SubmissionError::SubmissionError;
};

/// The machine or the harness failed, not the submission.
struct InfrastructureError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace tilelab::judge

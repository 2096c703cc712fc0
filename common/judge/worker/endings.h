#pragma once

#include <string>

#include "contract/wire.h"
#include "judge/events.h"
#include "judge/worker/limits.h"
#include "judge/worker/process.h"

namespace tilelab::judge {

/// A message about a call. Its summary names the function without the arguments.
/// @param subject  names the call: "diff(int[33], int[33], 33)"
/// @param says     goes on: " crashed."
Message about_call(const std::string& subject, const std::string& says, std::string pattern = "");

/// What the fault that ended the worker tells the student.
Message explain_fault(const wire::Reply& reply, const std::string& subject);

/// What the student is told if the worker could not do its own part.
/// @param held_bytes  of device memory that earlier calls left allocated, as far as it is known
Message explain_harness_failure(const wire::Reply& reply, const std::string& subject,
                                std::uint64_t held_bytes);

/// What the error that a call returned, or left on the device, tells the student.
Message explain_error(const wire::Reply& reply, const std::string& subject,
                      const wire::Request& request);

/// Tells the student, in one sentence, why a worker did not answer.
Message explain_ending(Process::Event event, const Ending& ending, const Limits& limits,
                       const std::string& subject);

}  // namespace tilelab::judge

#pragma once

#include "judge/calls/observation.h"
#include "judge/events.h"

/// Why a call may take long, if a shorter one has shown it: threads that repeat each other's work.
namespace tilelab::judge {

/// Notes how often the kernels of a call stored each element.
void note_stores(const Observation& observation);

/// Adds to the message about a call that took too long what was noted of earlier ones, if threads
/// stored each element again and again there.
void explain_time(Message& message);

}  // namespace tilelab::judge

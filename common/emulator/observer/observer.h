#pragma once

#include <cstddef>

#include "emulator/observer/options.h"
#include "report/report.h"

/// Watches what a checked build's kernels do. Link `tilelab_observer` and an object made by
/// `compile.sh --checked`; a process without them has nothing to observe.
namespace tilelab::emulator {

/// Observes the launches that follow, until take_report(). Until then host code of the submission
/// may only write its own memory: call this in the function that calls the submission, because
/// everything below that function's stack frame belongs to the submission from now on.
void start_observing(const ObserverOptions& options);

/// Lets findings say `name[index]` for addresses in the array. The name ends with the allocation.
/// @param pointer        where index 0 lies in an allocation
/// @param name           the array's name
/// @param element_bytes  the size of an element
/// @param elements       if not 0, kernels may use these elements only, and nothing else of the
///                       allocation
void name_allocation(const void* pointer, const char* name, std::size_t element_bytes,
                     std::size_t elements = 0);

/// What was seen since start_observing(). Ends the observation.
report::Report take_report();

}  // namespace tilelab::emulator

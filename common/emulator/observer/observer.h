#pragma once

#include <cstddef>
#include <string>

#include "emulator/observer/options.h"
#include "report/report.h"

/// Watches what the kernels of a checked build do. The program must link `tilelab_observer` and an
/// object made by `compile.sh --checked`.
namespace tilelab::emulator {

/// Observes the launches that follow, until take_report(). Until then the submission's host code
/// may only write its own memory. Call this in the function that calls the submission: everything
/// below that function's stack frame belongs to the submission from now on.
void start_observing(const ObserverOptions& options);

/// Observes the launches that follow, until take_report(). No submission runs but a program of its
/// own, whose host code may do what it likes.
void observe_program(const ObserverOptions& options);

/// Lets findings say `name[index]` for addresses in the array. The name ends with the allocation.
/// @param pointer        the address of element 0, in an allocation
/// @param name           the array's name
/// @param element_bytes  the size of an element
/// @param elements       if not 0, kernels may use this many elements and nothing else of the
///                       allocation
void name_allocation(const void* pointer, const char* name, std::size_t element_bytes,
                     std::size_t elements = 0);

/// Lets the array count as unwritten, whatever it holds.
void note_unwritten(const void* pointer, std::size_t bytes);

/// A sentence if elements of an output were not written by a kernel of the submission since
/// begin_call(), else "". Elements that nobody wrote do not count.
std::string foreign_work(const void* pointer, const char* name, std::size_t element_bytes,
                         std::size_t elements);

/// A finding: host code, which runs, does what ends the program.
void note_host_fault(const char* sentence);

/// Ends the observation and returns what was seen since start_observing().
report::Report take_report();

}  // namespace tilelab::emulator

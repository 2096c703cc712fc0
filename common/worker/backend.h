#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "contract/passed_array.h"
#include "contract/wire.h"

/// What a worker needs beyond the CUDA runtime API. Each backend has its own.
namespace tilelab::worker {

/// Prepares the backend, before the first request. `on_fatal` reports a sentence and ends the
/// process; it is async-signal-safe.
void start_backend(void (*on_fatal)(const char* sentence));

/// Where the GPU is, in the form that NVML expects; "" if there is none.
std::string bus_id();

/// Makes lines of the L2 cache that were set to persist ordinary ones.
void reset_persisting_cache();

/// An array in host memory, for a function that copies its arrays itself. Null if there is no room.
std::byte* allocate_host_array(std::size_t bytes);

/// Frees such an array.
void release_host_array(std::byte* array);

/// Chooses the order in which the next launches run their blocks and threads. A GPU ignores it.
void set_order(Order order, std::uint64_t seed);

/// Names the arrays of the next call for sentences about addresses near them. A GPU says none.
void name_passed_arrays(std::span<const PassedArray> arrays);

/// The submission's function is called next: from now on its host code may read back only a few
/// bytes of device memory (contract/host_reads.h), unless it may read back all.
void begin_call(bool may_read_back);

/// The function has returned.
void end_call();

/// The same moment: from now on CUDA calls are counted, and one of them fails. A backend that
/// cannot make it fail counts none.
void begin_counting_calls(const CallToFail& failing);

/// The function has returned, and nobody has asked for its errors yet.
FailedCall end_counting_calls();

/// After a call, a sentence if elements of an output were not written by a kernel of the
/// submission. It is "" if all were, or where nobody can know.
std::string foreign_work(const void* pointer, const char* name, std::size_t element_bytes,
                         std::size_t elements);

/// Makes a checked build look at the launches that follow, as the request asks. In other builds the
/// report stays empty.
void start_observing(const wire::Request& request);

/// Gives an array of device memory a name for the report. What an output holds counts as unwritten.
void name_array(const void* pointer, const char* name, std::size_t element_bytes,
                std::size_t elements, bool is_input);

/// Ends the observation; report::decode() reads the bytes. A report that would have more than
/// `room` is made shorter, which may not be enough.
std::vector<std::byte> take_report(std::size_t room);

/// What is known of the last kernel fault beyond the CUDA error; may be "".
std::string fault_details();

/// Where the functions were that ran then: the innermost first, as `addr2line` expects it. 0 is
/// nowhere. A GPU does not say it.
std::span<const std::uint64_t> fault_callers();

}  // namespace tilelab::worker

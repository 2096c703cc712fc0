#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "contract/failed_call.h"
#include "contract/order.h"
#include "contract/passed_array.h"

/// CUDA on the CPU: what a program with emulated kernels can set and ask beyond the CUDA runtime
/// API. Everything runs in one OS thread; never call any of this from a second one.
namespace tilelab::emulator {

/// Chooses the order for the launches that follow.
/// @param order  how blocks and threads are ordered
/// @param seed   makes Order::random repeatable; ignored otherwise
void set_order(Order order, std::uint64_t seed);

/// A sentence about the sticky fault (which kernel, block and thread did what). If there is none, a
/// sentence about the last error that a call returned, or "" if its name says it all. Valid until
/// cudaDeviceReset().
const char* fault_message();

/// Where the functions were that ran when that happened, or when the process could not continue:
/// the innermost first, as `addr2line` expects it. 0 is nowhere.
std::span<const std::uint64_t> fault_callers();

/// Sets what is called when the process cannot continue: host code touched device memory, or a
/// kernel is stuck. Without a handler, the sentence goes to stderr and the process aborts.
/// @param handler  must be async-signal-safe and must not return; nullptr restores the default
void set_fatal_handler(void (*handler)(const char* sentence));

/// Calls the fatal handler if a kernel makes no progress for this long: no thread finishes, or
/// reaches a barrier or warp operation. Also if no thread finishes for ten times as long.
/// @param seconds  CPU time; 0 turns the watchdog off
void set_watchdog(double seconds);

/// Calls the fatal handler when the process gets this signal, with a sentence without its period
/// about the thread that runs.
void tell_what_runs_on(int signal);

/// Lets host code and kernels share memory: managed memory, and page-locked memory of the host.
/// Submissions may not, because what host code does to such memory is not seen.
void allow_managed_memory();

/// The device says that it has this many multiprocessors.
void show_multiprocessors(int count);

/// In a fast build, stops kernels that leave a block of device memory at its begin or just past its
/// end. Each launch takes longer then. A judge does not need it: it has zones of its own around
/// arrays, and a checked build.
void guard_device_memory();

/// From now on, sentences about addresses near these arrays name them instead of the allocations
/// that they lie in. They take the place of those before.
void name_passed_arrays(std::span<const PassedArray> arrays);

/// A call of the submission begins: until end_call() its host code may read back only a few bytes
/// of device memory (contract/host_reads.h), and in a checked build it may only write its own
/// memory. Call this in the function that calls the submission, or in one that it calls: everything
/// below the caller's stack frame belongs to the submission.
/// @param may_read_back  whether host code may read back as much as it likes
void begin_call(bool may_read_back);

/// The call has ended.
void end_call();

/// From now on, the program's CUDA calls are counted, and one of them fails as if the device had
/// made it fail: a call that fails does nothing, cudaGetLastError() knows, and a kernel that fails
/// is told by calls that wait for it.
void begin_counting_calls(const CallToFail& failing);

/// The function has returned, so the counting ends. The failure of a kernel can still be told, and
/// other streams may still be at work.
FailedCall end_counting_calls();

/// An array in host memory that only copies of the runtime can touch, neither host code nor
/// kernels. Null if there is no room.
void* allocate_host_array(std::size_t bytes);

/// Frees such an array.
void release_host_array(void* array);

/// How many blocks of device memory are allocated and not freed.
std::uint64_t live_allocations();

}  // namespace tilelab::emulator

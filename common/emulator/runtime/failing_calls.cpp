#include "emulator/runtime/failing_calls.h"

#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "contract/failed_call.h"
#include "emulator/emulator.h"
#include "emulator/runtime/callers.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/listener.h"
#include "emulator/runtime/memory/device_memory.h"
#include "emulator/runtime/memory/host_arrays.h"
#include "emulator/runtime/memory/pinned_memory.h"
#include "emulator/runtime/streams/live_handles.h"

namespace tilelab::emulator {
namespace {

/// How a call fails.
struct Way {
  cudaError_t error;
  bool is_of_kernel = false;  ///< The launch succeeds, and its kernel fails.
};

constexpr Way of_allocations[] = {{cudaErrorMemoryAllocation}};
constexpr Way of_copies[] = {{cudaErrorInvalidValue}, {cudaErrorInvalidMemcpyDirection}};
constexpr Way of_fills[] = {{cudaErrorInvalidValue}};
constexpr Way of_launches[] = {{cudaErrorLaunchOutOfResources},
                               {cudaErrorInvalidConfiguration},
                               {cudaErrorIllegalAddress, true},
                               {cudaErrorLaunchFailure, true}};

/// How a call of the runtime can fail although its arguments are right. Nobody expects that of
/// calls that free, wait or ask.
std::span<const Way> ways_of(std::string_view name) {
  const auto begins = [name](std::string_view with) { return name.starts_with(with); };
  if (begins("cudaMemcpy")) return of_copies;
  if (begins("cudaMemset")) return of_fills;
  const bool allocates = begins("cudaMalloc") || begins("cudaHostAlloc") ||
                         begins("cudaHostRegister") || name.find("Create") != name.npos;
  return allocates ? of_allocations : std::span<const Way>{};
}

/// Whether the host waits in this call until kernels have ended. Copies to and from memory that is
/// not page-locked do, even those that are called asynchronous.
bool waits_for_kernels(std::string_view name) {
  const auto has = [name](std::string_view part) { return name.find(part) != name.npos; };
  return has("Synchronize") || has("Query") || has("cudaMemcpy") || name == "cudaFree";
}

/// Whether the call ends the life of something, as every way out of a function may.
bool cleans_up(std::string_view name) {
  const auto has = [name](std::string_view part) { return name.find(part) != name.npos; };
  return has("Free") || has("Destroy") || has("Unregister");
}

bool counts = false;  // the calls of a submission
CallToFail to_fail;
FailedCall record;
cudaError_t kernel_failure = cudaSuccess;  // which the program has not been told yet

/// What outlives a call if the function does not end its life.
struct Held {
  std::size_t bytes, streams, events, pinned;
};
Held held_before{};

Held held_now() {
  return {DeviceMemory::instance().used(), live_streams().size(), live_events().size(),
          PinnedMemory::instance().count() + HostArrays::instance().pinned()};
}

std::size_t more(std::size_t now, std::size_t before) { return now > before ? now - before : 0; }

template <std::size_t size>
void copy_text(char (&to)[size], const char* from) {
  std::memcpy(to, from, strnlen(from, size - 1));
}

/// Whether the program could know of the failure.
bool has_failed() {
  return record.error != cudaSuccess && (record.is_of_kernel == 0 || record.told_by[0] != '\0');
}

/// Whether a call may not follow the failure. A launch returns nothing: until the program asks
/// whether it was refused, it may well ask or wait for something else.
bool is_late(std::string_view name, std::span<const Way> ways) {
  if (!has_failed() || cleans_up(name)) return false;
  const bool is_told = record.is_launch == 0 || record.is_of_kernel != 0 || is_last_error_known();
  return is_told || !ways.empty();
}

/// Counts a call.
/// @return the way in which it has to fail, or null
const Way* count(const char* name, std::span<const Way> ways) {
  const bool is_broken = sticky_error() != cudaSuccess && !has_failed();
  if (!counts || is_broken) return nullptr;
  ++record.calls;
  if (record.next[0] == '\0' && is_late(name, ways)) {
    copy_text(record.next, name);
    note_callers(record.next_code);
  }
  if (record.calls != to_fail.number) return nullptr;
  record.ways = static_cast<std::uint32_t>(ways.size());
  if (to_fail.way >= ways.size()) return nullptr;
  const Way& way = ways[to_fail.way];
  record.error = way.error;
  copy_text(record.error_name, cudaGetErrorName(way.error));
  copy_text(record.name, name);
  note_callers(record.code);
  return &way;
}

/// The kernel that was made to fail has failed by now.
void tell_kernel_failure(const char* name) {
  if (kernel_failure == cudaSuccess) return;
  set_fault(std::exchange(kernel_failure, cudaSuccess), "%s", "");
  if (counts) copy_text(record.told_by, name);
}

}  // namespace

void begin_counting_calls(const CallToFail& failing) {
  counts = true;
  to_fail = failing;
  record = {};
  record.is_counted = 1;
  held_before = held_now();
}

FailedCall end_counting_calls() {
  counts = false;
  tell(&Listener::call_returns);
  const Held held = held_now();
  record.held_bytes = more(held.bytes, held_before.bytes);
  record.held_streams = static_cast<std::uint32_t>(more(held.streams, held_before.streams));
  record.held_events = static_cast<std::uint32_t>(more(held.events, held_before.events));
  record.held_pinned = static_cast<std::uint32_t>(more(held.pinned, held_before.pinned));
  return record;
}

cudaError_t failure_of_call(const char* name) {
  const Way* const way = count(name, ways_of(name));
  if (way != nullptr) return record_error(way->error);
  if (waits_for_kernels(name)) tell_kernel_failure(name);
  return cudaSuccess;
}

std::optional<cudaError_t> failure_of_launch(const char* kernel) {
  if (const Way* const way = count(kernel, of_launches)) {
    record.is_launch = 1;
    if (!way->is_of_kernel) return record_error(way->error);
    record.is_of_kernel = 1;
    kernel_failure = way->error;
  }
  // After a kernel that failed no other runs.
  return kernel_failure != cudaSuccess ? std::optional(cudaSuccess) : std::nullopt;
}

}  // namespace tilelab::emulator

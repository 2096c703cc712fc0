// Accesses for which the hooks know no fast way: unusual memory, and everything that is wrong.

#include <cstdio>

#include "emulator/observer/code_address.h"
#include "emulator/observer/hooks/record_access.h"
#include "emulator/observer/memory/host_memory.h"
#include "emulator/observer/memory/submission.h"
#include "emulator/observer/observer_impl.h"
#include "emulator/runtime/device_limits.h"
#include "emulator/runtime/execution/scheduler.h"
#include "emulator/runtime/faults/fault.h"
#include "emulator/runtime/memory/device_memory.h"
#include "emulator/runtime/memory/places.h"
#include "emulator/runtime/memory/shared_memory.h"

namespace tilelab::emulator {
namespace {

/// One access of a kernel that was found to be wrong, or to be somewhere else.
struct Access {
  std::uintptr_t address;
  unsigned bytes;
  Code code;

  AccessKind kind() const { return kind_of(code); }
  const void* pointer() const { return reinterpret_cast<const void*>(address); }
  const char* verb() const { return kind() == AccessKind::load ? "reads" : "writes"; }
};

[[noreturn]] void stop(const Access& access, report::FindingKind kind, report::MemoryPlace memory,
                       cudaError_t error, const char* where) {
  Observer::instance().report_access(kind, std::move(memory), access.code);
  char sentence[256];
  std::snprintf(sentence, sizeof sentence, "%s address %p, %s", access.verb(), access.pointer(),
                where);
  Scheduler::instance().fault(error, sentence);
}

report::MemoryPlace shared_place(std::int64_t offset, unsigned bytes) {
  return {MemorySpace::shared, "", offset, bytes};
}

[[noreturn]] void stop_in_arena(const Access& access) {
  const bool freed = Observer::instance().was_freed(access.address);
  char where[160];
  describe_place(access.pointer(), where, sizeof where);
  stop(access, freed ? report::FindingKind::use_after_free : report::FindingKind::out_of_bounds,
       Observer::instance().describe_outside(access.address, access.bytes), cudaErrorIllegalAddress,
       freed ? "in device memory that was freed" : where);
}

[[noreturn]] void stop_misaligned(const Access& access, report::MemoryPlace memory) {
  char where[64];
  std::snprintf(where, sizeof where, "which is no multiple of the %u bytes", access.bytes);
  stop(access, report::FindingKind::misaligned, std::move(memory), cudaErrorMisalignedAddress,
       where);
}

/// Whether the access lies in a static array.
bool is_shared(const Access& access) {
  const std::uintptr_t offset = access.address - hot.shared_begin;
  if (offset >= hot.shared_bytes) return false;
  for (std::uintptr_t at = offset; at < offset + access.bytes; ++at) {
    if (hot.shared_addressable[at / 8] <= at % 8) return false;
  }
  return true;
}

/// The compressed address, if the access lies in memory that this kernel may use.
std::optional<std::uint32_t> compress(const Access& access) {
  const std::uintptr_t address = access.address;
  const auto dynamic = reinterpret_cast<std::uintptr_t>(&dynamic_shared_memory);
  const Observer& observer = Observer::instance();
  if (Range{dynamic, dynamic + observer.dynamic_shared_bytes()}.contains(address, access.bytes)) {
    return space_base::dynamic + static_cast<std::uint32_t>(address - dynamic);
  }
  if (is_shared(access)) {
    return space_base::shared + static_cast<std::uint32_t>(address - hot.shared_begin);
  }
  if (observer.is_addressable(address, access.bytes)) {
    return compress_arena(address);
  }
  const Range constants = constant_variables();
  if (constants.contains(address, access.bytes)) {
    return space_base::constant + static_cast<std::uint32_t>(address - constants.begin);
  }
  return compress_variable(address, access.bytes);
}

bool is_on_stack(std::uintptr_t address) {
  const auto stack = reinterpret_cast<std::uintptr_t>(Scheduler::instance().running_fiber().stack);
  return address - stack < fiber_guard_bytes + fiber_stack_bytes;
}

/// Whether it most likely was meant for the range.
bool is_near(const Access& access, const Range& range) {
  constexpr std::uintptr_t near = 64 * 1024;
  return range.begin != range.end &&
         access.address + near - range.begin < range.end - range.begin + 2 * near;
}

/// The kernel may not use this memory.
[[noreturn]] void stop_outside(const Access& access) {
  if (DeviceMemory::instance().contains(access.pointer())) stop_in_arena(access);
  const auto dynamic = reinterpret_cast<std::uintptr_t>(&dynamic_shared_memory);
  if (access.address - dynamic < device_limits::shared_bytes_per_block_optin) {
    stop(access, report::FindingKind::out_of_bounds,
         shared_place(static_cast<std::int64_t>(access.address - dynamic), access.bytes),
         cudaErrorIllegalAddress, "past the end of the dynamic shared memory of this launch");
  }
  if (is_near(access, {hot.shared_begin, hot.shared_begin + hot.shared_bytes})) {
    const auto offset = static_cast<std::int64_t>(access.address - hot.shared_begin);
    stop(access, report::FindingKind::out_of_bounds,
         Observer::instance().describe_shared(offset, access.bytes), cudaErrorIllegalAddress,
         "outside of the shared array");
  }
  if (const Range constants = constant_variables(); is_near(access, constants)) {
    const auto offset = static_cast<std::int64_t>(access.address - constants.begin);
    stop(access, report::FindingKind::out_of_bounds,
         {MemorySpace::constant, "", offset, access.bytes}, cudaErrorIllegalAddress,
         "outside of the constant variables");
  }
  constexpr std::uintptr_t first_page = 4096;
  if (access.address < first_page) {
    stop(access, report::FindingKind::out_of_bounds,
         {MemorySpace::global, "", static_cast<std::int64_t>(access.address), access.bytes},
         cudaErrorIllegalAddress, "a null pointer");
  }
  stop(access, report::FindingKind::host_pointer, {MemorySpace::host, "", 0, access.bytes},
       cudaErrorIllegalAddress,
       "which is memory of the host: give the kernel a pointer from cudaMalloc()");
}

void access_in_kernel(const Access& access) {
  if (access.kind() == AccessKind::load && is_silent(access.address)) return;
  Observer& observer = Observer::instance();
  if (is_on_stack(access.address)) {
    return observer.append(make_event(access.code, space_base::local));
  }
  const std::optional<std::uint32_t> address = compress(access);
  if (!address) {
    if (access.kind() == AccessKind::load && is_read_only(access.address)) return;
    stop_outside(access);
  }
  if (access.address % access.bytes != 0) {
    stop_misaligned(access, observer.describe(*address, access.bytes));
  }
  if (space_of(*address) == MemorySpace::constant && access.kind() != AccessKind::load) {
    stop(access, report::FindingKind::constant_write, observer.describe(*address, access.bytes),
         cudaErrorIllegalAddress, "which is constant memory: kernels can only read it");
  }
  observer.append(make_event(access.code, *address));
}

/// Host code goes no further than to the store: what it would change could be what is reported.
void check_host_write(std::uintptr_t address, std::size_t bytes, Code code) {
  Observer& observer = Observer::instance();
  if (!observer.is_observing() || HostMemory::instance().may_write(address, bytes)) return;
  // A device pointer has a sentence of its own, when the store traps.
  if (DeviceMemory::instance().contains(reinterpret_cast<const void*>(address))) return;
  observer.report_access(report::FindingKind::forbidden_write,
                         {MemorySpace::host, "", 0, static_cast<unsigned>(bytes)}, code);
  fatal(
      "host code writes memory that is neither its stack, nor its heap, nor a variable of its own "
      "(code address 0x%llx)",
      static_cast<unsigned long long>(link_time_address(place_of(code))));
}

}  // namespace

void access_elsewhere(std::uintptr_t address, unsigned log2_bytes, AccessKind kind,
                      std::uintptr_t place) {
  const Code code = make_code(compress_place(place), kind, log2_bytes);
  if (Observer::instance().runs_kernel()) {
    access_in_kernel({address, 1u << log2_bytes, code});
  } else if (kind != AccessKind::load) {
    check_host_write(address, 1u << log2_bytes, code);
  }
}

/// A copy of several words: as words of 4 bytes where it can be, as nvcc does it for types that
/// have no larger alignment.
void access_range(std::uintptr_t address, std::size_t bytes, AccessKind kind,
                  std::uintptr_t place) {
  const unsigned log2_bytes = (address | bytes) % 4 == 0 ? 2 : 0;
  const Code code = make_code(compress_place(place), kind, log2_bytes);
  if (!Observer::instance().runs_kernel()) {
    if (kind != AccessKind::load && bytes > 0) check_host_write(address, bytes, code);
    return;
  }
  for (std::size_t done = 0; done < bytes; done += 1u << log2_bytes) {
    access_in_kernel({address + done, 1u << log2_bytes, code});
  }
}

}  // namespace tilelab::emulator

// Accesses that need a closer look: to unusual memory, and those that are wrong.

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <utility>

#include "emulator/observer/dispatcher.h"
#include "emulator/observer/events/code_address.h"
#include "emulator/observer/hooks/record_access.h"
#include "emulator/observer/host/host_memory.h"
#include "emulator/observer/memory/submission.h"
#include "emulator/observer/memory/variable_tables.h"
#include "emulator/runtime/device_limits.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/execution/scheduler.h"
#include "emulator/runtime/memory/device_memory.h"
#include "emulator/runtime/memory/host_reads.h"
#include "emulator/runtime/memory/pinned_memory.h"
#include "emulator/runtime/memory/places.h"
#include "emulator/runtime/runtime_lock.h"

namespace tilelab::emulator {

using report::FindingKind;
using report::MemoryPlace;

namespace {

/// One access of a kernel.
struct Access {
  std::uintptr_t address;
  unsigned bytes;
  Code code;

  AccessKind kind() const { return kind_of(code); }
  const void* pointer() const { return reinterpret_cast<const void*>(address); }
  const char* verb() const { return kind() == AccessKind::load ? "reads" : "writes"; }
};

/// Where host code was that freed the memory there; empty if nobody knows.
std::vector<std::uint64_t> freed_by(std::uintptr_t address) {
  const auto* callers =
      DeviceMemory::instance().freed_by(reinterpret_cast<const std::byte*>(address));
  return callers != nullptr ? *callers : std::vector<std::uint64_t>();
}

[[noreturn]] void stop(const Access& access, FindingKind kind, MemoryPlace memory,
                       cudaError_t error, const char* where) {
  analyses().findings.add_access(kind, std::move(memory), access.code, freed_by(access.address));
  char sentence[256];
  std::snprintf(sentence, sizeof sentence, "%s address %p, %s", access.verb(), access.pointer(),
                where);
  Scheduler::instance().fault(error, sentence);
}

[[noreturn]] void stop_in_arena(const Access& access) {
  const MemoryNames& names = analyses().names;
  if (analyses().allocations.was_freed(access.address)) {
    stop(access, FindingKind::use_after_free, names.freed_place(access.address, access.bytes),
         cudaErrorIllegalAddress, "in device memory that was freed");
  }
  char where[160];
  describe_place(access.pointer(), where, sizeof where);
  stop(access, FindingKind::out_of_bounds, names.device_place(access.address, access.bytes),
       cudaErrorIllegalAddress, where);
}

[[noreturn]] void stop_misaligned(const Access& access, MemoryPlace memory) {
  char where[64];
  std::snprintf(where, sizeof where, "which is not a multiple of the access's %u bytes",
                access.bytes);
  stop(access, FindingKind::misaligned, std::move(memory), cudaErrorMisalignedAddress, where);
}

/// Whether the access was most likely meant for the range.
bool is_near(const Access& access, const Range& range) {
  constexpr std::uintptr_t near = 64 << 10;
  return range.begin != range.end &&
         access.address + near - range.begin < range.end - range.begin + 2 * near;
}

/// Stops the kernel if the access is to the memory of its cluster.
void stop_in_cluster(const Access& access, const Cluster& cluster) {
  const auto place = cluster.place_of(access.pointer());
  if (!place) return;
  if (place->rank == cluster.rank_of(blockIdx)) {
    Scheduler::instance().fault(
        cudaErrorNotSupported,
        "accesses its own shared memory through a pointer that another block has got from "
        "map_shared_rank(), which the emulator does not support: pass on the rank instead");
  }
  stop(access, FindingKind::out_of_bounds, analyses().names.foreign_place(*place, access.bytes),
       cudaErrorIllegalAddress, "outside of the shared memory of another block of the cluster");
}

/// Whether the process has memory there.
bool is_mapped(std::uintptr_t address) {
  constexpr std::uintptr_t page = 4096;
  void* const begin = reinterpret_cast<void*>(address / page * page);
  return madvise(begin, page, MADV_NORMAL) == 0 || errno != ENOMEM;
}

/// Whether host code may have allocated it: it is mapped, and behind the executable's last page.
bool may_be_on_heap(std::uintptr_t address) {
  constexpr std::uintptr_t page = 4096;
  const Range own = executable();
  return is_mapped(address) &&
         (address < own.begin || address >= (own.end + page - 1) / page * page);
}

/// Stops the kernel, which may not use this memory.
[[noreturn]] void stop_outside(const Access& access) {
  if (DeviceMemory::instance().contains(access.pointer())) stop_in_arena(access);
  if (const Cluster* cluster = Scheduler::instance().cluster()) stop_in_cluster(access, *cluster);
  const auto dynamic = reinterpret_cast<std::uintptr_t>(&dynamic_shared_memory);
  if (access.address - dynamic < device_limits::shared_bytes_per_block_optin) {
    const auto offset = static_cast<std::int64_t>(access.address - dynamic);
    const std::size_t size = analyses().kernel_memory.dynamic_bytes();
    stop(access, FindingKind::out_of_bounds, {MemorySpace::shared, "", offset, access.bytes, size},
         cudaErrorIllegalAddress, "past the end of the dynamic shared memory of this launch");
  }
  if (is_near(access, {hot.shared_begin, hot.shared_begin + hot.shared_bytes})) {
    const auto offset = static_cast<std::int64_t>(access.address - hot.shared_begin);
    stop(access, FindingKind::out_of_bounds, analyses().names.shared_place(offset, access.bytes),
         cudaErrorIllegalAddress, "outside of its shared array");
  }
  if (const Range constants = constant_variables(); is_near(access, constants)) {
    const auto offset = static_cast<std::int64_t>(access.address - constants.begin);
    stop(access, FindingKind::out_of_bounds, {MemorySpace::constant, "", offset, access.bytes},
         cudaErrorIllegalAddress, "outside of the constant variables");
  }
  const Variable* const array = array_near(access.address, access.bytes);
  if (array != nullptr && !may_be_on_heap(access.address)) {
    char where[160];
    std::snprintf(where, sizeof where, "outside of the variable %s", array->name.c_str());
    stop(access, FindingKind::out_of_bounds,
         MemoryNames::variable_place(*array, access.address, access.bytes), cudaErrorIllegalAddress,
         where);
  }
  constexpr std::uintptr_t first_page = 4096;
  if (access.address < first_page) {
    stop(access, FindingKind::out_of_bounds, {MemorySpace::global, "", -1, access.bytes},
         cudaErrorIllegalAddress, "a null pointer");
  }
  if (PinnedMemory::instance().place_of(access.address)) {
    stop(access, FindingKind::out_of_bounds,
         MemoryNames::pinned_place(access.address, access.bytes), cudaErrorIllegalAddress,
         "past the end of pinned host memory");
  }
  if (DeviceMemory::instance().is_beside_all(access.pointer()) || !is_mapped(access.address)) {
    stop(access, FindingKind::out_of_bounds,
         analyses().names.device_place(access.address, access.bytes), cudaErrorIllegalAddress,
         "far outside of every allocation");
  }
  stop(access, FindingKind::host_pointer, {MemorySpace::host, "", 0, access.bytes},
       cudaErrorIllegalAddress,
       "which is host memory: give the kernel a pointer from cudaMalloc()");
}

/// Writes down an access to this compressed address.
void write_down(const Access& access, std::uint32_t address) {
  make_room();
  const Event event = make_event(access.code, address);
  const bool is_load = access.kind() == AccessKind::load;
  const bool is_watched = hot.watches_stores && space_of(address) != MemorySpace::local;
  if (!is_load && is_watched) {
    before_store(event);
  }
  if (!is_load && space_of(address) == MemorySpace::global) {
    // Host code reads pinned memory without a copy, and may learn no more that way.
    if (is_pinned(address)) host_reads(access.bytes);
    hot.provenance->kernel_writes(address, access.bytes);
  }
  append(event);
  if (is_watched) read_strongly(event);
}

/// Stops the kernel, which has the address of a variable from host code.
[[noreturn]] void stop_at_host_address(const Access& access) {
  const Range constants = constant_variables();
  if (constants.contains(access.address, access.bytes)) {
    const auto offset = static_cast<std::int64_t>(access.address - constants.begin);
    stop(access, FindingKind::host_address, {MemorySpace::constant, "", offset, access.bytes},
         cudaErrorIllegalAddress, "which is a constant's address in host code only");
  }
  stop(access, FindingKind::host_pointer, {MemorySpace::host, "", 0, access.bytes},
       cudaErrorIllegalAddress, "which is a variable's address in host code only");
}

void access_in_kernel(const Access& access) {
  const bool is_load = access.kind() == AccessKind::load;
  if (is_load && is_silent(access.address)) return;
  if (analyses().host_addresses.lead_to(access.address)) stop_at_host_address(access);
  const std::uintptr_t constant = access.address - hot.constants_begin;
  if (is_load && constant < hot.constants_bytes && hot.constants_bytes - constant >= access.bytes &&
      access.address % access.bytes == 0) {
    // The most common of these accesses.
    make_room();
    return append(
        make_event(access.code, space_base::constant + static_cast<std::uint32_t>(constant)));
  }
  if (is_on_stack(access.address)) return write_down(access, space_base::local);
  const std::optional<std::uint32_t> address =
      analyses().kernel_memory.compress(access.address, access.bytes);
  if (!address) {
    if (is_load && is_read_only(access.address)) return;
    stop_outside(access);
  }
  if (access.address % access.bytes != 0) {
    stop_misaligned(access, analyses().names.place_at(*address, access.bytes));
  }
  if (space_of(*address) == MemorySpace::constant && !is_load) {
    stop(access, FindingKind::constant_write, analyses().names.place_at(*address, access.bytes),
         cudaErrorIllegalAddress, "which is constant memory: kernels can only read it");
  }
  write_down(access, *address);
}

/// Host code must not get past a forbidden store: it could change what is reported.
void check_host_write(std::uintptr_t address, std::size_t bytes, Code code) {
  if (!analyses().host_access.is_calling() || HostMemory::instance().may_write(address, bytes))
    return;
  // For a device pointer there is a better sentence when the store traps.
  if (DeviceMemory::instance().contains(reinterpret_cast<const void*>(address))) return;
  analyses().findings.add_access(FindingKind::forbidden_write,
                                 {MemorySpace::host, "", 0, static_cast<unsigned>(bytes)}, code);
  fatal(
      "host code writes memory that does not belong to it: neither its stack, nor its heap, nor "
      "one "
      "of its variables (code address 0x%llx)",
      static_cast<unsigned long long>(link_time_address(place_of(code))));
}

/// The block of managed memory that host code used last, until one is freed. Threads of the host
/// may mix two up: then an access is not looked at.
struct LastHostBlock {
  std::atomic<std::uintptr_t> begin, bytes;
  std::atomic<std::uint64_t> frees;
};
constinit LastHostBlock last_host_block;

/// Host code of a program goes past the end of managed memory, or uses a pointer to the device's.
/// A lab's function is stopped where it does.
void check_host_pointer(std::uintptr_t address, std::size_t bytes, Code code) {
  const DeviceMemory& memory = DeviceMemory::instance();
  const auto* const begin = reinterpret_cast<const std::byte*>(address);
  if (!memory.contains(begin)) return;
  LastHostBlock& last = last_host_block;
  const std::uintptr_t offset = address - last.begin.load(std::memory_order_relaxed);
  const std::uintptr_t size = last.bytes.load(std::memory_order_relaxed);
  const bool is_in_last = offset < size && bytes <= size - offset;
  if (is_in_last && last.frees.load(std::memory_order_relaxed) == memory.frees_so_far()) return;
  // Another thread may be allocating memory, or wait for this one in a kernel.
  const RuntimeTryLock lock;
  if (!lock.is_held() || analyses().host_access.is_calling()) return;
  const auto block = memory.block_below(begin);
  const bool is_behind_host_block = block && memory.is_behind_host_block(begin);
  if (is_behind_host_block && memory.is_allocated(begin, bytes)) {
    last.begin = address - static_cast<std::uintptr_t>(block->offset);
    last.bytes = block->size;
    last.frees = memory.frees_so_far();
    return;
  }
  const FindingKind kind = analyses().allocations.was_freed(address)
                               ? FindingKind::host_use_after_free
                           : is_behind_host_block ? FindingKind::host_out_of_bounds
                                                  : FindingKind::device_pointer;
  const auto of_access = static_cast<unsigned>(bytes);
  analyses().findings.add_access(kind, analyses().names.device_place(address, of_access), code,
                                 freed_by(address));
}

void host_access(std::uintptr_t address, std::size_t bytes, Code code) {
  check_host_pointer(address, bytes, code);
  analyses().streams.host_accesses(address, bytes, code);
  if (kind_of(code) == AccessKind::load) return analyses().host_access.reads(address, bytes);
  check_host_write(address, bytes, code);
  analyses().host_access.writes(address, bytes);
}

/// The largest range whose accesses happen with nothing in between.
constexpr std::size_t most_words_at_once = 1024;

/// A kernel accesses each word of a range.
template <unsigned log2_bytes>
void access_words(std::uintptr_t begin, std::size_t bytes, AccessKind kind, std::uintptr_t place) {
  // For all of them, because they happen at once. A log has no room for a very large range.
  const auto room = static_cast<std::size_t>(hot.end - std::min(hot.cursor, hot.end));
  const std::size_t words = bytes >> log2_bytes;
  if (room < words && words <= most_words_at_once) log_is_full();
  for (std::uintptr_t word = begin; word < begin + bytes; word += 1u << log2_bytes) {
    const void* const pointer = reinterpret_cast<const void*>(word);
    if (kind == AccessKind::load) {
      access<AccessKind::load, log2_bytes>(pointer, place);
    } else {
      access<AccessKind::store, log2_bytes>(pointer, place);
    }
  }
}

}  // namespace

void access_elsewhere(std::uintptr_t address, unsigned size, AccessKind kind,
                      std::uintptr_t place) {
  const Code code = make_code(compress_place(place), kind, size);
  if (is_kernel_thread()) {
    access_in_kernel({address, bytes_of(code), code});
  } else {
    host_access(address, bytes_of(code), code);
  }
}

/// Counts a copy of several words in words of 4 bytes where possible, as nvcc does for types
/// without a larger alignment.
void access_range(std::uintptr_t address, std::size_t bytes, AccessKind kind,
                  std::uintptr_t place) {
  const unsigned log2_bytes = (address | bytes) % 4 == 0 ? 2 : 0;
  const Code code = make_code(compress_place(place), kind, log2_bytes);
  if (!is_kernel_thread()) {
    if (bytes > 0) host_access(address, bytes, code);
    return;
  }
  log2_bytes == 2 ? access_words<2>(address, bytes, kind, place)
                  : access_words<0>(address, bytes, kind, place);
}

}  // namespace tilelab::emulator

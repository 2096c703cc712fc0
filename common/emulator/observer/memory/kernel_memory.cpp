#include "emulator/observer/memory/kernel_memory.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <span>

#include "emulator/observer/events/cluster_address.h"
#include "emulator/observer/events/hot_state.h"
#include "emulator/observer/memory/reserved_memory.h"
#include "emulator/observer/memory/shared_variables.h"
#include "emulator/observer/memory/submission.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/execution/fiber.h"
#include "emulator/runtime/execution/scheduler.h"
#include "emulator/runtime/execution/site_text.h"
#include "emulator/runtime/memory/device_memory.h"
#include "emulator/runtime/memory/pinned_memory.h"
#include "emulator/runtime/memory/shared_memory.h"

namespace tilelab::emulator {
namespace {

/// As much device memory as compressed addresses have room for.
constexpr std::size_t largest_arena = std::size_t{2} << 30;

/// Whether an access is inside of the static arrays, not between them.
bool is_static_shared(std::uintptr_t address, std::size_t bytes) {
  const std::uintptr_t offset = address - hot.shared_begin;
  if (offset >= hot.shared_bytes) return false;
  for (std::uintptr_t at = offset; at < offset + bytes; ++at) {
    if (hot.shared_addressable[at / 8] <= at % 8) return false;
  }
  return true;
}

/// The compressed address of pinned host memory.
std::optional<std::uint32_t> compress_pinned(std::uintptr_t address, std::size_t bytes) {
  const PinnedMemory& memory = PinnedMemory::instance();
  if (!memory.contains(address, bytes)) return std::nullopt;
  return space_base::pinned + memory.place_of(address)->number;
}
static_assert(space_base::pinned + PinnedMemory::capacity <= space_base::cluster);

}  // namespace

KernelMemory::KernelMemory()
    : addressable_(static_cast<std::uint8_t*>(reserve_memory(largest_arena / 8))) {
  hot.arena_addressable = addressable_;
  DeviceMemory::instance().limit_capacity(largest_arena);
}

void KernelMemory::launch_begins(const KernelCall& kernel,
                                 const LaunchConfiguration& configuration) {
  dynamic_bytes_ = configuration.dynamic_shared_bytes;
  const auto shared = static_shared_memory();
  hot.shared_begin = reinterpret_cast<std::uintptr_t>(shared.data());
  hot.shared_bytes = shared.size();
  hot.shared_addressable = SharedVariables::instance().addressable();
  const Range builtins = builtin_variables();
  hot.builtin_begin = builtins.begin;
  hot.builtin_bytes = builtins.end - builtins.begin;
  const Range constants = constant_variables();
  hot.constants_begin = constants.begin;
  hot.constants_bytes = constants.end - constants.begin;
  note_arguments(kernel);
  hot.stack_bytes = fiber_guard_bytes + fiber_stack_bytes;
  hot.arena_begin = DeviceMemory::instance().base();
  hot.arena_bytes = DeviceMemory::instance().capacity();
}

/// Most loads from the host's stack are elsewhere, which these bounds tell.
void KernelMemory::note_arguments(const KernelCall& kernel) {
  hot.pieces = kernel.pieces;
  hot.piece_count = kernel.piece_count;
  std::uintptr_t begin = std::numeric_limits<std::uintptr_t>::max(), end = 0;
  for (const Piece& piece : std::span(kernel.pieces, kernel.piece_count)) {
    const auto first = reinterpret_cast<std::uintptr_t>(piece.begin);
    begin = std::min(begin, first);
    end = std::max(end, first + piece.bytes);
  }
  hot.arguments_begin = begin;
  hot.arguments_bytes = end - begin;
}

void KernelMemory::launch_ends() {
  hot.shared_bytes = 0;
  hot.arena_bytes = 0;
  hot.builtin_bytes = 0;
  hot.arguments_bytes = 0;
  hot.stack_bytes = 0;
}

void KernelMemory::barrier_initialized(const void* barrier, Site site) {
  constexpr std::size_t bytes = 8;
  if (compress(reinterpret_cast<std::uintptr_t>(barrier), bytes)) return;
  char sentence[256];
  std::snprintf(sentence, sizeof sentence,
                "initializes a barrier in %s:%u that is outside of every array", file_name(site),
                site.line);
  tell(&Listener::barrier_misused, site, sentence);
}

void KernelMemory::allow(std::uintptr_t begin, std::size_t bytes) {
  const std::size_t offset = begin - DeviceMemory::instance().base();
  std::uint8_t* const first = addressable_ + offset / 8;
  const std::size_t count = bytes + offset % 8;
  std::fill_n(first, count / 8, std::uint8_t{8});
  if (count % 8 != 0) first[count / 8] = static_cast<std::uint8_t>(count % 8);
}

void KernelMemory::forbid(std::uintptr_t begin, std::size_t bytes) {
  const std::size_t offset = begin - DeviceMemory::instance().base();
  std::fill_n(addressable_ + offset / 8, (bytes + offset % 8 + 7) / 8, std::uint8_t{0});
}

bool KernelMemory::is_allowed(std::uintptr_t address, std::size_t bytes) const {
  const DeviceMemory& memory = DeviceMemory::instance();
  if (!memory.contains(reinterpret_cast<const void*>(address))) return false;
  for (std::uintptr_t at = address; at < address + bytes; ++at) {
    const std::uintptr_t offset = at - memory.base();
    if (addressable_[offset / 8] <= offset % 8) return false;
  }
  return true;
}

/// The compressed address of an access to the shared memory of another block of the cluster.
std::optional<std::uint32_t> KernelMemory::compress_foreign(std::uintptr_t address,
                                                            std::size_t bytes) const {
  const Cluster* const cluster = Scheduler::instance().cluster();
  if (cluster == nullptr) return std::nullopt;
  const auto place = cluster->place_of(reinterpret_cast<const void*>(address));
  if (!place || place->rank == cluster->rank_of(blockIdx)) return std::nullopt;
  const bool is_inside = place->is_dynamic
                             ? place->offset + bytes <= dynamic_bytes_
                             : is_static_shared(hot.shared_begin + place->offset, bytes);
  if (!is_inside) return std::nullopt;
  return compress_cluster_place(*place);
}

std::optional<std::uint32_t> KernelMemory::compress(std::uintptr_t address,
                                                    std::size_t bytes) const {
  const auto dynamic = reinterpret_cast<std::uintptr_t>(&dynamic_shared_memory);
  if (Range{dynamic, dynamic + dynamic_bytes_}.contains(address, bytes)) {
    return space_base::dynamic + static_cast<std::uint32_t>(address - dynamic);
  }
  if (is_static_shared(address, bytes)) {
    return space_base::shared + static_cast<std::uint32_t>(address - hot.shared_begin);
  }
  if (is_allowed(address, bytes)) return compress_arena(address);
  if (const auto foreign = compress_foreign(address, bytes)) return foreign;
  const Range constants = constant_variables();
  if (constants.contains(address, bytes)) {
    return space_base::constant + static_cast<std::uint32_t>(address - constants.begin);
  }
  if (const auto variable = compress_variable(address, bytes)) return variable;
  return compress_pinned(address, bytes);
}

}  // namespace tilelab::emulator

#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/observer/events/hot_state.h"
#include "emulator/observer/memory/provenance.h"
#include "emulator/runtime/execution/fiber.h"

/// What every hook does: find out where the access goes, and write it down.
namespace tilelab::emulator {

/// The return address of the hook's call.
#define TILELAB_CALLER reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

/// An access that needs a closer look.
/// @param place  the return address of the hook's call
void access_elsewhere(std::uintptr_t address, unsigned size, AccessKind kind, std::uintptr_t place);
/// Accesses to a range of any size and alignment.
void access_range(std::uintptr_t address, std::size_t bytes, AccessKind kind, std::uintptr_t place);

/// Others run while the log is emptied. So there must be room before an access is checked: nobody
/// may run between the check and the access.
[[gnu::always_inline]] inline void make_room() {
  if (hot.cursor >= hot.end) [[unlikely]]
    log_is_full();
}

/// After make_room() there is room for an access and the marks that belong to it.
[[gnu::always_inline]] inline void append(Event event) { *hot.cursor++ = event; }

/// Whether it is obvious that the access is aligned and its bytes may be used. It is not obvious
/// for the last bytes of an array whose size is not a multiple of 8.
template <unsigned bytes>
[[gnu::always_inline]] inline bool is_plain(const std::uint8_t* addressable,
                                            std::uintptr_t offset) {
  if constexpr (bytes <= 8) {
    return ((addressable[offset / 8] ^ 8u) | (offset % bytes)) == 0;
  } else {
    std::uint16_t both;
    __builtin_memcpy(&both, addressable + offset / 8, sizeof both);
    return ((both ^ 0x0808u) | (offset % bytes)) == 0;
  }
}

/// Whether loads from there cause no memory traffic.
[[gnu::always_inline]] inline bool is_silent(std::uintptr_t address) {
  return address - hot.builtin_begin < hot.builtin_bytes ||
         (address - hot.arguments_begin < hot.arguments_bytes && is_in_argument(address));
}

/// Whether it is the running thread's own memory.
[[gnu::always_inline]] inline bool is_on_stack(std::uintptr_t address) {
  return address - reinterpret_cast<std::uintptr_t>(running_stack) < hot.stack_bytes;
}

/// @tparam special  see size_field()
template <AccessKind kind, unsigned log2_bytes, bool special = false>
[[gnu::always_inline]] inline void access(const void* pointer, std::uintptr_t place) {
  constexpr unsigned bytes = 1u << log2_bytes;
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  constexpr unsigned size = size_field(log2_bytes, special);
  if (!is_kernel_thread()) [[unlikely]]
    return access_elsewhere(address, size, kind, place);
  make_room();
  const Event code = make_code(compress_place(place), kind, size);
  Event event;
  if (const std::uintptr_t offset = address - hot.shared_begin; offset < hot.shared_bytes) {
    if (!is_plain<bytes>(hot.shared_addressable, offset)) [[unlikely]] {
      return access_elsewhere(address, size, kind, place);
    }
    event = (offset << 32) + (Event{space_base::shared} << 32 | code);
  } else {
    const std::uintptr_t arena_offset = address - hot.arena_begin;
    if (arena_offset >= hot.arena_bytes || !is_plain<bytes>(hot.arena_addressable, arena_offset)) {
      if (is_on_stack(address)) return append(make_event(code, space_base::local));
      if (kind == AccessKind::load && is_silent(address)) return;
      return access_elsewhere(address, size, kind, place);
    }
    event = arena_offset << 32 | code;
    if (kind != AccessKind::load) {
      hot.provenance->kernel_writes(static_cast<std::uint32_t>(arena_offset), bytes);
    }
  }
  if (kind != AccessKind::load && hot.watches_stores) before_store(event);
  append(event);
  constexpr bool is_strong_read =
      kind == AccessKind::atomic || (kind == AccessKind::load && special);
  if (is_strong_read && hot.watches_stores) read_strongly(event);
}

}  // namespace tilelab::emulator

extern "C" void tilelab_observe_fence();

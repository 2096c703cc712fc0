#include "emulator/observer/events/code_address.h"

#include "emulator/observer/events/event.h"
#include "emulator/runtime/link_time_address.h"

/// The executable's first byte in memory.
extern "C" [[gnu::visibility("hidden")]] const char __executable_start[];

namespace tilelab::emulator {

std::uint64_t link_time_address(std::uint32_t place) {
  static const auto begin = reinterpret_cast<std::uintptr_t>(__executable_start);
  static const std::uint64_t link_time_begin = begin - load_bias();
  const std::uint32_t offset = compress_place(place - begin);
  return link_time_begin + offset - 1;  // the byte before the return address is part of the call
}

}  // namespace tilelab::emulator

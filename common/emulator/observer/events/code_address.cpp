#include "emulator/observer/events/code_address.h"

#include <link.h>

#include "emulator/observer/events/event.h"

/// The executable's first byte in memory.
extern "C" [[gnu::visibility("hidden")]] const char __executable_start[];

namespace tilelab::emulator {
namespace {

/// The executable's address in memory, minus the address that it was linked for.
std::uint64_t load_bias() {
  std::uint64_t bias = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* result) {
        *static_cast<std::uint64_t*>(result) = object->dlpi_addr;
        return 1;  // the executable is the first object
      },
      &bias);
  return bias;
}

}  // namespace

std::uint64_t link_time_address(std::uint32_t place) {
  static const auto begin = reinterpret_cast<std::uintptr_t>(__executable_start);
  static const std::uint64_t link_time_begin = begin - load_bias();
  const std::uint32_t offset = compress_place(place - begin);
  return link_time_begin + offset - 1;  // the byte before the return address is part of the call
}

std::uint64_t link_time_address(const void* function) {
  static const std::uint64_t bias = load_bias();
  return reinterpret_cast<std::uintptr_t>(function) - bias;
}

}  // namespace tilelab::emulator

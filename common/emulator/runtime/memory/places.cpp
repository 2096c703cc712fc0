#include "emulator/runtime/memory/places.h"

#include <cstdint>
#include <cstdio>

#include "emulator/runtime/memory/device_memory.h"
#include "emulator/runtime/memory/host_arrays.h"

namespace tilelab::emulator {

void describe_place(const void* address, char* text, std::size_t size) {
  constexpr std::uintptr_t first_page = 4096;
  if (reinterpret_cast<std::uintptr_t>(address) < first_page) {
    std::snprintf(text, size, "a null pointer");
    return;
  }
  if (HostArrays::instance().contains(address)) {
    std::snprintf(text, size, "which is host memory: give the kernel a pointer from cudaMalloc()");
    return;
  }
  if (!DeviceMemory::instance().contains(address)) {
    std::snprintf(text, size, "outside of every allocation");
    return;
  }
  const auto block = DeviceMemory::instance().block_below(address);
  const auto above = DeviceMemory::instance().block_above(address);
  const bool is_below = block && block->offset < static_cast<std::ptrdiff_t>(block->size);
  if (above && !is_below &&
      (!block || -above->offset < block->offset - static_cast<std::ptrdiff_t>(block->size))) {
    std::snprintf(text, size, "%td bytes before a device allocation of %zu bytes", -above->offset,
                  above->size);
    return;
  }
  if (!block) {
    std::snprintf(text, size, "in device memory that was never allocated");
    return;
  }
  const auto end = static_cast<std::ptrdiff_t>(block->size);
  if (block->offset < end) {
    std::snprintf(text, size, "%td bytes into a device allocation of %zu bytes", block->offset,
                  block->size);
  } else {
    std::snprintf(text, size, "%td bytes past the end of a device allocation of %zu bytes",
                  block->offset - end, block->size);
  }
}

}  // namespace tilelab::emulator

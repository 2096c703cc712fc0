#include "emulator/runtime/memory/places.h"

#include <cstdio>

#include "emulator/emulator.h"
#include "emulator/runtime/memory/device_memory.h"
#include "emulator/runtime/memory/host_arrays.h"

namespace tilelab::emulator {
namespace {

std::vector<ArrayOfCall>& passed_arrays() {
  // Leaked, because a signal may ask for it while the process ends.
  static auto* arrays = new std::vector<ArrayOfCall>;
  return *arrays;
}

/// The passed array in the block that begins at this address; null if there is none.
const ArrayOfCall* passed_array_in(std::uintptr_t block, std::size_t bytes) {
  for (const ArrayOfCall& one : passed_arrays()) {
    if (one.begin - block < bytes) return &one;
  }
  return nullptr;
}

/// Says where an address lies, as seen from what is called so and has `bytes`.
void describe_distance(std::ptrdiff_t offset, std::size_t bytes, const char* called, char* text,
                       std::size_t size) {
  const auto end = static_cast<std::ptrdiff_t>(bytes);
  const bool is_below = offset < 0, is_above = offset >= end;
  const std::ptrdiff_t distance = is_below ? -offset : is_above ? offset - end : offset;
  const char* const where = is_below ? "before" : is_above ? "past the end of" : "into";
  std::snprintf(text, size, "%td bytes %s %.48s %zu bytes", distance, where, called, bytes);
}

/// The same for a block of device memory, or the array that was passed in it.
void describe_block(const void* address, const DeviceMemory::Neighbor& block, char* text,
                    std::size_t size) {
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  const std::uintptr_t begin = place - static_cast<std::uintptr_t>(block.offset);
  if (const ArrayOfCall* array = passed_array_in(begin, block.size)) {
    describe_distance(static_cast<std::ptrdiff_t>(place - array->begin), array->bytes,
                      array->called.c_str(), text, size);
  } else {
    describe_distance(block.offset, block.size, "a device allocation of", text, size);
  }
}

}  // namespace

void name_passed_arrays(std::span<const PassedArray> arrays) {
  passed_arrays().clear();
  for (const PassedArray& one : arrays) {
    passed_arrays().push_back({reinterpret_cast<std::uintptr_t>(one.begin), one.bytes, one.is_read,
                               one.is_written, std::string(one.name) + ", which has"});
  }
}

const std::vector<ArrayOfCall>& arrays_of_call() { return passed_arrays(); }

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
    describe_block(address, *above, text, size);
    return;
  }
  if (!block) {
    std::snprintf(text, size, "in device memory that was freed, or never allocated");
    return;
  }
  describe_block(address, *block, text, size);
}

}  // namespace tilelab::emulator

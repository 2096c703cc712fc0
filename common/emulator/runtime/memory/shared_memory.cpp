#include "emulator/runtime/memory/shared_memory.h"

#include <link.h>

#include <algorithm>

#include "emulated/launch.h"
#include "emulator/runtime/device_limits.h"
#include "emulator/runtime/host_thread.h"
#include "emulator/runtime/memory/poison.h"

namespace tilelab::emulator {

alignas(1024) char dynamic_shared_memory[device_limits::shared_bytes_per_block_optin];

namespace {

/// Each thread of the host has its own, at the same distance from its thread pointer.
struct Segment {
  std::ptrdiff_t offset;
  std::size_t size;
};

const std::byte* thread_pointer() { return static_cast<const std::byte*>(this_host_thread()); }

Segment find_thread_local_storage() {
  std::span<std::byte> segment;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* result) {
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          if (object->dlpi_phdr[i].p_type != PT_TLS) continue;
          *static_cast<std::span<std::byte>*>(result) = {
              static_cast<std::byte*>(object->dlpi_tls_data), object->dlpi_phdr[i].p_memsz};
        }
        return 1;  // the executable is the first object; look at no other
      },
      &segment);
  return {segment.data() - thread_pointer(), segment.size()};
}

}  // namespace

// Anything else that the executable keeps there is poisoned while kernels run, so the emulator
// itself has no thread_local variable.
std::span<std::byte> static_shared_memory() {
  static const Segment segment = find_thread_local_storage();
  return {const_cast<std::byte*>(thread_pointer()) + segment.offset, segment.size};
}

void poison_shared_memory(std::size_t dynamic_bytes) {
  const std::span<std::byte> segment = static_shared_memory();
  poison(segment.data(), segment.size());
  poison(dynamic_shared_memory, dynamic_bytes);
}

std::vector<std::byte> save_shared_memory(std::size_t dynamic_bytes) {
  const std::span<std::byte> segment = static_shared_memory();
  std::vector<std::byte> copy(segment.begin(), segment.end());
  const auto* dynamic = reinterpret_cast<const std::byte*>(dynamic_shared_memory);
  copy.insert(copy.end(), dynamic, dynamic + dynamic_bytes);
  return copy;
}

void restore_shared_memory(const std::vector<std::byte>& copy) {
  const std::span<std::byte> segment = static_shared_memory();
  std::copy_n(copy.begin(), segment.size(), segment.begin());
  std::copy(copy.begin() + static_cast<std::ptrdiff_t>(segment.size()), copy.end(),
            reinterpret_cast<std::byte*>(dynamic_shared_memory));
}

}  // namespace tilelab::emulator

#include "emulator/runtime/link_time_address.h"

#include <link.h>

namespace tilelab::emulator {

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

std::uint64_t link_time_address(const void* function) {
  static const std::uint64_t bias = load_bias();
  return reinterpret_cast<std::uintptr_t>(function) - bias;
}

}  // namespace tilelab::emulator

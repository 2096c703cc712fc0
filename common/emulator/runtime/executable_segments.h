#pragma once

#include <link.h>

#include <cstdint>

namespace tilelab::emulator {

/// Calls `function(segment, begin)` for each segment of the executable: the header, and the address
/// of its first byte in memory.
template <class Function>
void for_each_executable_segment(Function function) {
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* context) {
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const auto& segment = object->dlpi_phdr[i];
          const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
          (*static_cast<Function*>(context))(segment, begin);
        }
        return 1;  // the executable is the first object; look at no other
      },
      &function);
}

}  // namespace tilelab::emulator

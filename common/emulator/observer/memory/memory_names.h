#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "report/places.h"

namespace tilelab::emulator {

/// The names of arrays, and the names that they give to places in memory.
class MemoryNames {
 public:
  /// Names an array in device memory.
  void add(const void* begin, const char* name, std::size_t element_bytes, std::size_t elements);
  /// Forgets the names in memory that was freed.
  void forget(std::uintptr_t begin, std::size_t bytes);

  /// The place at a compressed address.
  report::MemoryPlace place_at(std::uint32_t address, unsigned bytes) const;
  /// The place so many bytes from the begin of the static arrays. It may be outside of them.
  report::MemoryPlace shared_place(std::int64_t offset, unsigned bytes) const;
  /// The place at an address of device memory, allocated or not.
  report::MemoryPlace device_place(std::uintptr_t address, unsigned bytes) const;

 private:
  struct Name {
    std::string text;
    std::size_t element_bytes;
    std::size_t elements;
  };
  std::map<std::uintptr_t, Name> names_;  ///< By the array's begin.
};

}  // namespace tilelab::emulator

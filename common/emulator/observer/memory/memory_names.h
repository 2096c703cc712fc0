#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "emulator/observer/events/analysis.h"
#include "emulator/observer/memory/variable_tables.h"
#include "emulator/runtime/blocks/cluster.h"
#include "report/places.h"

namespace tilelab::emulator {

/// The names of arrays, and the names that they give to places in memory.
class MemoryNames final : public Analysis {
 public:
  /// Names an array in device memory.
  /// @param elements  0 if it is not known how many there are
  void add(const void* begin, const char* name, std::size_t element_bytes, std::size_t elements);
  /// Numbers allocations from 1 again.
  void observation_begins(const ObserverOptions&) override;
  void add_to(report::Report&) override { is_observing_ = false; }
  /// Names an array that the submission allocates after the pointer that it fills, or else numbers
  /// it: "allocation 2".
  void memory_allocated(const void* begin, std::size_t bytes) override;
  /// Keeps the names in the memory for freed_place() alone.
  void memory_released(const void* begin, std::size_t bytes) override;

  /// The place at a compressed address.
  report::MemoryPlace place_at(std::uint32_t address, unsigned bytes) const;
  /// The place this many bytes from the begin of the static arrays. It may be outside of them.
  report::MemoryPlace shared_place(std::int64_t offset, unsigned bytes) const;
  /// A place in the shared memory of another block of the cluster.
  report::MemoryPlace foreign_place(const ClusterPlace& place, unsigned bytes) const;
  /// The place at an address of device memory that was freed.
  report::MemoryPlace freed_place(std::uintptr_t address, unsigned bytes) const;
  /// The place at an address of device memory, allocated or not.
  report::MemoryPlace device_place(std::uintptr_t address, unsigned bytes) const;
  /// The place at an address in or near a variable, of which nothing else is known.
  static report::MemoryPlace variable_place(const Variable& variable, std::uintptr_t address,
                                            unsigned bytes);
  /// The place at an address of pinned host memory, or near it.
  static report::MemoryPlace pinned_place(std::uintptr_t address, unsigned bytes);

  /// The pointer that the submission had filled with the begin of an allocation; "" if its name is
  /// not known.
  std::string pointer_to(const void* begin) const;

  /// An array of global or shared memory.
  struct Array {
    report::MemorySpace space = report::MemorySpace::global;
    std::string name;         ///< "" if it is unknown.
    std::uint32_t begin = 0;  ///< The compressed address of its first byte.
    std::uint64_t bytes = 0;  ///< Its size; 0 if it is unknown.
  };
  /// The array at a compressed address.
  Array array_at(std::uint32_t address) const;

 private:
  struct Name {
    std::string text;
    std::size_t element_bytes;  ///< 0 if it is not known.
    std::size_t elements;
    std::size_t bytes;  ///< 0 if it is not known.
    bool is_own;        ///< Whether the submission allocated it.
    bool is_pointer;    ///< Whether the text is the name of the pointer that was filled.
  };
  using Names = std::map<std::uintptr_t, Name>;  ///< By the array's begin.

  static report::MemoryPlace place_in(const Names::value_type& array, std::size_t block_bytes,
                                      std::uintptr_t address, unsigned bytes);
  Array device_array(std::uint32_t address) const;
  /// Whether it was in an array that was freed. No other one is there now.
  bool was_freed(std::uintptr_t address) const;

  Names names_;
  Names freed_;
  bool is_observing_ = false;
  unsigned allocations_ = 0;  ///< How many were numbered.
};

}  // namespace tilelab::emulator

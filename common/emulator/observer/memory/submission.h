#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "emulator/observer/events/event.h"

/// Where the submission's parts are in memory.
namespace tilelab::emulator {

struct Range {
  std::uintptr_t begin;
  std::uintptr_t end;

  bool contains(std::uintptr_t address, std::size_t bytes) const {
    return address >= begin && address <= end && bytes <= end - address;
  }
};

/// The built-in variables: threadIdx and its like.
Range builtin_variables();

/// The submission's `__constant__` variables.
Range constant_variables();

/// The compressed address, if it belongs to another variable of the submission, `__device__` or the
/// host's.
std::optional<std::uint32_t> compress_variable(std::uintptr_t address, std::size_t bytes);

/// Whether the program has `__managed__` variables, and whether the address is in one.
bool has_managed_variables();
bool is_managed_variable(std::uintptr_t address);

/// The same, but it may be a `__constant__` one.
std::optional<std::uint32_t> compress_any_variable(std::uintptr_t address, std::size_t bytes);

/// The compressed address of device memory or of any variable.
std::optional<std::uint32_t> compress_device(const void* begin, std::size_t bytes);

/// The executable in memory.
Range executable();

/// Whether the address is in a part of the executable that nobody can write: tables, strings.
bool is_read_only(std::uintptr_t address);

/// The memory behind a compressed address.
const void* memory_at(std::uint32_t address);

/// The compressed address of device memory.
std::uint32_t compress_arena(std::uintptr_t address);
inline std::uint32_t compress_arena(const void* pointer) {
  return compress_arena(reinterpret_cast<std::uintptr_t>(pointer));
}

}  // namespace tilelab::emulator

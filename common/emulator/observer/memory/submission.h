#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "emulator/observer/events/event.h"

/// Where in memory the parts of the submission lie.
namespace tilelab::emulator {

struct Range {
  std::uintptr_t begin;
  std::uintptr_t end;

  bool contains(std::uintptr_t address, std::size_t bytes) const {
    return address >= begin && address <= end && bytes <= end - address;
  }
};

/// threadIdx and its like.
Range builtin_variables();

/// Its `__constant__` variables.
Range constant_variables();

/// Its other variables, `__device__` ones and the host's; nothing for addresses of other memory.
std::optional<std::uint32_t> compress_variable(std::uintptr_t address, std::size_t bytes);

/// Whether it is in a part of the executable that nobody can write: tables, strings.
bool is_read_only(std::uintptr_t address);

/// The memory behind a compressed address.
const void* memory_at(std::uint32_t address);

std::uint32_t compress_arena(std::uintptr_t address);

}  // namespace tilelab::emulator

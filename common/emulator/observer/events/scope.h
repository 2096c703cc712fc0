#pragma once

#include <cstdint>

namespace tilelab::emulator {

/// Whose accesses a fence or an atomic operation orders: those of the block's threads, or of all.
enum class Scope : std::uint8_t { block, device };

/// The order of an atomic operation that has one.
struct MemoryOrder {
  bool releases;
  bool acquires;
  Scope scope;
};

}  // namespace tilelab::emulator

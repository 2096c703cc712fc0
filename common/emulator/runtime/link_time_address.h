#pragma once

#include <cstdint>

namespace tilelab::emulator {

/// The executable's address in memory, minus the address that it was linked for.
std::uint64_t load_bias();

/// The address that a function of the executable was linked for.
std::uint64_t link_time_address(const void* function);

}  // namespace tilelab::emulator

#pragma once

#include <cstdint>

namespace tilelab::emulator {

/// The address of a hook's call, as `addr2line` expects it for the executable.
/// @param place  the low bits of the call's return address
std::uint64_t link_time_address(std::uint32_t place);

}  // namespace tilelab::emulator

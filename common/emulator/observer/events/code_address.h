#pragma once

#include <cstdint>

namespace tilelab::emulator {

/// The address of the hook's call as `addr2line` wants it for the executable. Places are the
/// low bits of return addresses.
std::uint64_t link_time_address(std::uint32_t place);

}  // namespace tilelab::emulator

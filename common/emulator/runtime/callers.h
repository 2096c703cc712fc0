#pragma once

#include <cstdint>
#include <span>

namespace tilelab::emulator {

/// Notes where the running functions are, the innermost first, as `addr2line` expects it for the
/// executable. In a handler of a signal, those that it has interrupted are among them. Places that
/// are left over become 0.
void note_callers(std::span<std::uint64_t> places);

}  // namespace tilelab::emulator

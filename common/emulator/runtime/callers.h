#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tilelab::emulator {

/// Notes where the running functions are, the innermost first, as `addr2line` expects it for the
/// executable. In a handler of a signal, those that it has interrupted are among them. Places that
/// are left over become 0.
void note_callers(std::span<std::uint64_t> places);

/// The innermost of these places, as many as a failed call has.
std::vector<std::uint64_t> innermost_callers();

}  // namespace tilelab::emulator

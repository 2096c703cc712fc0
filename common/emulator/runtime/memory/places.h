#pragma once

#include <cstddef>

namespace tilelab::emulator {

/// Describes an address that a kernel may not use, by the device allocation next to it, or by the
/// array that was passed in that.
void describe_place(const void* address, char* text, std::size_t size);

}  // namespace tilelab::emulator

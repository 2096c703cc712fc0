#pragma once

#include <cstddef>

namespace tilelab::emulator {

/// Says where an address lies that a kernel may not use, told by the device allocation below it.
void describe_place(const void* address, char* text, std::size_t size);

}  // namespace tilelab::emulator

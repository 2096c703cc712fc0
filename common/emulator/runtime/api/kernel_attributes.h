#pragma once

#include <cstddef>

namespace tilelab::emulator {

/// How much dynamic shared memory the kernel may ask for. If the launch does not know the kernel's
/// address (nullptr), it is the most that any kernel was allowed.
std::size_t dynamic_shared_limit(const void* kernel);

void forget_kernel_attributes();

}  // namespace tilelab::emulator

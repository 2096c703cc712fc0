#pragma once

#include <cstddef>

namespace tilelab::emulator {

/// How much dynamic shared memory the kernel may ask for. For a kernel whose address the launch
/// does not know (nullptr), what any kernel was allowed.
std::size_t dynamic_shared_limit(const void* kernel);

void forget_kernel_attributes();

}  // namespace tilelab::emulator

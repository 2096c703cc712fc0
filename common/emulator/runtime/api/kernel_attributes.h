#pragma once

#include <cstddef>

namespace tilelab::emulator {

/// The size of the kernel's static `__shared__` variables, as far as it is known.
std::size_t static_shared_bytes(const void* kernel);

/// How many threads a block of the kernel may have.
unsigned most_threads(const void* kernel);

/// How much dynamic shared memory the kernel may ask for. If the launch does not know the kernel's
/// address (nullptr), it is the most that any kernel was allowed.
std::size_t dynamic_shared_limit(const void* kernel);

/// Whether the kernel may have more blocks in a cluster than every GPU has room for.
bool allows_large_clusters(const void* kernel);

void forget_kernel_attributes();

}  // namespace tilelab::emulator

#pragma once

#include <fcntl.h>

#include <cstdint>

/// What a device driver does in a worker. The emulator has none.
namespace tilelab::worker {

/// Whether the worker does nothing but compute, so that it needs few system calls.
inline constexpr bool only_computes = true;

/// A worker may have this many files open.
inline constexpr std::uint64_t most_open_files = 64;

/// Whether files can be forbidden only after the device has started.
inline constexpr bool driver_writes_files = false;

/// Flags of open() that are refused.
inline constexpr std::uint32_t refused_open_flags = O_CREAT | O_TRUNC | O_WRONLY | O_RDWR;

}  // namespace tilelab::worker

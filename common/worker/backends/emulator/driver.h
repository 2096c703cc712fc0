#pragma once

#include <fcntl.h>

#include <cstdint>

/// What a device driver does with files in a worker. The emulator has none.
namespace tilelab::worker {

/// Whether files can be forbidden only after the device has started.
inline constexpr bool driver_writes_files = false;

/// Flags of open() that are refused.
inline constexpr std::uint32_t refused_open_flags = O_CREAT | O_TRUNC | O_WRONLY | O_RDWR;

}  // namespace tilelab::worker

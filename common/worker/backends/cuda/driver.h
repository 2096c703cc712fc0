#pragma once

#include <fcntl.h>

#include <cstdint>

/// What the GPU's driver does in a worker, which the system call filters and limits must let it do.
namespace tilelab::worker {

/// Whether the worker does nothing but compute. The driver starts threads and talks to the device.
inline constexpr bool only_computes = false;

/// A worker may have this many files open. The driver opens some for each GPU.
inline constexpr std::uint64_t most_open_files = 4096;

/// NVIDIA's driver names its threads by writing to files under /proc while it starts, so the worker
/// forbids files itself once the device has started. Nothing of a submission has run by then: the
/// object check refuses constructors.
inline constexpr bool driver_writes_files = true;

/// Flags of open() that are refused. The driver opens device files for writing at any time.
inline constexpr std::uint32_t refused_open_flags = O_CREAT | O_TRUNC;

}  // namespace tilelab::worker

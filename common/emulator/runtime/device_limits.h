#pragma once

#include <cstddef>

/// The limits of the emulated device, which are those of compute capability 9.0.
namespace tilelab::emulator::device_limits {

constexpr int compute_capability_major = 9;
constexpr int compute_capability_minor = 0;
constexpr int multiprocessors = 1;  // blocks run one at a time
constexpr unsigned threads_per_block = 1024;
constexpr unsigned block_x = 1024, block_y = 1024, block_z = 64;
constexpr unsigned grid_x = 2147483647, grid_y = 65535, grid_z = 65535;
constexpr int threads_per_multiprocessor = 2048;
constexpr int blocks_per_multiprocessor = 32;
// How many blocks and threads wait at a time for others in loops of their own, as on an H100.
constexpr std::size_t resident_blocks = std::size_t{132} * blocks_per_multiprocessor;
constexpr std::size_t resident_threads = std::size_t{132} * threads_per_multiprocessor;
constexpr std::size_t cooperative_threads = 16384;  // each has a stack of its own
constexpr unsigned portable_cluster_blocks = 8;
constexpr unsigned cluster_blocks = 16;  // if cudaFuncSetAttribute() allows it
constexpr int registers = 65536;
constexpr std::size_t constant_bytes = 64 << 10;
constexpr std::size_t shared_bytes_per_block = 48 << 10;
constexpr std::size_t shared_bytes_per_block_optin = 227 << 10;
constexpr std::size_t shared_bytes_per_multiprocessor = 228 << 10;
constexpr std::size_t reserved_shared_bytes_per_block = 1024;
constexpr std::size_t l2_cache_bytes = 4 << 20;

}  // namespace tilelab::emulator::device_limits

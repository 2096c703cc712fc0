#pragma once

#include <cstdint>

#include "contract/order.h"

/// CUDA on the CPU: what a program that hosts emulated kernels can choose and ask beyond the CUDA
/// runtime API. Everything happens in one OS thread; nothing here may be called from a second one.
namespace tilelab::emulator {

/// Chooses the order for the launches that follow.
/// @param order  the order
/// @param seed   makes Order::random repeatable; ignored otherwise
void set_order(Order order, std::uint64_t seed);

/// A sentence about the sticky fault (which kernel, block and thread did what), or "" if there is
/// none. Valid until cudaDeviceReset().
const char* fault_message();

/// Sets what is called when the process cannot go on: host code touched device memory, or a kernel
/// is stuck. Without a handler the sentence goes to stderr and the process aborts.
/// @param handler  async-signal-safe, does not return; nullptr restores the default
void set_fatal_handler(void (*handler)(const char* sentence));

/// Reports, through the fatal handler, a kernel in which no thread finishes or reaches a barrier or
/// warp operation for so long.
/// @param seconds  CPU time; 0 = off
void set_watchdog(double seconds);

/// Blocks of device memory that were allocated and not freed.
std::uint64_t live_allocations();

}  // namespace tilelab::emulator

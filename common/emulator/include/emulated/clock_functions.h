#pragma once

/// The device's counters, sleep, and dependencies of launches. (clock() is the C library's.)

#include "driver_types.h"
#include "emulated/spinning.h"

namespace tilelab::emulator {

long long device_clock();

}  // namespace tilelab::emulator

/// Counts nanoseconds. It says nothing about a GPU's cycles.
inline long long clock64() { return tilelab::emulator::device_clock(); }

/// Lets other threads run. How long it sleeps on a GPU is a hint, too.
inline void __nanosleep(unsigned) { tilelab::emulator::spin(); }

/// The launch before has ended, because every launch runs to its end.
inline cudaError_t cudaGridDependencySynchronize() { return cudaSuccess; }
/// The launch after it begins when this one has ended.
inline cudaError_t cudaTriggerProgrammaticLaunchCompletion() { return cudaSuccess; }

#pragma once

/// The device's counters, and sleep. (clock() is the C library's.)

#include "emulated/spinning.h"

namespace tilelab::emulator {

long long device_clock();

}  // namespace tilelab::emulator

/// Counts nanoseconds. It says nothing about a GPU's cycles.
inline long long clock64() { return tilelab::emulator::device_clock(); }

/// Lets other threads run. How long it sleeps on a GPU is a hint, too.
inline void __nanosleep(unsigned) { tilelab::emulator::spin(); }

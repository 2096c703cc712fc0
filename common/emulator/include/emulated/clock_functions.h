#pragma once

/// The device's counters. (clock() is the C library's.)

namespace tilelab::emulator {

long long device_clock();

}  // namespace tilelab::emulator

/// Counts nanoseconds. It says nothing about a GPU's cycles.
inline long long clock64() { return tilelab::emulator::device_clock(); }

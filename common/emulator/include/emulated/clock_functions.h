#pragma once

/// The device's counters. (clock() is the C library's.)

namespace tilelab::emulator {

long long device_clock();

}  // namespace tilelab::emulator

/// Grows with time, at 1 GHz. Says nothing of a GPU's cycles.
inline long long clock64() { return tilelab::emulator::device_clock(); }

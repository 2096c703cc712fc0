#pragma once

/// The environment variables that tell a program how to run. It removes them before it starts.
namespace tilelab::program {

/// After how many seconds without progress a kernel is stuck.
inline constexpr const char* stuck_variable = "TILELAB_STUCK";

/// The file that a checked program writes its report to.
inline constexpr const char* report_variable = "TILELAB_REPORT";

/// Present if a checked program need only count memory traffic.
inline constexpr const char* counts_variable = "TILELAB_COUNTS";

/// The folder that a recording of the launches goes to (launch_recorder.h).
inline constexpr const char* recording_variable = "TILELAB_RECORDING";

/// How many bytes of memory such a recording may have.
inline constexpr const char* recorded_bytes_variable = "TILELAB_RECORDED_BYTES";

/// How many multiprocessors the program gets to see.
inline constexpr const char* multiprocessors_variable = "TILELAB_MULTIPROCESSORS";

}  // namespace tilelab::program

#pragma once

/// The environment variables that tell a program how to run. It removes them before it starts.
namespace tilelab::program {

/// After how many seconds without progress a kernel is stuck.
inline constexpr const char* stuck_variable = "TILELAB_STUCK";

/// The file that a checked program writes its report to.
inline constexpr const char* report_variable = "TILELAB_REPORT";

/// Present if a checked program need only count memory traffic.
inline constexpr const char* counts_variable = "TILELAB_COUNTS";

}  // namespace tilelab::program

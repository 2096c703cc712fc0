#pragma once

/// The place of a barrier or warp operation in the source.

#ifndef __clang__
#include <source_location>
#endif

namespace tilelab::emulator {

/// Passed as a default argument, which gives the caller's place. A return address would not do,
/// because the optimizer duplicates and merges calls.
struct Site {
  const char* file = "";
  unsigned line = 0;
  unsigned column = 0;

#ifdef __clang__
  // clang has std::source_location from version 15 on.
  static constexpr Site current(const char* file = __builtin_FILE(),
                                unsigned line = __builtin_LINE(),
                                unsigned column = __builtin_COLUMN()) {
    return {file, line, column};
  }
#else
  // g++ has no __builtin_COLUMN().
  static constexpr Site current(
      const std::source_location& location = std::source_location::current()) {
    return {location.file_name(), location.line(), location.column()};
  }
#endif

  bool operator==(const Site&) const = default;
};

}  // namespace tilelab::emulator

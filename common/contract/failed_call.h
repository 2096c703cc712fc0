#pragma once

#include <cstddef>
#include <cstdint>

/// CUDA calls that fail because the judge asks for it, so that a function that returns errors can
/// be seen to do so.
namespace tilelab {

/// Which CUDA call of a function fails, and how.
struct CallToFail {
  std::uint32_t number = 0;  ///< Calls and launches are counted from 1 on; 0 is for none.
  std::uint32_t way = 0;     ///< Some calls can fail in several ways, which are counted from 0 on.
};

/// What became of that call.
struct FailedCall {
  static constexpr std::size_t most_callers = 16;

  std::uint32_t is_counted = 0;    ///< Whether the backend counts calls and can make one fail.
  std::uint32_t calls = 0;         ///< The function made this many CUDA calls and launches in all.
  std::uint32_t ways = 0;          ///< This call can fail in this many ways.
  std::int32_t error = 0;          ///< The error that it failed with; 0 if it did not fail.
  char error_name[48] = {};        ///< The error's name.
  char name[64] = {};              ///< The function's name or, for a launch, the kernel's.
  std::uint32_t is_launch = 0;     ///< Whether it was a launch.
  std::uint32_t is_of_kernel = 0;  ///< Whether the launch succeeded and its kernel failed.
  char told_by[64] = {};           ///< The first call that returned the kernel's error; may be "".
  char next[64] = {};              ///< A call that came after the error and is no cleanup.
  /// The call's return addresses, as `addr2line` expects them.
  std::uint64_t code[most_callers] = {};
  std::uint64_t next_code[most_callers] = {};  ///< The same of the call that came after the error.
  std::uint64_t held_bytes = 0;    ///< The function left so much more device memory allocated.
  std::uint32_t held_streams = 0;  ///< It left this many more streams.
  std::uint32_t held_events = 0;   ///< It left this many more events.
  std::uint32_t held_pinned = 0;   ///< It left this many more arrays of the host page-locked.
};

}  // namespace tilelab

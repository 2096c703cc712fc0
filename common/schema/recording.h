#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "schema/fields.h"
#include "schema/launch.h"
#include "schema/stream.h"

/// What a program would have launched. A submission runs in the process that writes it, so it may
/// say anything.
namespace tilelab::schema {

/// The memory that has the program's `__device__` variables somewhere.
struct Variables {
  static constexpr std::string_view event = "variables";
  std::uint64_t address = 0;  ///< It is another one in each run.
  std::uint64_t bytes = 0;
};
TILELAB_FIELDS(Variables, address, bytes)

/// An array in global memory.
struct Array {
  static constexpr std::string_view event = "array";
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::string contents;  ///< "zeros", "fractions", "bits" or "scratch".
};
TILELAB_FIELDS(Array, address, bytes, contents)

/// A launch, with the bytes of each argument in hexadecimal digits.
struct RecordedLaunch {
  static constexpr std::string_view event = "launch";
  std::uint64_t function = 0;  ///< The kernel's address where it was linked for; 0 if not known.
  std::string kernel;          ///< Its name as the launch spells it.
  Triple grid{};
  Triple block{};
  std::uint64_t dynamic_shared_bytes = 0;
  std::vector<std::string> arguments;
};
TILELAB_FIELDS(RecordedLaunch, function, kernel, grid, block, dynamic_shared_bytes, arguments)

/// The blocks of the launch before that ran, in this order.
struct Ran {
  static constexpr std::string_view event = "ran";
  std::vector<std::uint64_t> blocks;  ///< Their numbers, with x running fastest.
};
TILELAB_FIELDS(Ran, blocks)

/// What these blocks changed: words of an array, in hexadecimal digits.
struct Stored {
  static constexpr std::string_view event = "stored";
  std::uint64_t address = 0;
  std::string bytes;
};
TILELAB_FIELDS(Stored, address, bytes)

/// What copies and fills of the runtime changed since the launch before.
struct HostStored {
  static constexpr std::string_view event = "host_stored";
  std::uint64_t address = 0;
  std::string bytes;
};
TILELAB_FIELDS(HostStored, address, bytes)

/// From here on, host code may know what kernels would have computed.
struct HostReads {
  static constexpr std::string_view event = "read";
};
TILELAB_FIELDS(HostReads)

/// All events of a recording.
using Recording =
    std::variant<Begin, Variables, Array, HostStored, RecordedLaunch, Ran, Stored, HostReads, End>;

}  // namespace tilelab::schema

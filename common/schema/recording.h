#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "schema/fields.h"
#include "schema/launch.h"
#include "schema/stream.h"

/// What a program would have launched or, if it ran, what it launched. A submission runs in the
/// process that writes it, so it may say anything.
namespace tilelab::schema {

/// The memory that has the program's `__device__` variables somewhere.
struct Variables {
  static constexpr std::string_view event = "variables";
  std::uint64_t address = 0;  ///< It is another one in each run.
  std::uint64_t bytes = 0;
};
TILELAB_FIELDS(Variables, address, bytes)

/// What the arrays that follow hold depends on it.
struct Salt {
  static constexpr std::string_view event = "salt";
  std::uint64_t value = 0;
};
TILELAB_FIELDS(Salt, value)

/// An array in global memory.
struct Array {
  static constexpr std::string_view event = "array";
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::string contents;  ///< "zeros", "fractions", "units", "bits" or "scratch".
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

/// Blocks of a launch that ran for far longer than others, if all of them ran.
struct RanLonger {
  static constexpr std::string_view event = "ran_longer";
  std::vector<std::uint64_t> blocks;  ///< The numbers of a few.
};
TILELAB_FIELDS(RanLonger, blocks)

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

/// A copy or fill of the runtime, and how many bytes it reads and writes in all.
struct Moved {
  static constexpr std::string_view event = "moved";
  std::uint64_t bytes = 0;
};
TILELAB_FIELDS(Moved, bytes)

/// A part of what an array holds at the end, if all blocks ran. The address is that of estimates.
struct Left {
  static constexpr std::string_view event = "left";
  std::uint64_t address = 0;
  std::string bytes;
};
TILELAB_FIELDS(Left, address, bytes)

/// From here on, host code may know what kernels would have computed.
struct HostReads {
  static constexpr std::string_view event = "read";
};
TILELAB_FIELDS(HostReads)

/// Memory as it was before the launch that follows. Equal parts of it are kept once, in a file.
struct Image {
  static constexpr std::string_view event = "image";
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::string
      kind;  ///< "device", "managed", "host" if it is page-locked, "variables" or "variable".
  /// The numbers of its chunks in the file, 0 for one of zeros. Empty if they are not known.
  std::vector<std::uint64_t> chunks;
};
TILELAB_FIELDS(Image, address, bytes, kind, chunks)

/// The size of a chunk. The one with number n begins at (n - 1) * chunk_bytes.
constexpr std::size_t chunk_bytes = std::size_t{64} << 10;

/// How often a launch was made that was written down once.
struct Repeats {
  static constexpr std::string_view event = "repeats";
  std::uint64_t launch = 0;  ///< Its number among those that were written down.
  std::uint64_t launches = 0;
  bool differ = false;  ///< Whether they got other arguments than the first.
};
TILELAB_FIELDS(Repeats, launch, launches, differ)

/// How many launches were not written down.
struct LeftOut {
  static constexpr std::string_view event = "left_out";
  std::uint64_t launches = 0;
};
TILELAB_FIELDS(LeftOut, launches)

/// All events of a recording.
using Recording = std::variant<Begin, Variables, Array, HostStored, Moved, Image, RecordedLaunch,
                               Ran, RanLonger, Stored, HostReads, Repeats, LeftOut, Left, End>;

}  // namespace tilelab::schema

#pragma once

#include <cstdint>

namespace tilelab {

/// How much a checked build looks at. It always checks bounds and alignment, before each access.
enum class Detail : std::uint32_t {
  counts,      ///< It counts memory traffic, which is the fastest.
  everything,  ///< It also looks for data races and for reads of memory that nobody wrote.
  trace        ///< It also writes down each access, up to a limit.
};

}  // namespace tilelab

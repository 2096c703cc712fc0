#pragma once

#include "schema/fields.h"

namespace tilelab::report {

/// The index of a block or thread, or the size of a grid or block.
struct Index3 {
  unsigned x = 0;  ///< It counts fastest.
  unsigned y = 0;  ///< It comes next.
  unsigned z = 0;  ///< It counts slowest.

  /// Compares each.
  bool operator==(const Index3&) const = default;
};
TILELAB_FIELDS(Index3, x, y, z)

}  // namespace tilelab::report

#pragma once

namespace tilelab {

/// How closely a test looks at a call.
enum class Look {
  all_blocks,  ///< It looks at all blocks; for mistakes, in several orders of the threads.
  /// In one order of the threads it looks for stray accesses everywhere, and at all else in a few
  /// blocks. It looks at nothing if the test has failed already: a smaller call shows it better.
  some_blocks
};

}  // namespace tilelab

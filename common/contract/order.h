#pragma once

#include <cstdint>

namespace tilelab {

/// The order in which a launch runs its blocks, and each block its threads, warp lanes included.
/// The emulator follows it; a GPU has its own order.
enum class Order : std::uint32_t {
  ascending,   ///< Block 0 and thread 0 run first.
  descending,  ///< The last block and the last thread run first.
  random       ///< A seed decides, and the same seed gives the same order.
};

}  // namespace tilelab

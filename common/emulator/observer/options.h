#pragma once

#include <cstdint>

#include "contract/detail.h"
#include "emulator/observer/journal.h"

namespace tilelab::emulator {

/// How much to watch, and where.
struct ObserverOptions {
  Detail detail = Detail::everything;  ///< The less it looks at, the faster it is.
  /// How many blocks of a launch to trace: the first, the last and some in between; 0 for all.
  std::uint64_t block_limit = 0;
  std::uint64_t seed = 0;        ///< Chooses the blocks in between.
  bool remarks = false;          ///< Whether to look for what is useless, too.
  bool merges_launches = false;  ///< Whether launches that are alike are reported as one.
  Journal* journal = nullptr;    ///< Null if nobody keeps one.
};

}  // namespace tilelab::emulator

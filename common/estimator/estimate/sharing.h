#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "estimator/execution/trace.h"

namespace tilelab::estimator {

/// The sectors that were touched, a bit each, by the number of their line.
using Sectors = std::unordered_map<std::uint64_t, std::uint8_t>;

void add_sectors(Sectors& into, const BlockTrace& block);

/// Marks the lines that earlier neighbors touch too. Those of the first block are known; a block
/// with as many lines is taken to be like it.
void mark_shared(std::vector<BlockTrace>& blocks, const Sectors& earlier);

}  // namespace tilelab::estimator

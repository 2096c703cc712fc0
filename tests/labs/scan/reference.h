#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// The right results of the lab `scan`.
namespace tilelab::reference {

using Row = std::vector<std::uint32_t>;

/// Writes the sums of all beginnings of `in` to `sums`, which has as many elements.
inline void scan_into(const Row& in, Row& sums) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < in.size(); ++i) sums[i] = sum += in[i];
}

/// The sums of all beginnings.
inline Row scanned(const Row& in) {
  Row sums(in.size());
  scan_into(in, sums);
  return sums;
}

}  // namespace tilelab::reference

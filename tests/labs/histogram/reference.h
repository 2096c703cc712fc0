#pragma once

#include <cstddef>
#include <vector>

/// The right results of the lab `histogram`.
namespace tilelab::reference {

using Bytes = std::vector<unsigned char>;
using Counts = std::vector<unsigned>;

constexpr std::size_t byte_values = 256;  ///< What a byte can be.

/// The counts of the bytes first, first + step, first + 2 * step and so on, up to `end`. They are
/// exact: no tolerance.
inline Counts counts_of(const Bytes& in, std::size_t first, std::size_t end, std::size_t step = 1) {
  Counts counts(byte_values);
  for (std::size_t i = first; i < end; i += step) ++counts[in[i]];
  return counts;
}

/// The counts of all bytes.
inline Counts counts_of(const Bytes& in) { return counts_of(in, 0, in.size()); }

}  // namespace tilelab::reference

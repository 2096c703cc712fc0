#pragma once

#include <cstddef>
#include <vector>

/// The right results of the lab `diff`.
namespace tilelab::reference {

/// One element of the result. Differences wrap as they do in a CUDA register; signed overflow would
/// be undefined here.
inline int difference_at(const std::vector<int>& in, std::size_t i) {
  const unsigned before = i == 0 ? 0 : static_cast<unsigned>(in[i - 1]);
  return static_cast<int>(static_cast<unsigned>(in[i]) - before);
}

/// All elements of the result.
inline std::vector<int> adjacent_difference(const std::vector<int>& in) {
  std::vector<int> out;
  for (std::size_t i = 0; i < in.size(); ++i) out.push_back(difference_at(in, i));
  return out;
}

}  // namespace tilelab::reference

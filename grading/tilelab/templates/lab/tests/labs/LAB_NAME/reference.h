#pragma once

#include <cstddef>
#include <vector>

/// The right results of the lab `LAB_NAME`.
namespace tilelab::reference {

constexpr float factor = -1.25f;

// One multiplication of floats is exact on both sides: no tolerance.
inline std::vector<float> scaled(const std::vector<float>& in) {
  std::vector<float> out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = factor * in[i];
  return out;
}

}  // namespace tilelab::reference

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tilelab::estimator {

/// A launch of a kernel, as cudaLaunchKernel() gets it.
struct Launch {
  std::string kernel;  ///< as the linker sees it
  std::array<std::uint32_t, 3> grid{};
  std::array<std::uint32_t, 3> block{};
  std::uint64_t dynamic_shared_bytes = 0;
  std::vector<std::uint8_t> parameters;  ///< as they lie in constant memory

  std::uint64_t blocks() const { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }
  std::uint32_t threads() const { return block[0] * block[1] * block[2]; }
  std::uint32_t warps() const { return (threads() + 31) / 32; }
};

}  // namespace tilelab::estimator

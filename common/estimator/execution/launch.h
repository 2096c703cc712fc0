#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tilelab::estimator {

/// What the compiler gave a kernel.
struct Kernel {
  double registers = 32;    ///< How many each thread has.
  double shared_bytes = 0;  ///< The bytes of its `__shared__` arrays, per block.
};

/// A launch of a kernel, as cudaLaunchKernel() gets it.
struct Launch {
  std::string kernel;  ///< The name that the linker sees.
  std::array<std::uint32_t, 3> grid{};
  std::array<std::uint32_t, 3> block{};
  double dynamic_shared_bytes = 0;
  std::vector<std::uint8_t> parameters;  ///< The bytes that lie in constant memory.

  std::uint64_t blocks() const { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }
  std::uint32_t threads() const { return block[0] * block[1] * block[2]; }
  std::uint32_t warps() const { return (threads() + 31) / 32; }
};

}  // namespace tilelab::estimator

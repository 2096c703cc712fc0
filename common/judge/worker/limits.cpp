#include "judge/worker/limits.h"

#include "judge/options.h"

namespace tilelab::judge {

std::uint64_t memory_limit_for(std::size_t array_bytes) {
  // Images and results are mapped, and an emulated device holds them once more.
  return options().memory_limit + 4 * array_bytes;
}

}  // namespace tilelab::judge

#include "judge/calls/random.h"

#include <algorithm>

#include "judge/catch.h"
#include "judge/options.h"

namespace tilelab {
namespace {

/// Up to `count` sizes from a range, evenly spread, both ends among them.
std::vector<int> spread_sizes(int least, int most, std::uint64_t count) {
  const std::uint64_t steps = static_cast<std::uint64_t>(most - least);
  const std::uint64_t gaps = std::min(steps, std::max<std::uint64_t>(count, 2) - 1);
  std::vector<int> sizes;
  for (std::uint64_t i = 0; i <= gaps; ++i) {
    sizes.push_back(least + static_cast<int>(gaps == 0 ? 0 : i * steps / gaps));
  }
  return sizes;
}

}  // namespace

Random::Random(std::uint64_t salt) {
  const std::uint64_t seed = judge::options().seed;
  std::seed_seq mixed{seed >> 32, seed & 0xffffffffu, salt >> 32, salt & 0xffffffffu};
  engine_.seed(mixed);
}

namespace judge {

int each_of(const std::vector<int>& sizes) {
  // GENERATE would take all draws of a test for one, because they come from one line.
  const std::string name =
      "from " + std::to_string(sizes.front()) + " to " + std::to_string(sizes.back());
  return Catch::Generators::generate(name, CATCH_INTERNAL_LINEINFO, [&] {
    using namespace Catch::Generators;
    return makeGenerators(from_range(sizes));
  });
}

std::vector<int> sizes_in(int least, int most) {
  if (const std::uint64_t count = options().sizes_per_draw; count > 0) {
    return spread_sizes(least, most, count);
  }
  Random random(static_cast<std::uint64_t>(least) << 32 | static_cast<std::uint32_t>(most));
  return {least + static_cast<int>(random.below(static_cast<std::uint64_t>(most - least) + 1))};
}

}  // namespace judge

int draw_size(int least, int most) {
  const std::vector<int> sizes = judge::sizes_in(least, most);
  return sizes.size() == 1 ? sizes.front() : judge::each_of(sizes);
}

}  // namespace tilelab

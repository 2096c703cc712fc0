#include "judge/calls/random.h"

#include "judge/options.h"

namespace tilelab {

Random::Random(std::uint64_t salt) {
  const std::uint64_t seed = judge::options().seed;
  std::seed_seq mixed{seed >> 32, seed & 0xffffffffu, salt >> 32, salt & 0xffffffffu};
  engine_.seed(mixed);
}

int draw_size(int least, int most) {
  Random random(static_cast<std::uint64_t>(least) << 32 | static_cast<std::uint32_t>(most));
  return least + static_cast<int>(random.below(static_cast<std::uint64_t>(most - least) + 1));
}

}  // namespace tilelab

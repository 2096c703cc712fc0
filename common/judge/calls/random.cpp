#include "judge/calls/random.h"

#include "judge/options.h"

namespace tilelab {

Random::Random(std::uint64_t salt) {
  const std::uint64_t seed = judge::options().seed;
  std::seed_seq mixed{seed >> 32, seed & 0xffffffffu, salt >> 32, salt & 0xffffffffu};
  engine_.seed(mixed);
}

}  // namespace tilelab

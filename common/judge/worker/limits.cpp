#include "judge/worker/limits.h"

#include <algorithm>
#include <utility>

#include "judge/options.h"

namespace tilelab::judge {
namespace {

constexpr double longer_times = 8;

double times_as_long = 1;

}  // namespace

LongerCalls::LongerCalls() : before_(std::exchange(times_as_long, longer_times)) {}

LongerCalls::~LongerCalls() { times_as_long = before_; }

double time_limit_for(std::size_t array_bytes, std::size_t held_bytes) {
  constexpr std::size_t small_bytes = std::size_t{16} << 10, usual_bytes = std::size_t{64} << 20;
  constexpr double seconds_for_small = 2;
  const double seconds = options().time_limit;
  if (array_bytes <= small_bytes) return std::min(seconds, seconds_for_small);
  const std::size_t times = 1 + held_bytes / usual_bytes;
  return seconds * static_cast<double>(times) * times_as_long;
}

std::uint64_t memory_limit_for(std::size_t array_bytes) {
  // Images and results are mapped, and an emulated device holds them once more.
  return options().memory_limit + 4 * array_bytes;
}

}  // namespace tilelab::judge

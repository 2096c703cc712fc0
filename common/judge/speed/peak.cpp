// The contract of common/peaks comes first, because the headers below read it.
#include "peaks/peaks.h"
//
#include <algorithm>
#include <cstddef>

#include "judge/speed/peak.h"

namespace tilelab::judge {
namespace {

constexpr double most_bytes = std::size_t{1} << 31;  // more bytes take longer and say nothing new
constexpr int fma_threads = 1 << 23;  // many waves of blocks, and a float holds each number exactly

double amount_to_time(const LeastWork& least_work) {
  if (least_work.peak == Peak::instructions) return static_cast<double>(fma_threads) * fma_steps;
  return std::min(least_work.amount, most_bytes);
}

SpeedProblem copy_of(std::vector<int>& in) {
  const Output<int> out("out", in.size());
  return {function_of<copy>(), arguments_of<copy>(in, out, static_cast<int>(in.size())),
          [&in](Random& random) { random.fill(std::as_writable_bytes(std::span(in))); },
          [&in](const Slice& slice) {
            return std::memcmp(&in[slice.first], slice.bytes.data(), slice.bytes.size()) == 0;
          }};
}

SpeedProblem multiply_adds() {
  const Output<float> out("out", fma_threads);
  return {function_of<multiply_add>(), arguments_of<multiply_add>(out, fma_threads), [](Random&) {},
          [](const Slice& slice) {
            const std::vector<float> got = slice.values<float>();
            for (std::size_t k = 0; k < got.size(); ++k) {
              if (got[k] != static_cast<float>(slice.first + k)) return false;
            }
            return true;
          }};
}

}  // namespace

PeakProblem::PeakProblem(const LeastWork& least_work)
    : least_work_(least_work), amount_(amount_to_time(least_work)) {
  if (least_work.peak == Peak::instructions) {
    problem_ = multiply_adds();
    return;
  }
  // A copy reads and writes each byte.
  in_.resize(static_cast<std::size_t>(amount_) / (2 * sizeof(int)));
  amount_ = 2.0 * sizeof(int) * static_cast<double>(in_.size());
  problem_ = copy_of(in_);
}

}  // namespace tilelab::judge

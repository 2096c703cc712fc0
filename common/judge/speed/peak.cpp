// The contract of common/peaks comes first, because the headers below read it.
#include "peaks/peaks.h"
//
#include <algorithm>
#include <cstddef>
#include <numeric>

#include "judge/speed/peak.h"

namespace tilelab::judge {
namespace {

constexpr double most_bytes = std::size_t{1} << 31;  // more bytes take longer and say nothing new
constexpr int fma_threads = 1 << 23;  // many waves of blocks, and a float holds each number exactly

double amount_to_time(const LeastWork& least_work) {
  if (least_work.peak == Peak::instructions) return static_cast<double>(fma_threads) * fma_steps;
  return std::min(least_work.amount, most_bytes);
}

SpeedProblem copy_of(std::vector<unsigned>& in) {
  const Output<unsigned> out("out", in.size());
  return {function_of<copy>(), arguments_of<copy>(in, out, static_cast<int>(in.size())),
          [&in](Random& random) { random.fill(std::as_writable_bytes(std::span(in))); },
          [&in](const Slice& slice) {
            return std::memcmp(&in[slice.first], slice.bytes.data(), slice.bytes.size()) == 0;
          }};
}

/// What block b of read_all() adds up.
unsigned sum_of_block(const std::vector<unsigned>& in, std::size_t b) {
  unsigned sum = 0;
  for (std::size_t tile = b; tile * read_tile < in.size(); tile += read_blocks) {
    const auto first = in.begin() + static_cast<std::ptrdiff_t>(tile * read_tile);
    sum = std::accumulate(first, first + read_tile, sum);
  }
  return sum;
}

SpeedProblem read_of(std::vector<unsigned>& in) {
  const Output<unsigned> out("out", read_blocks);
  return {function_of<read_all>(), arguments_of<read_all>(in, out, static_cast<int>(in.size())),
          [&in](Random& random) { random.fill(std::as_writable_bytes(std::span(in))); },
          [&in](const Slice& slice) {
            return slice.all<unsigned>(
                [&](std::size_t b, unsigned got) { return got == sum_of_block(in, b); });
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
  if (least_work.peak == Peak::reads) {
    constexpr std::size_t tile_bytes = read_tile * sizeof(unsigned);
    const std::size_t tiles =
        std::max<std::size_t>(1, static_cast<std::size_t>(amount_) / tile_bytes);
    in_.resize(tiles * read_tile);
    amount_ = static_cast<double>(tiles * tile_bytes);
    problem_ = read_of(in_);
    return;
  }
  // A copy reads and writes each byte.
  in_.resize(static_cast<std::size_t>(amount_) / (2 * sizeof(unsigned)));
  amount_ = 2.0 * sizeof(unsigned) * static_cast<double>(in_.size());
  problem_ = copy_of(in_);
}

}  // namespace tilelab::judge

#include "emulator/runtime/recording/block_times.h"

#include <algorithm>
#include <chrono>

namespace tilelab::emulator {
namespace {

constexpr std::size_t most_remembered = 8;
constexpr double far_longer_than_mean = 8;
// Whoever touches memory first may wait for it. That is shorter.
constexpr double least_seconds = 2e-3;
// Of the launch's time.
constexpr double least_share = 0.02;

double seconds_now() {
  const auto since_some_time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since_some_time).count();
}

}  // namespace

void BlockTimes::runs(std::uint64_t number) {
  const double now = seconds_now();
  if (since_ > 0) take(now);
  running_.number = number;
  since_ = now;
}

void BlockTimes::end() {
  if (since_ > 0) take(seconds_now());
  since_ = 0;
}

void BlockTimes::take(double now) {
  running_.seconds = now - since_;
  ++pieces_;
  seconds_ += running_.seconds;
  const auto place = std::find_if(longest_.begin(), longest_.end(), [this](const Piece& one) {
    return one.seconds < running_.seconds;
  });
  longest_.insert(place, running_);
  if (longest_.size() > most_remembered) longest_.pop_back();
}

std::vector<std::uint64_t> BlockTimes::far_longer() const {
  std::vector<std::uint64_t> numbers;
  const double mean = pieces_ == 0 ? 0 : seconds_ / static_cast<double>(pieces_);
  const double least = std::max(least_seconds, far_longer_than_mean * mean);
  double together = 0;
  for (const Piece& one : longest_) {
    if (one.seconds < least) break;
    numbers.push_back(one.number);
    together += one.seconds;
  }
  if (together < least_share * seconds_) return {};
  return numbers;
}

}  // namespace tilelab::emulator

#pragma once

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <vector>

/// What the benchmark's programs share.

constexpr int rounds = 7;

/// The same coordinates in every program.
inline std::vector<float> random_coordinates(int count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  unsigned state = 1;
  for (float& value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(state >> 8) / 16777216.0f;
  }
  return values;
}

/// The shortest of several rounds in seconds, because the machine has other work as well.
template <class Function>
double seconds(Function function) {
  double shortest = 1e30;
  for (int round = 0; round < rounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    function();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    shortest = std::min(shortest, time.count());
  }
  return shortest;
}

#pragma once

#include <cstdint>
#include <vector>

#include "judge/calls/random.h"
#include "own_types.h"

/// The right results of the lab `own_types`.
namespace own_types {

inline bool operator==(const Particle& a, const Particle& b) {
  return a.position.x == b.position.x && a.position.y == b.position.y &&
         a.position.z == b.position.z && a.mass == b.mass && a.id == b.id;
}

inline std::vector<float> scaled(std::vector<float> values, float factor) {
  for (float& value : values) value *= factor;
  return values;
}

inline double value_at(const std::vector<double>& f, const Grid& grid, int x, int y) {
  const bool inside = 0 <= x && x < grid.nx && 0 <= y && y < grid.ny;
  return inside ? f[static_cast<std::size_t>(y * grid.nx + x)] : grid.border;
}

inline std::vector<double> laplacian(const std::vector<double>& f, const Grid& grid) {
  std::vector<double> result;
  for (int y = 0; y < grid.ny; ++y) {
    for (int x = 0; x < grid.nx; ++x) {
      const double sum = value_at(f, grid, x - 1, y) + value_at(f, grid, x + 1, y) +
                         value_at(f, grid, x, y - 1) + value_at(f, grid, x, y + 1);
      result.push_back((sum - 4 * value_at(f, grid, x, y)) / (grid.spacing * grid.spacing));
    }
  }
  return result;
}

inline int bright_ones(const std::vector<unsigned char>& image, unsigned char limit) {
  int count = 0;
  for (const unsigned char pixel : image) count += pixel > limit ? 1 : 0;
  return count;
}

/// What pick() gets, and what it should come to.
struct Choice {
  std::vector<Particle> in, out;
  std::vector<unsigned char> chosen;
  std::vector<std::uint64_t> keys;
  double mass = 0;

  explicit Choice(int n) {
    tilelab::Random random(static_cast<std::uint64_t>(n));
    for (int i = 0; i < n; ++i) {
      const auto x = static_cast<float>(i);
      in.push_back({{x, -x, 1},
                    static_cast<float>(random.below(9)),
                    static_cast<short>(1 + random.below(1000))});
      chosen.push_back(static_cast<unsigned char>(random.below(2)));
      out.push_back(chosen.back() != 0 ? in.back() : Particle{});
      keys.push_back(1000 * static_cast<std::uint64_t>(out.back().id) + 7);
      mass += static_cast<double>(out.back().mass);
    }
  }
};

/// What tint() gets, and what it should come to.
struct Tints {
  std::vector<uchar4> pixels, tinted;
  std::vector<short> sums;
  std::vector<unsigned char> odd;

  explicit Tints(int n) : pixels(static_cast<std::size_t>(n)) {
    tilelab::Random random(static_cast<std::uint64_t>(n));
    random.fill(std::as_writable_bytes(std::span(pixels)));
    for (uchar4 pixel : pixels) {
      ++pixel.x;
      tinted.push_back(pixel);
      sums.push_back(static_cast<short>(pixel.x + pixel.y + pixel.z + pixel.w));
      odd.push_back(sums.back() % 2 != 0);
    }
  }
};

}  // namespace own_types

#pragma once

#include <cstddef>
#include <cstdint>

/// Where estimates have memory, in every run (grading/tilelab/pipeline/estimating/launches.py).
namespace tilelab::schema {

/// Where the program's variables are.
constexpr std::uint64_t variables_place = 0x7e0000000000;

/// The places of arrays, in the order in which they are made.
class ArrayPlaces {
 public:
  /// The place of the next array, which has this many bytes.
  std::uint64_t take(std::size_t bytes) {
    const std::uint64_t place = next_;
    next_ += (bytes + unit - 1) / unit * unit + between;
    return place;
  }

 private:
  static constexpr std::size_t unit = 512, between = 4096;

  std::uint64_t next_ = 0x7f0000000000;
};

}  // namespace tilelab::schema

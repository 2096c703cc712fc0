#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

/// The kernels whose memory traffic is counted both by Nsight Compute on a GPU and by the emulator.
///
/// A case's launches, grids and inputs are always the same. Its kernels are written so that every
/// compiler must issue the same accesses: what an access touches depends on data or on arguments,
/// and no thread has neighboring accesses that could be joined.
namespace tilelab::calibration {

/// How large the arrays of a lab's functions are.
struct Sizes {
  int row = 5000;    ///< elements, where a function takes one size
  int bodies = 900;  ///< where each element meets each other one
  int edge = 48;     ///< elements per side, where it takes three
};

struct Case {
  std::string name;
  /// Prepares the inputs, launches, and tells whether the outputs are right.
  std::function<bool()> run;
  /// Why nvcc issues other accesses than the source has; "" where it does not. Such cases are named
  /// `differs_...`.
  std::string differs = "";
  /// Of a lab's function: runs it at other sizes, and returns the bytes of its inputs, or 0 if it
  /// fails. Empty for other cases.
  std::function<std::size_t(const Sizes&)> run_at = {};
};

/// All cases that were linked into the program, sorted by name.
const std::vector<Case>& cases();

using Take = void (*)(const Case&);

}  // namespace tilelab::calibration

/// Adds the cases that a function makes: `CALIBRATION_CASES(all);` The linker makes a list of them:
/// in a checked build nothing runs before main, and a vector made there is not freed elsewhere.
#define CALIBRATION_CASES(function)                                          \
  void give_cases(tilelab::calibration::Take take) {                         \
    for (const tilelab::calibration::Case& each : function()) take(each);    \
  }                                                                          \
  __attribute__((section("calibration_cases"), used)) void (*const listing)( \
      tilelab::calibration::Take) = give_cases

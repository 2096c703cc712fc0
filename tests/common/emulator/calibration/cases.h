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

/// The sizes of the arrays of a lab's functions.
struct Sizes {
  int row = 5000;    ///< Elements, if a function takes one size.
  int bodies = 900;  ///< Elements, if each one meets all others.
  int edge = 48;     ///< Elements per side, if a function takes three sizes.
};

struct Case {
  std::string name;
  /// Prepares the inputs, launches, and returns whether the outputs are right.
  std::function<bool()> run;
  /// Why nvcc issues other accesses than the source has; "" if it does not. Such cases are named
  /// `differs_...`.
  std::string differs = "";
  /// Runs a lab's function at other sizes and returns the bytes of its inputs, or 0 if it fails.
  /// Empty for other cases.
  std::function<std::size_t(const Sizes&)> run_at = {};
};

/// All cases that were linked into the program, sorted by name.
const std::vector<Case>& cases();

using Take = void (*)(const Case&);

}  // namespace tilelab::calibration

/// Adds the cases that a function makes: `CALIBRATION_CASES(all);` The linker makes the list,
/// because nothing runs before main in a checked build, and a vector made there cannot be freed
/// elsewhere.
#define CALIBRATION_CASES(function)                                          \
  void give_cases(tilelab::calibration::Take take) {                         \
    for (const tilelab::calibration::Case& each : function()) take(each);    \
  }                                                                          \
  __attribute__((section("calibration_cases"), used)) void (*const listing)( \
      tilelab::calibration::Take) = give_cases

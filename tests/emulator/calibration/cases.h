#pragma once

#include <functional>
#include <string>
#include <vector>

/// The kernels whose memory traffic is counted both by Nsight Compute on a GPU and by the emulator.
///
/// A case's launches, grids and inputs are always the same. Its kernels are written so that every
/// compiler must issue the same accesses: what an access touches depends on data or on arguments,
/// and no thread has neighbouring accesses that could be joined.
namespace tilelab::calibration {

struct Case {
  std::string name;
  /// Prepares the inputs, launches, and tells whether the outputs are right.
  std::function<bool()> run;
  /// Why nvcc issues other accesses than the source has; "" where it does not. Such cases are named
  /// `differs_...`.
  std::string differs = "";
};

/// All cases that were linked into the program, sorted by name.
const std::vector<Case>& cases();

/// Adds cases at namespace scope: `const Registration global = {{name, run}, ...};`
struct Registration {
  Registration(std::vector<Case> cases);
};

}  // namespace tilelab::calibration

#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "judge/calls/arguments.h"
#include "judge/calls/random.h"

namespace tilelab {

/// A piece of an output that a timed launch left behind.
struct Slice {
  std::string name;                  ///< of the Output
  std::size_t first;                 ///< index of its first element
  std::span<const std::byte> bytes;  ///< of whole elements

  /// The elements.
  template <class T>
  std::vector<T> values() const {
    std::vector<T> result(bytes.size() / sizeof(T));
    std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
  }
};

/// A timed problem: `fresh` draws new inputs into the arrays that the arguments refer to, `right`
/// says whether a slice of an output fits the inputs drawn last.
struct SpeedProblem {
  judge::Function function;                    ///< what is timed
  std::vector<judge::CallArgument> arguments;  ///< what it is called with
  std::function<void(Random&)> fresh;          ///< draws inputs
  std::function<bool(const Slice&)> right;     ///< checks results
};

/// The physical floor of a measurement: what one launch of each of its functions cannot do without.
/// The machine's own rate is measured beside it, by a control.
struct Floor {
  /// What the machine has a highest rate of.
  enum class Of {
    bytes,        ///< between the multiprocessors and the GPU's memory, as its own copy moves them
    instructions  ///< of single threads, as a loop of multiply-adds issues them
  };
  Of what;        ///< decides which control runs
  double amount;  ///< bytes, or instructions of single threads
};

/// What one launch of each function does, for plots. An operation is an addition, a subtraction, a
/// product, or another step of arithmetic with elements; a multiply-add is two. They are counted as
/// the problem's formula has them, whatever a kernel saves or does twice; addresses do not count.
struct Work {
  std::size_t n;      ///< elements: numbers, points or bodies
  double operations;  ///< of arithmetic
  double bytes;       ///< at least, between the multiprocessors and the GPU's memory
};

}  // namespace tilelab

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

/// What the hardware does at some highest rate, its peak. The peak is measured alongside a problem.
enum class Peak {
  bytes,        ///< The GPU's own copy moves bytes to and from the GPU's memory.
  instructions  ///< A loop of multiply-adds issues instructions of single threads.
};

/// What one launch of each of a problem's functions cannot do without. At the peak it takes a time
/// that no kernel can beat.
struct LeastWork {
  Peak peak;      ///< The peak that limits the problem.
  double amount;  ///< Bytes, or instructions of single threads.
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

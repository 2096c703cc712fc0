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

/// A piece of an output that a timed launch left, or the value that it returned.
struct Slice {
  std::string name;                  ///< The name of the parameter, or of the Returned.
  std::size_t first;                 ///< The index of the first element.
  std::span<const std::byte> bytes;  ///< The bytes of whole elements.

  /// The elements themselves.
  template <class T>
  std::vector<T> values() const {
    std::vector<T> result(bytes.size() / sizeof(T));
    std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
  }

  /// Whether right(index, element) holds for each of them.
  template <class T, class Right>
  bool all(Right&& right) const {
    const std::vector<T> got = values<T>();
    for (std::size_t k = 0; k < got.size(); ++k) {
      if (!right(first + k, got[k])) return false;
    }
    return true;
  }
};

/// A problem that contenders are timed with.
struct SpeedProblem {
  judge::Function function;                    ///< The function that is timed.
  std::vector<judge::CallArgument> arguments;  ///< The function is called with these arguments.
  std::function<void(Random&)> fresh;          ///< Draws new inputs into the arguments' arrays.
  std::function<bool(const Slice&)> right;  ///< Whether a slice is right for the last inputs drawn.
  /// Works out what is right for what the arrays hold now, which comes before `right` is asked. For
  /// outputs that depend on all inputs, which would else be gone through again for each slice.
  std::function<void()> expect = {};
};

/// What the hardware does at some highest rate, its peak. The peak is measured alongside a problem.
enum class Peak {
  bytes,        ///< The GPU's own copy moves bytes to and from the GPU's memory.
  reads,        ///< A kernel that only adds up reads bytes, which is faster than to move them.
  instructions  ///< A loop of multiply-adds issues instructions of single threads.
};

/// What one launch of each of a problem's functions cannot do without. At the peak it takes a time
/// that no kernel can beat.
struct LeastWork {
  Peak peak;      ///< The peak that limits the problem.
  double amount;  ///< Bytes, or instructions of single threads.
};

/// What one launch of each function does, for plots. An operation is an addition, a subtraction, a
/// product, or another step of arithmetic with elements; a multiply-add is two. The problem's
/// formula is counted, whatever a kernel saves or does twice. Addresses do not count.
struct Work {
  std::size_t n;      ///< The number of elements: numbers, points or bodies.
  double operations;  ///< The operations of arithmetic.
  double bytes;       ///< The bytes that must move between the multiprocessors and GPU memory.
};

}  // namespace tilelab

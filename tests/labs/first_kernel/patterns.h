#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "judge/calls/values.h"
#include "judge/checks/differences.h"
#include "reference.h"

/// What wrong answers of this lab have in common. lab.toml has a hint for each id.
namespace tilelab::first_kernel {

using judge::Differences;
using judge::Pattern;
using judge::show;

/// The wrong answers of one run.
struct Failures {
  const Problem& p;
  const std::vector<float>& got;
  const Differences& differences;

  /// Whether each wrong element is what another formula gives.
  bool all(const std::function<double(std::size_t)>& formula) const {
    return std::all_of(differences.wrong.begin(), differences.wrong.end(),
                       [&](std::size_t i) { return std::abs(got[i] - formula(i)) <= tolerance; });
  }

  bool nothing_written() const { return differences.unwritten.size() == differences.size; }

  /// The wrong elements are all those from this index on.
  bool begin_at(std::size_t index) const {
    return differences.wrong.front() == index &&
           differences.wrong.size() == differences.size - index;
  }
};

/// Another formula than the one that was asked for.
inline Pattern formula_pattern(const Failures& f) {
  const Problem& p = f.p;
  if (f.all([&](std::size_t i) { return double{p.a} * p.y[i] + p.x[i]; })) {
    return {"formula", "Each wrong element is a * y[i] + x[i]: x and y have changed places."};
  }
  if (f.all([&](std::size_t i) { return double{p.a} * p.x[i]; })) {
    return {"formula", "Each wrong element is a * x[i]: y[i] is missing."};
  }
  if (f.all([&](std::size_t i) { return double{p.x[i]} + p.y[i]; })) {
    return {"formula", "Each wrong element is x[i] + y[i]: the factor a is missing."};
  }
  return {};
}

/// More is missing than one block: a number of blocks that was only rounded down leaves out less
/// than what the blocks before have written.
inline Pattern same_elements_pattern(const Failures& f) {
  const std::vector<std::size_t>& unwritten = f.differences.unwritten;
  if (unwritten.empty() || unwritten.front() == 0) return {};
  const std::size_t written = unwritten.front(), left = f.differences.size - written;
  if (unwritten.size() != left || left < written) return {};
  return {"same_elements", std::string("Only the first ") +
                               (written == 1 ? "element was" : show(written) + " elements were") +
                               " written: either the grid is too small, or its blocks compute the "
                               "same elements."};
}

inline Pattern saxpy_pattern(const Failures& f) {
  if (Pattern found = same_elements_pattern(f); !found.id.empty()) return found;
  return f.differences.unwritten.empty() ? formula_pattern(f) : Pattern{};
}

inline Pattern clamped_pattern(const Failures& f) {
  const Problem& p = f.p;
  if (f.all([&](std::size_t i) { return saxpy_at(p, i); })) {
    return {"not_clamped", "The wrong elements are a * x[i] + y[i], not kept within low and high."};
  }
  const bool is_bound =
      std::all_of(f.differences.wrong.begin(), f.differences.wrong.end(),
                  [&](std::size_t i) { return f.got[i] == p.low || f.got[i] == p.high; });
  if (is_bound) {
    return {"bounds_swapped",
            "Each wrong element is low or high where it should not be, as if low and high had "
            "changed places."};
  }
  return saxpy_pattern(f);
}

inline Pattern from_host_pattern(const Failures& f) {
  if (f.nothing_written()) {
    return {"not_copied_back", "No element of out was written: the result was never copied back."};
  }
  if (f.differences.size >= 4 && f.begin_at(f.differences.size / 4)) {
    // Of the copy back, the last element may have got some of its bytes.
    const bool is_back = f.differences.unwritten.size() + 1 >= f.differences.wrong.size();
    return {is_back ? "elements_copied_back" : "elements_for_bytes",
            "Only the first quarter is right, as if a size were given in elements: cudaMalloc() "
            "and cudaMemcpy() count bytes, and a float has 4."};
  }
  return saxpy_pattern(f);
}

}  // namespace tilelab::first_kernel

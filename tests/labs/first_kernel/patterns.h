#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "judge/checks/check.h"
#include "judge/values/values.h"
#include "reference.h"

/// What wrong answers of this lab have in common. lab.toml has a hint for each id.
namespace tilelab::first_kernel {

using judge::Pattern;
using judge::show;

using Elements = judge::WrongElements<float>;

/// Finds what wrong elements have in common.
using Look = Pattern (*)(const Problem& p, const Elements& elements);

/// Whether each wrong element is what another formula gives.
inline bool all_are(const Problem& p, const Elements& elements,
                    const std::function<double(std::size_t)>& formula) {
  return elements.all([&](std::size_t i, float got, float) {
    return std::abs(got - formula(i)) <= tolerance * p.unit;
  });
}

/// Whether the wrong elements are all those from this index on.
inline bool begin_at(const Elements& elements, std::size_t index) {
  return elements.wrong.front() == index && elements.wrong.size() == elements.size - index;
}

/// Another formula than the one that was asked for.
inline Pattern formula_pattern(const Problem& p, const Elements& elements) {
  if (all_are(p, elements, [&](std::size_t i) { return double{p.a} * p.y[i] + p.x[i]; })) {
    return {"formula", "Each wrong element is a * y[i] + x[i]: x and y have changed places."};
  }
  if (all_are(p, elements, [&](std::size_t i) { return double{p.a} * p.x[i]; })) {
    return {"formula", "Each wrong element is a * x[i]: y[i] is missing."};
  }
  if (all_are(p, elements, [&](std::size_t i) { return double{p.x[i]} + p.y[i]; })) {
    return {"formula", "Each wrong element is x[i] + y[i]: the factor a is missing."};
  }
  return {};
}

/// More is missing than one block: a number of blocks that was only rounded down leaves out less
/// than what the blocks before have written.
inline Pattern same_elements_pattern(const Elements& elements) {
  const std::vector<std::size_t>& unwritten = elements.unwritten;
  if (unwritten.empty() || unwritten.front() == 0) return {};
  const std::size_t written = unwritten.front(), left = elements.size - written;
  if (unwritten.size() != left || left < written) return {};
  return {"same_elements", std::string("Only the first ") +
                               (written == 1 ? "element was" : show(written) + " elements were") +
                               " written: either the grid is too small, or its blocks compute the "
                               "same elements."};
}

inline Pattern saxpy_pattern(const Problem& p, const Elements& elements) {
  if (Pattern found = same_elements_pattern(elements); !found.id.empty()) return found;
  return elements.unwritten.empty() ? formula_pattern(p, elements) : Pattern{};
}

inline Pattern clamped_pattern(const Problem& p, const Elements& elements) {
  if (all_are(p, elements, [&](std::size_t i) { return saxpy_at(p, i); })) {
    return {"not_clamped", "The wrong elements are a * x[i] + y[i], not kept within low and high."};
  }
  const bool is_bound =
      elements.all([&](std::size_t, float got, float) { return got == p.low || got == p.high; });
  if (is_bound) {
    return {"bounds_swapped",
            "Each wrong element is low or high where it should not be, as if low and high had "
            "changed places."};
  }
  return saxpy_pattern(p, elements);
}

inline Pattern from_host_pattern(const Problem& p, const Elements& elements) {
  if (elements.unwritten.size() == elements.size) {
    return {"not_copied_back", "No element of out was written: the result was never copied back."};
  }
  if (elements.size >= 4 && begin_at(elements, elements.size / 4)) {
    // Of the copy back, the last element may have got some of its bytes.
    const bool is_back = elements.unwritten.size() + 1 >= elements.wrong.size();
    return {is_back ? "elements_copied_back" : "elements_for_bytes",
            "Only the first quarter is right, as if a size were given in elements: cudaMalloc() "
            "and cudaMemcpy() count bytes, and a float has 4."};
  }
  return saxpy_pattern(p, elements);
}

}  // namespace tilelab::first_kernel

#pragma once

/// Reductions over a group. Each thread gets the result.

#include "cooperative_groups.h"

namespace cooperative_groups {

template <class T>
struct plus {
  T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
  T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
  T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
  T operator()(T a, T b) const { return a ^ b; }
};

template <class Group, class T, class Operation>
T reduce(const Group& group, T value, Operation operation, Site site = Site::current()) {
  const unsigned size = group.num_threads();
  const unsigned rank = group.thread_rank();
  for (unsigned step = 1; step < size; step *= 2) {
    const T other = group.shfl_down(value, step, site);
    if (rank + step < size) value = operation(value, other);
  }
  return group.shfl(value, 0, site);
}

}  // namespace cooperative_groups

#pragma once

/// Running sums, and other scans, over a group.

#include "cooperative_groups/reduce.h"

namespace cooperative_groups {

template <class Group, class T, class Operation>
T inclusive_scan(const Group& group, T value, Operation operation, Site site = Site::current()) {
  for (unsigned step = 1; step < group.num_threads(); step *= 2) {
    const T other = group.shfl_up(value, step, site);
    if (group.thread_rank() >= step) value = operation(other, value);
  }
  return value;
}
template <class Group, class T>
T inclusive_scan(const Group& group, T value, Site site = Site::current()) {
  return inclusive_scan(group, value, plus<T>(), site);
}

/// The first thread gets T().
template <class Group, class T, class Operation>
T exclusive_scan(const Group& group, T value, Operation operation, Site site = Site::current()) {
  const T before = group.shfl_up(inclusive_scan(group, value, operation, site), 1, site);
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T>
T exclusive_scan(const Group& group, T value, Site site = Site::current()) {
  return exclusive_scan(group, value, plus<T>(), site);
}

}  // namespace cooperative_groups

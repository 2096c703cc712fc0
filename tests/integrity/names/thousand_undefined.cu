// A thousand functions that are not defined. The record names a few of them and counts the rest.
// Lab: diff
// Verdict: rejected
// Earns: nothing
// Says: 991 more names are undefined or not allowed.

#include "diff.h"

template <int i>
void undefined();

template <int i>
void call_all() {
  undefined<i>();
  if constexpr (i % 100 != 0) call_all<i - 1>();
}

void diff(const int* in, int* out, int n) {
  call_all<1000>(), call_all<999>(), call_all<899>(), call_all<799>(), call_all<699>();
  call_all<599>(), call_all<499>(), call_all<399>(), call_all<299>(), call_all<199>();
  call_all<99>();
}

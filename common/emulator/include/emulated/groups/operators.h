#pragma once

/// What reductions and scans do with two values.

namespace cooperative_groups {

template <class T>
struct plus {
  constexpr T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
  constexpr T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  constexpr T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  constexpr T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
  constexpr T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
  constexpr T operator()(T a, T b) const { return a ^ b; }
};

}  // namespace cooperative_groups

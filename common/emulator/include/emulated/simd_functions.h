#pragma once

/// CUDA's SIMD intrinsics. The number that a name ends with is that of the lanes in a word. `ss`
/// and `us` saturate; the others wrap.

#include <cstdint>

#include "emulated/lanes_of_words.h"

#define TILELAB_SIMD(name, kind, Lane, f)                                           \
  inline unsigned name(unsigned a, unsigned b) {                                    \
    return tilelab::emulator::lanes::kind<Lane>(tilelab::emulator::lanes::f, a, b); \
  }
#define TILELAB_SIMD_OF_ONE(name, kind, Lane, f)                                    \
  inline unsigned name(unsigned a) {                                                \
    return tilelab::emulator::lanes::kind<Lane>(tilelab::emulator::lanes::f, 0, a); \
  }

// A comparison gives the number 1 under one name, and lanes of ones under the other.
#define TILELAB_SIMD_COMPARISON(name, Lane, f)                           \
  TILELAB_SIMD(__vset##name, apply, Lane, f)                             \
  inline unsigned __vcmp##name(unsigned a, unsigned b) {                 \
    namespace lanes = tilelab::emulator::lanes;                          \
    return lanes::apply<Lane>(lanes::difference, 0, __vset##name(a, b)); \
  }
#define TILELAB_SIMD_ORDER(name, n, Signed, Unsigned, f) \
  TILELAB_SIMD_COMPARISON(name##s##n, Signed, f)         \
  TILELAB_SIMD_COMPARISON(name##u##n, Unsigned, f)

#define TILELAB_SIMD_FUNCTIONS(n, Signed, Unsigned)                \
  TILELAB_SIMD_OF_ONE(__vabs##n, apply, Signed, distance)          \
  TILELAB_SIMD_OF_ONE(__vabsss##n, saturate, Signed, distance)     \
  TILELAB_SIMD_OF_ONE(__vneg##n, apply, Signed, difference)        \
  TILELAB_SIMD_OF_ONE(__vnegss##n, saturate, Signed, difference)   \
  TILELAB_SIMD(__vadd##n, apply, Signed, sum)                      \
  TILELAB_SIMD(__vaddss##n, saturate, Signed, sum)                 \
  TILELAB_SIMD(__vaddus##n, saturate, Unsigned, sum)               \
  TILELAB_SIMD(__vsub##n, apply, Signed, difference)               \
  TILELAB_SIMD(__vsubss##n, saturate, Signed, difference)          \
  TILELAB_SIMD(__vsubus##n, saturate, Unsigned, difference)        \
  TILELAB_SIMD(__vavgs##n, apply, Signed, average)                 \
  TILELAB_SIMD(__vavgu##n, apply, Unsigned, average)               \
  TILELAB_SIMD(__vhaddu##n, apply, Unsigned, average_rounded_down) \
  TILELAB_SIMD(__vmins##n, apply, Signed, least)                   \
  TILELAB_SIMD(__vminu##n, apply, Unsigned, least)                 \
  TILELAB_SIMD(__vmaxs##n, apply, Signed, greatest)                \
  TILELAB_SIMD(__vmaxu##n, apply, Unsigned, greatest)              \
  TILELAB_SIMD(__vabsdiffs##n, apply, Signed, distance)            \
  TILELAB_SIMD(__vabsdiffu##n, apply, Unsigned, distance)          \
  TILELAB_SIMD(__vsads##n, add_up, Signed, distance)               \
  TILELAB_SIMD(__vsadu##n, add_up, Unsigned, distance)             \
  TILELAB_SIMD_COMPARISON(eq##n, Signed, equal)                    \
  TILELAB_SIMD_COMPARISON(ne##n, Signed, not_equal)                \
  TILELAB_SIMD_ORDER(ge, n, Signed, Unsigned, greater_equal)       \
  TILELAB_SIMD_ORDER(gt, n, Signed, Unsigned, greater)             \
  TILELAB_SIMD_ORDER(le, n, Signed, Unsigned, less_equal)          \
  TILELAB_SIMD_ORDER(lt, n, Signed, Unsigned, less)

TILELAB_SIMD_FUNCTIONS(2, std::int16_t, std::uint16_t)
TILELAB_SIMD_FUNCTIONS(4, std::int8_t, std::uint8_t)

#undef TILELAB_SIMD_FUNCTIONS
#undef TILELAB_SIMD_ORDER
#undef TILELAB_SIMD_COMPARISON
#undef TILELAB_SIMD_OF_ONE
#undef TILELAB_SIMD

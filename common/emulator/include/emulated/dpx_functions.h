#pragma once

/// CUDA's DPX functions: minima and maxima of three or of sums, one instruction from compute
/// capability 9.0 on. `_relu` gives no less than 0; `s16x2` and `u16x2` are for the halfwords of a
/// word. A sum wraps.

#include <cstdint>

#include "emulated/lanes_of_words.h"

// The functions of one name, `max` or `min`.
#define TILELAB_DPX(name, type, Word, Lane, f)                                      \
  inline Word __vi##name##3_##type(Word a, Word b, Word c) {                        \
    namespace lanes = tilelab::emulator::lanes;                                     \
    const unsigned of_two = lanes::apply<Lane>(lanes::f, unsigned(a), unsigned(b)); \
    return Word(lanes::apply<Lane>(lanes::f, of_two, unsigned(c)));                 \
  }                                                                                 \
  inline Word __viadd##name##_##type(Word a, Word b, Word c) {                      \
    namespace lanes = tilelab::emulator::lanes;                                     \
    const unsigned sum = lanes::apply<Lane>(lanes::sum, unsigned(a), unsigned(b));  \
    return Word(lanes::apply<Lane>(lanes::f, sum, unsigned(c)));                    \
  }
#define TILELAB_DPX_RELU(name, type, Word, Lane, f)                                 \
  inline Word __vi##name##_##type##_relu(Word a, Word b) {                          \
    namespace lanes = tilelab::emulator::lanes;                                     \
    const unsigned of_two = lanes::apply<Lane>(lanes::f, unsigned(a), unsigned(b)); \
    return Word(lanes::apply<Lane>(lanes::greatest, of_two, 0));                    \
  }                                                                                 \
  inline Word __vi##name##3_##type##_relu(Word a, Word b, Word c) {                 \
    namespace lanes = tilelab::emulator::lanes;                                     \
    const auto of_three = unsigned(__vi##name##3_##type(a, b, c));                  \
    return Word(lanes::apply<Lane>(lanes::greatest, of_three, 0));                  \
  }                                                                                 \
  inline Word __viadd##name##_##type##_relu(Word a, Word b, Word c) {               \
    namespace lanes = tilelab::emulator::lanes;                                     \
    const auto of_sum = unsigned(__viadd##name##_##type(a, b, c));                  \
    return Word(lanes::apply<Lane>(lanes::greatest, of_sum, 0));                    \
  }
// Also says whether the result is a, or whose halves are a's.
#define TILELAB_DPX_OF_WORDS(name, type, Word, Lane, f)                               \
  inline Word __vib##name##_##type(Word a, Word b, bool* is_a) {                      \
    namespace lanes = tilelab::emulator::lanes;                                       \
    const Word result = Word(lanes::apply<Lane>(lanes::f, unsigned(a), unsigned(b))); \
    *is_a = result == a;                                                              \
    return result;                                                                    \
  }
#define TILELAB_DPX_OF_HALVES(name, type, Lane, f)                                                \
  inline unsigned __vib##name##_##type(unsigned a, unsigned b, bool* high_is_a, bool* low_is_a) { \
    namespace lanes = tilelab::emulator::lanes;                                                   \
    const unsigned result = lanes::apply<Lane>(lanes::f, a, b);                                   \
    *high_is_a = result >> 16 == a >> 16;                                                         \
    *low_is_a = (result & 0xffff) == (a & 0xffff);                                                \
    return result;                                                                                \
  }
#define TILELAB_DPX_FUNCTIONS(name, f)                        \
  TILELAB_DPX(name, s32, int, std::int32_t, f)                \
  TILELAB_DPX(name, u32, unsigned, std::uint32_t, f)          \
  TILELAB_DPX(name, s16x2, unsigned, std::int16_t, f)         \
  TILELAB_DPX(name, u16x2, unsigned, std::uint16_t, f)        \
  TILELAB_DPX_RELU(name, s32, int, std::int32_t, f)           \
  TILELAB_DPX_RELU(name, s16x2, unsigned, std::int16_t, f)    \
  TILELAB_DPX_OF_WORDS(name, s32, int, std::int32_t, f)       \
  TILELAB_DPX_OF_WORDS(name, u32, unsigned, std::uint32_t, f) \
  TILELAB_DPX_OF_HALVES(name, s16x2, std::int16_t, f)         \
  TILELAB_DPX_OF_HALVES(name, u16x2, std::uint16_t, f)

TILELAB_DPX_FUNCTIONS(max, greatest)
TILELAB_DPX_FUNCTIONS(min, least)

#undef TILELAB_DPX_FUNCTIONS
#undef TILELAB_DPX_OF_HALVES
#undef TILELAB_DPX_OF_WORDS
#undef TILELAB_DPX_RELU
#undef TILELAB_DPX

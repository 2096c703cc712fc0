#pragma once

/// Conversions between 16-bit numbers and others that round in a given direction.

#include <cmath>
#include <cstdint>

#include "emulated/directed_rounding.h"
#include "emulated/float_functions.h"

namespace tilelab::emulator {

/// The next 16-bit number upwards or downwards: its bits are a sign and a magnitude.
inline std::uint16_t next_small(std::uint16_t bits, bool goes_up) {
  constexpr std::uint16_t sign = 0x8000;
  if ((bits & ~sign) == 0) return goes_up ? 1 : sign | 1;
  const bool is_negative = (bits & sign) != 0;
  return static_cast<std::uint16_t>(is_negative == goes_up ? bits - 1 : bits + 1);
}

/// Rounds a number that has more digits, which all integers of 64 bits fit in.
template <class Format>
std::uint16_t small_from(Rounding rounding, long double value) {
  const std::uint16_t near = Format::from_float(static_cast<float>(value));
  const long double rest = value - static_cast<long double>(Format::to_float(near));
  const bool goes_up = rounding == Rounding::up || (rounding == Rounding::toward_zero && value < 0);
  const bool is_wrong_side = goes_up ? rest > 0 : rest < 0;
  return is_wrong_side ? next_small(near, goes_up) : near;
}

/// Rounds to the nearest number, and to the even one of two, in one step.
template <class Format>
std::uint16_t nearest_small(long double value) {
  const std::uint16_t down = small_from<Format>(Rounding::down, value);
  const std::uint16_t up = small_from<Format>(Rounding::up, value);
  const std::uint16_t near = Format::from_float(static_cast<float>(value));
  const long double below = value - static_cast<long double>(Format::to_float(down));
  const long double above = static_cast<long double>(Format::to_float(up)) - value;
  if (std::isinf(above) || std::isinf(below) || below == above) return near;
  return below < above ? down : up;
}

}  // namespace tilelab::emulator

/// From another type: name_rn(), name_rz(), name_ru() and name_rd().
#define TILELAB_TO_SMALL(name, Other, Type, Raw, Format)                            \
  inline Type name##_rn(Other value) {                                              \
    return Raw{tilelab::emulator::nearest_small<tilelab::emulator::Format>(value)}; \
  }                                                                                 \
  TILELAB_TO_SMALL_DIRECTED(name, Other, Type, Raw, Format)

#define TILELAB_TO_SMALL_DIRECTED(name, Other, Type, Raw, Format)        \
  inline Type name##_rz(Other value) {                                   \
    return Raw{tilelab::emulator::small_from<tilelab::emulator::Format>( \
        tilelab::emulator::Rounding::toward_zero, value)};               \
  }                                                                      \
  inline Type name##_ru(Other value) {                                   \
    return Raw{tilelab::emulator::small_from<tilelab::emulator::Format>( \
        tilelab::emulator::Rounding::up, value)};                        \
  }                                                                      \
  inline Type name##_rd(Other value) {                                   \
    return Raw{tilelab::emulator::small_from<tilelab::emulator::Format>( \
        tilelab::emulator::Rounding::down, value)};                      \
  }

/// To an integer.
#define TILELAB_SMALL_TO_INTEGER(name, Type, Integer)                                          \
  inline Integer name##_rn(Type x) {                                                           \
    return tilelab::emulator::saturating_cast<Integer>(std::nearbyint(static_cast<float>(x))); \
  }                                                                                            \
  inline Integer name##_rz(Type x) {                                                           \
    return tilelab::emulator::saturating_cast<Integer>(std::trunc(static_cast<float>(x)));     \
  }                                                                                            \
  inline Integer name##_ru(Type x) {                                                           \
    return tilelab::emulator::saturating_cast<Integer>(std::ceil(static_cast<float>(x)));      \
  }                                                                                            \
  inline Integer name##_rd(Type x) {                                                           \
    return tilelab::emulator::saturating_cast<Integer>(std::floor(static_cast<float>(x)));     \
  }

/// All conversions of a type whose names call it `short_name`.
#define TILELAB_SMALL_CONVERSIONS(Type, short_name, Raw, Format)                                 \
  TILELAB_TO_SMALL_DIRECTED(__float2##short_name, float, Type, Raw, Format)                      \
  TILELAB_TO_SMALL(__int2##short_name, int, Type, Raw, Format)                                   \
  TILELAB_TO_SMALL(__uint2##short_name, unsigned, Type, Raw, Format)                             \
  TILELAB_TO_SMALL(__short2##short_name, short, Type, Raw, Format)                               \
  TILELAB_TO_SMALL(__ushort2##short_name, unsigned short, Type, Raw, Format)                     \
  TILELAB_TO_SMALL(__ll2##short_name, long long, Type, Raw, Format)                              \
  TILELAB_TO_SMALL(__ull2##short_name, unsigned long long, Type, Raw, Format)                    \
  TILELAB_SMALL_TO_INTEGER(__##short_name##2int, Type, int)                                      \
  TILELAB_SMALL_TO_INTEGER(__##short_name##2uint, Type, unsigned)                                \
  TILELAB_SMALL_TO_INTEGER(__##short_name##2short, Type, short)                                  \
  TILELAB_SMALL_TO_INTEGER(__##short_name##2ushort, Type, unsigned short)                        \
  TILELAB_SMALL_TO_INTEGER(__##short_name##2ll, Type, long long)                                 \
  TILELAB_SMALL_TO_INTEGER(__##short_name##2ull, Type, unsigned long long)                       \
  inline signed char __##short_name##2char_rz(Type x) {                                          \
    return tilelab::emulator::saturating_cast<signed char>(std::trunc(static_cast<float>(x)));   \
  }                                                                                              \
  inline unsigned char __##short_name##2uchar_rz(Type x) {                                       \
    return tilelab::emulator::saturating_cast<unsigned char>(std::trunc(static_cast<float>(x))); \
  }                                                                                              \
  inline Type __short_as_##short_name(short bits) {                                              \
    return Raw{static_cast<unsigned short>(bits)};                                               \
  }                                                                                              \
  inline short __##short_name##_as_short(Type value) { return static_cast<short>(value.bits); }

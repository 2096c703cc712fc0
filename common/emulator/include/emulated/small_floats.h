#pragma once

/// Floating-point numbers of 16 bits: what half and bfloat16 have in common. Each operation is done
/// in float and rounded once, as GPUs do.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "cuda_runtime.h"
#include "emulated/small_float_math.h"

namespace tilelab::emulator {

/// A number with a sign, `exponent_bits` and `fraction_bits`, which together take 16 bits.
template <int exponent_bits, int fraction_bits>
struct SmallFormat {
  static constexpr int bias = (1 << (exponent_bits - 1)) - 1;
  static constexpr std::uint32_t infinity = ((1u << exponent_bits) - 1) << fraction_bits;

  /// Rounds to the nearest number, and to the even one of two.
  static std::uint16_t from_float(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> 16 & 0x8000;
    const float magnitude = std::fabs(value);
    if (std::isnan(value)) return static_cast<std::uint16_t>(0x7fff);
    if (std::isinf(value)) return static_cast<std::uint16_t>(sign | infinity);
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    // The weight of the last bit that is kept.
    const int last = std::max(exponent - 1, 1 - bias) - fraction_bits;
    const float scaled = std::nearbyint(std::ldexp(magnitude, -last));
    const auto units = static_cast<std::uint32_t>(scaled);
    // A carry out of the fraction makes the exponent larger by itself.
    const int biased = std::max(exponent - 1, 1 - bias) + bias;
    const std::uint32_t result =
        units < 1u << fraction_bits
            ? units
            : (static_cast<std::uint32_t>(biased) << fraction_bits) + units - (1u << fraction_bits);
    return static_cast<std::uint16_t>(sign | (result < infinity ? result : infinity));
  }

  static float to_float(std::uint16_t number) {
    const std::uint32_t magnitude = number & 0x7fffu;
    const std::uint32_t fraction = magnitude & ((1u << fraction_bits) - 1);
    const int biased = static_cast<int>(magnitude >> fraction_bits);
    float value;
    if (magnitude >= infinity) {
      value = fraction != 0 ? NAN : INFINITY;
    } else if (biased == 0) {
      value = std::ldexp(static_cast<float>(fraction), 1 - bias - fraction_bits);
    } else {
      value = std::ldexp(static_cast<float>(fraction + (1u << fraction_bits)),
                         biased - bias - fraction_bits);
    }
    return (number & 0x8000) != 0 ? -value : value;
  }
};

}  // namespace tilelab::emulator

/// Defines a type and its pair, their operators, and the functions that both formats have under the
/// same name.
#define TILELAB_SMALL_FLOAT(Type, Pair, Raw, Format)                                           \
  struct Raw {                                                                                 \
    unsigned short x;                                                                          \
  };                                                                                           \
  struct alignas(2) Type {                                                                     \
    Type() = default;                                                                          \
    Type(Raw raw) : bits(raw.x) {}                                                             \
    Type(float value) : bits(tilelab::emulator::Format::from_float(value)) {}                  \
    Type(double value) : Type(static_cast<float>(value)) {}                                    \
    Type(int value) : Type(static_cast<float>(value)) {}                                       \
    Type(unsigned value) : Type(static_cast<float>(value)) {}                                  \
    Type(long value) : Type(static_cast<float>(value)) {}                                      \
    Type(unsigned long value) : Type(static_cast<float>(value)) {}                             \
    operator float() const { return tilelab::emulator::Format::to_float(bits); }               \
    operator Raw() const { return {bits}; }                                                    \
    unsigned short bits;                                                                       \
  };                                                                                           \
  struct alignas(4) Pair {                                                                     \
    Type x, y;                                                                                 \
  };                                                                                           \
  TILELAB_SMALL_OPERATOR(Type, Pair, +)                                                        \
  TILELAB_SMALL_OPERATOR(Type, Pair, -)                                                        \
  TILELAB_SMALL_OPERATOR(Type, Pair, *)                                                        \
  TILELAB_SMALL_OPERATOR(Type, Pair, /)                                                        \
  inline Type operator-(Type a) { return -static_cast<float>(a); }                             \
  inline Type __hadd(Type a, Type b) { return a + b; }                                         \
  inline Type __hsub(Type a, Type b) { return a - b; }                                         \
  inline Type __hmul(Type a, Type b) { return a * b; }                                         \
  inline Type __hdiv(Type a, Type b) { return a / b; }                                         \
  inline Type __hneg(Type a) { return -a; }                                                    \
  inline Type __habs(Type a) { return std::fabs(static_cast<float>(a)); }                      \
  inline Type __hmax(Type a, Type b) {                                                         \
    return std::fmax(static_cast<float>(a), static_cast<float>(b));                            \
  }                                                                                            \
  inline Type __hmin(Type a, Type b) {                                                         \
    return std::fmin(static_cast<float>(a), static_cast<float>(b));                            \
  }                                                                                            \
  inline Type __hfma(Type a, Type b, Type c) {                                                 \
    return std::fma(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c));      \
  }                                                                                            \
  inline bool __heq(Type a, Type b) { return static_cast<float>(a) == static_cast<float>(b); } \
  inline bool __hne(Type a, Type b) { return static_cast<float>(a) != static_cast<float>(b); } \
  inline bool __hlt(Type a, Type b) { return static_cast<float>(a) < static_cast<float>(b); }  \
  inline bool __hle(Type a, Type b) { return static_cast<float>(a) <= static_cast<float>(b); } \
  inline bool __hgt(Type a, Type b) { return static_cast<float>(a) > static_cast<float>(b); }  \
  inline bool __hge(Type a, Type b) { return static_cast<float>(a) >= static_cast<float>(b); } \
  inline bool __hisnan(Type a) { return std::isnan(static_cast<float>(a)); }                   \
  inline Pair __hadd2(Pair a, Pair b) { return {a.x + b.x, a.y + b.y}; }                       \
  inline Pair __hsub2(Pair a, Pair b) { return {a.x - b.x, a.y - b.y}; }                       \
  inline Pair __hmul2(Pair a, Pair b) { return {a.x * b.x, a.y * b.y}; }                       \
  inline Pair __h2div(Pair a, Pair b) { return {a.x / b.x, a.y / b.y}; }                       \
  inline Pair __hneg2(Pair a) { return {-a.x, -a.y}; }                                         \
  inline Pair __hmax2(Pair a, Pair b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }         \
  inline Pair __hmin2(Pair a, Pair b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }         \
  inline Pair __hfma2(Pair a, Pair b, Pair c) {                                                \
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};                                     \
  }                                                                                            \
  inline Type __ldg(const Type* address) { return *address; }                                  \
  TILELAB_SMALL_MATH(Type, Pair)                                                               \
  TILELAB_ATOMIC_SMALL(Type)                                                                   \
  TILELAB_ATOMIC_SMALL(Pair)                                                                   \
  TILELAB_SHUFFLES_SMALL(Type, unsigned short)                                                 \
  TILELAB_SHUFFLES_SMALL(Pair, unsigned)

#define TILELAB_SMALL_OPERATOR(Type, Pair, op)                                 \
  inline Type operator op(Type a, Type b) {                                    \
    return static_cast<float>(a) op static_cast<float>(b);                     \
  }                                                                            \
  inline Pair operator op(Pair a, Pair b) { return {a.x op b.x, a.y op b.y}; } \
  inline Type& operator op##=(Type& a, Type b) { return a = a op b; }          \
  inline Pair& operator op##=(Pair& a, Pair b) { return a = a op b; }

// CUDA makes no promise for both halves of a pair together. This does more.
#define TILELAB_ATOMIC_SMALL(Type)                                                         \
  inline Type atomicAdd(Type* address, Type value) {                                       \
    return tilelab::emulator::replace(address, [value](Type old) { return old + value; }); \
  }

#define TILELAB_SHUFFLES_SMALL(Type, Bits)                      \
  TILELAB_SHUFFLE_SMALL(__shfl_sync, int, Type, Bits)           \
  TILELAB_SHUFFLE_SMALL(__shfl_up_sync, unsigned, Type, Bits)   \
  TILELAB_SHUFFLE_SMALL(__shfl_down_sync, unsigned, Type, Bits) \
  TILELAB_SHUFFLE_SMALL(__shfl_xor_sync, int, Type, Bits)

#define TILELAB_SHUFFLE_SMALL(function, Operand, Type, Bits)                                   \
  inline Type function(unsigned mask, Type value, Operand operand, int width = 32,             \
                       tilelab::emulator::Site site = tilelab::emulator::Site::current()) {    \
    const unsigned bits = std::bit_cast<Bits>(value);                                          \
    return std::bit_cast<Type>(static_cast<Bits>(function(mask, bits, operand, width, site))); \
  }

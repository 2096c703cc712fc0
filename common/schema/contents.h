#pragma once

#include <bit>
#include <cstdint>

/// What the arrays of a recording hold before the first launch, for all who execute its kernels.
namespace tilelab::schema {

/// The kinds of contents, which schema::Array names.
enum class Contents : std::uint8_t {
  zeros,
  fractions,  ///< floats from 0 to 1
  bits,       ///< any bits
  scratch,    ///< zeros, where nobody looks for results
};

/// A word of an array. The bits look random: they are a hash of the address (the finalizer of
/// SplitMix64, https://prng.di.unimi.it/splitmix64.c).
/// @param address  where estimates have the word, a multiple of 4
inline std::uint32_t made_up_word(Contents contents, std::uint64_t address) {
  if (contents == Contents::zeros || contents == Contents::scratch) return 0;
  std::uint64_t x = (address >> 2U) + 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  const auto bits = static_cast<std::uint32_t>(x ^ (x >> 31U));
  if (contents == Contents::bits) return bits;
  return std::bit_cast<std::uint32_t>(static_cast<float>(bits >> 8U) * 0x1p-24F);
}

}  // namespace tilelab::schema

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

/// What the arrays of a recording hold before the first launch, for all who execute its kernels.
namespace tilelab::schema {

/// The kinds of contents, which schema::Array names.
enum class Contents : std::uint8_t {
  zeros,
  fractions,  ///< floats from 0 to 1
  units,      ///< whole floats from -2 to 2 without 0, so that their sums are exact
  bits,       ///< any bits
  scratch,    ///< zeros without exceptions, where nobody looks for results
};

/// Those that schema::Array calls so. Throws std::runtime_error for another name.
inline Contents contents_named(const std::string& name) {
  if (name == "zeros") return Contents::zeros;
  if (name == "fractions") return Contents::fractions;
  if (name == "units") return Contents::units;
  if (name == "bits") return Contents::bits;
  if (name == "scratch") return Contents::scratch;
  throw std::runtime_error("has unknown contents: " + name);
}

/// Bits that look random: the finalizer of SplitMix64 (https://prng.di.unimi.it/splitmix64.c).
inline std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// Zeros with a salt are not all 0, so that nobody knows what an array of them holds without
/// reading it: of 2048 stretches of this many bytes, one has a word that is not.
constexpr std::uint64_t zeros_stretch = 1U << 14U;

/// Where the word of a stretch is that is not 0; no word's address if there is none.
/// @param begin  a multiple of zeros_stretch
inline std::uint64_t exception_in_zeros(std::uint64_t begin, std::uint64_t salt) {
  constexpr std::uint64_t stretches = 2048, nowhere = 1;
  const std::uint64_t bits = mixed(begin + salt);
  if (salt == 0 || bits % stretches != 0) return nowhere;
  return begin + (bits >> 32U) % zeros_stretch / 4 * 4;
}

/// A word of an array. The bits are a hash of the address and the salt.
/// @param address  where estimates have the word, a multiple of 4
/// @param salt     a number that kernels do not know; 0 where none of them has a reason to guess
inline std::uint32_t made_up_word(Contents contents, std::uint64_t address, std::uint64_t salt) {
  if (contents == Contents::scratch) return 0;
  const bool is_zeros = contents == Contents::zeros;
  if (is_zeros && exception_in_zeros(address / zeros_stretch * zeros_stretch, salt) != address) {
    return 0;
  }
  const auto bits = static_cast<std::uint32_t>(mixed((address >> 2U) + 0x9e3779b97f4a7c15U + salt));
  if (is_zeros) return bits | 1U;
  if (contents == Contents::bits) return bits;
  if (contents == Contents::units) {
    const float magnitude = bits >> 31U == 0 ? 1 : 2;
    return std::bit_cast<std::uint32_t>((bits & 1U) == 0 ? magnitude : -magnitude);
  }
  return std::bit_cast<std::uint32_t>(static_cast<float>(bits >> 8U) * 0x1p-24F);
}

/// Calls `take(offset, word)` for each word of an array that may be other than 0.
/// @param bytes  a multiple of 4
template <class Take>
void for_each_made_up_word(Contents contents, std::uint64_t address, std::size_t bytes,
                           std::uint64_t salt, const Take& take) {
  if (contents == Contents::scratch) return;
  if (contents != Contents::zeros) {
    for (std::size_t at = 0; at < bytes; at += 4) {
      take(at, made_up_word(contents, address + at, salt));
    }
    return;
  }
  const std::uint64_t end = address + bytes;
  for (std::uint64_t begin = address / zeros_stretch * zeros_stretch; begin < end;
       begin += zeros_stretch) {
    const std::uint64_t found = exception_in_zeros(begin, salt);
    if (found >= address && found < end) take(found - address, made_up_word(contents, found, salt));
  }
}

}  // namespace tilelab::schema

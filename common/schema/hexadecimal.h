#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

/// Bytes as texts of two digits each.
namespace tilelab::schema {

/// The text of this many bytes.
inline std::string digits_of(const void* bytes, std::size_t count) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned char byte = static_cast<const unsigned char*>(bytes)[i];
    text += {digits[byte / 16], digits[byte % 16]};
  }
  return text;
}

/// The bytes of such a text. Throws std::runtime_error for another one.
inline std::vector<std::uint8_t> bytes_of(const std::string& digits) {
  std::vector<std::uint8_t> made(digits.size() / 2);
  bool is_wrong = digits.size() % 2 != 0;
  for (std::size_t i = 0; i < made.size(); ++i) {
    const char* const begin = digits.data() + 2 * i;
    is_wrong |= std::from_chars(begin, begin + 2, made[i], 16).ptr != begin + 2;
  }
  if (is_wrong) throw std::runtime_error("has bytes that are no hexadecimal digits");
  return made;
}

}  // namespace tilelab::schema

#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace tilelab::judge {

/// A JSON string literal of printable ASCII and escapes.
inline std::string json_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += {'\\', c};
    } else if (c >= 0x20 && c < 0x7f) {
      result += c;
    } else {
      char escaped[7];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned char>(c));
      result += escaped;
    }
  }
  return result + "\"";
}

}  // namespace tilelab::judge

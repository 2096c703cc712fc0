#include "report/json/json.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <iterator>

namespace tilelab::report {

std::string to_json(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += {'\\', c};
    } else if (static_cast<unsigned char>(c) >= 0x20) {
      result += c;
    } else {
      char escaped[7];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
      result += escaped;
    }
  }
  return result + "\"";
}

std::string to_json(double value) {
  if (!std::isfinite(value)) return "null";
  char digits[32];
  return {digits,
          std::to_chars(digits, std::end(digits), value, std::chars_format::general, 6).ptr};
}

}  // namespace tilelab::report

#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdio>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schema/fields.h"
#include "schema/map.h"

/// Values as JSON text. Every record can be one.
namespace tilelab::schema {

/// Adds values to a text.
class JsonWriter {
 public:
  /// Adds to this text.
  explicit JsonWriter(std::string& text) : text_(text) {}

  /// A string literal. Bytes of UTF-8 stay as they are; a reader must expect other bytes too.
  void write(std::string_view value) {
    text_ += '"';
    for (const char c : value) {
      if (c == '"' || c == '\\') {
        text_ += {'\\', c};
      } else if (static_cast<unsigned char>(c) >= 0x20) {
        text_ += c;
      } else {
        char escaped[7];
        std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
        text_ += escaped;
      }
    }
    text_ += '"';
  }
  void write(const std::string& value) { write(std::string_view(value)); }

  /// A number with six digits, which is more than a measurement has; null if it is not finite.
  void write(double value) {
    if (!std::isfinite(value)) {
      text_ += "null";
      return;
    }
    char digits[32];
    text_.append(digits,
                 std::to_chars(digits, std::end(digits), value, std::chars_format::general, 6).ptr);
  }

  void write(bool value) { text_ += value ? "true" : "false"; }

  template <std::integral T>
  void write(T value) {
    text_ += std::to_string(value);
  }

  template <class T>
  void write(const std::vector<T>& values) {
    write_list(values);
  }
  template <class T, std::size_t n>
  void write(const std::array<T, n>& values) {
    write_list(values);
  }

  template <class T>
  void write(const Map<T>& members) {
    Comma comma;
    text_ += '{';
    for (const auto& [name, value] : members) write_member(comma, name, value);
    text_ += '}';
  }

  /// An object. An event begins with its type. An empty optional is left out.
  template <IsRecord T>
  void write(const T& record) {
    Comma comma;
    text_ += '{';
    if constexpr (IsEvent<T>) write_member(comma, "type", T::event);
    for_each_field<T>(
        [&](const auto& field) { write_member(comma, field.name, record.*field.member); });
    text_ += '}';
  }

 private:
  /// What comes before each value but the first.
  struct Comma {
    const char* text = "";
    const char* next() { return std::exchange(text, ", "); }
  };

  template <class T>
  void write_member(Comma& comma, std::string_view name, const T& value) {
    text_ += comma.next();
    write(name);
    text_ += ": ";
    write(value);
  }
  template <class T>
  void write_member(Comma& comma, std::string_view name, const std::optional<T>& value) {
    if (value) write_member(comma, name, *value);
  }

  template <class Values>
  void write_list(const Values& values) {
    Comma comma;
    text_ += '[';
    for (const auto& value : values) {
      text_ += comma.next();
      write(value);
    }
    text_ += ']';
  }

  std::string& text_;
};

/// A value as JSON.
template <class T>
std::string to_json(const T& value) {
  std::string text;
  JsonWriter(text).write(value);
  return text;
}

}  // namespace tilelab::schema

#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "schema/fields.h"

/// Records from JSON text. Whatever the text is, it is read in one pass and nests no deeper than
/// the record does.
namespace tilelab::schema {

/// Takes values from the begin of a text. Throws std::runtime_error for anything else.
class JsonReader {
 public:
  /// Reads this text, which must live as long.
  explicit JsonReader(std::string_view text) : rest_(text) {}

  /// A string literal, in which only ASCII may be escaped by its number.
  void read(std::string& value) {
    expect('"');
    value.clear();
    for (char c = next(); c != '"'; c = next()) value += c == '\\' ? escaped() : c;
  }

  template <class T>
  requires(std::integral<T> || std::floating_point<T>) void read(T& value) {
    skip_space();
    // std::from_chars() would also take "inf" and "nan".
    const std::size_t first = rest_.starts_with('-') ? 1 : 0;
    const bool is_number = first < rest_.size() && rest_[first] >= '0' && rest_[first] <= '9';
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (!is_number || error != std::errc()) fail("a number that fits");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
  }

  template <class T, std::size_t n>
  void read(std::array<T, n>& values) {
    for (std::size_t i = 0; i < n; ++i) {
      expect(i == 0 ? '[' : ',');
      read(values[i]);
    }
    expect(']');
  }

  template <class T>
  void read(std::vector<T>& values) {
    values.clear();
    expect('[');
    if (takes(']')) return;
    do {
      read(values.emplace_back());
    } while (takes(','));
    expect(']');
  }

  /// The rest of an object whose type was read: exactly the record's fields, in any order.
  template <IsRecord T>
  void read_rest(T& record) {
    constexpr std::size_t count = std::tuple_size_v<std::remove_const_t<decltype(fields<T>)>>;
    std::array<bool, count> is_read{};
    std::string name;
    while (!takes('}')) {
      expect(',');
      read(name);
      expect(':');
      bool is_known = false;
      std::size_t i = 0;
      for_each_field<T>([&](const auto& field) {
        if (field.name == name) {
          read(record.*field.member);
          is_known = is_read[i] = true;
        }
        ++i;
      });
      if (!is_known) throw std::runtime_error("has the unknown field " + name);
    }
    std::size_t i = 0;
    for_each_field<T>([&](const auto& field) {
      if (!is_read[i++]) throw std::runtime_error("lacks the field " + std::string(field.name));
    });
  }

  /// The type of the event that is the text.
  std::string read_type() {
    std::string name, type;
    expect('{');
    read(name);
    expect(':');
    if (name != "type") throw std::runtime_error("does not begin with its type");
    read(type);
    return type;
  }

  /// Throws if there is more.
  void end() {
    skip_space();
    if (!rest_.empty()) fail("the end");
  }

 private:
  char peek() const { return rest_.empty() ? '\0' : rest_.front(); }

  char next() {
    if (rest_.empty()) fail("more");
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  void skip_space() {
    const std::size_t space = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(space == rest_.npos ? rest_.size() : space);
  }

  bool takes(char c) {
    skip_space();
    if (peek() != c || rest_.empty()) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!takes(c)) fail(std::string(1, c));
  }

  char escaped() {
    const char c = next();
    constexpr std::string_view names = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
    if (const std::size_t found = names.find(c); found != names.npos) return meant[found];
    unsigned code = 0x80;
    const std::string_view digits = rest_.substr(0, 4);
    const char* const end = digits.data() + digits.size();
    if (c != 'u' || digits.size() < 4 || std::from_chars(digits.data(), end, code, 16).ptr != end ||
        code >= 0x80) {
      fail("another escape");
    }
    rest_.remove_prefix(4);
    return static_cast<char>(code);
  }

  [[noreturn]] void fail(const std::string& expected) const {
    throw std::runtime_error("should have " + expected + " before '" +
                             std::string(rest_.substr(0, 20)) + "'");
  }

  std::string_view rest_;
};

/// Takes the event of this type, if the stream has one. @return whether it has
template <std::size_t i, class Stream>
bool take_event(JsonReader& reader, std::string_view type, Stream& event) {
  if (std::variant_alternative_t<i, Stream>::event != type) return false;
  reader.read_rest(event.template emplace<i>());
  return true;
}

/// The event of a stream, which is a std::variant, that a line has. Throws std::runtime_error if it
/// has none.
template <class Stream>
Stream event_in(std::string_view line) {
  JsonReader reader(line);
  const std::string type = reader.read_type();
  Stream event;
  const bool is_known = [&]<std::size_t... i>(std::index_sequence<i...>) {
    return (take_event<i>(reader, type, event) || ...);
  }
  (std::make_index_sequence<std::variant_size_v<Stream>>());
  if (!is_known) throw std::runtime_error("has the unknown type " + type);
  reader.end();
  return event;
}

}  // namespace tilelab::schema

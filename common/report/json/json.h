#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// Values as JSON text.
namespace tilelab::report {

/// A string literal. Bytes of UTF-8 stay as they are; a reader must expect other bytes too.
std::string to_json(std::string_view text);

/// A number with six digits, which is more than a measurement has; null if it is not finite.
std::string to_json(double value);

/// A whole number.
template <std::integral T>
requires(!std::same_as<T, bool>) std::string to_json(T value) { return std::to_string(value); }

/// A list.
template <class T>
std::string to_json(const std::vector<T>& values) {
  std::string text;
  for (const T& value : values) text += (text.empty() ? "" : ", ") + to_json(value);
  return "[" + text + "]";
}

/// An object that grows member by member.
class JsonObject {
 public:
  /// Adds a member. A key must not repeat.
  template <class T>
  JsonObject& add(std::string_view key, const T& value) {
    members_ += (members_.empty() ? "" : ", ") + to_json(key) + ": " + to_json(value);
    return *this;
  }

  /// The whole object.
  friend std::string to_json(const JsonObject& object) { return "{" + object.members_ + "}"; }

 private:
  std::string members_;
};

/// An object for each value, as `make` describes it.
template <class T>
std::vector<JsonObject> objects_of(const std::vector<T>& values,
                                   JsonObject (*make)(const std::type_identity_t<T>&)) {
  std::vector<JsonObject> objects;
  for (const T& value : values) objects.push_back(make(value));
  return objects;
}

}  // namespace tilelab::report

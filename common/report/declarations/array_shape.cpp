#include "report/declarations/array_shape.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <numeric>
#include <optional>
#include <string>

#include "report/declarations/words.h"

namespace tilelab::report {
namespace {

constexpr int deepest = 20;

using Value = std::optional<std::uint64_t>;

/// What comes after `name =` of a constant, or after `#define name`.
std::optional<std::string_view> definition_of(std::string_view text, std::string_view name) {
  const std::size_t at = find_word(text, name, 0);
  if (at == text.npos) return std::nullopt;
  const std::string_view before = text.substr(0, at), after = text.substr(at + name.size());
  const std::size_t hash = before.rfind('#');
  if (hash != before.npos && before.find('\n', hash) == before.npos) {
    return after.substr(0, after.find_first_of("/\n"));
  }
  const std::string_view value = without_spaces_before(after);
  if (!value.starts_with('=') || value.starts_with("==")) return std::nullopt;
  return value.substr(1, value.find_first_of(",;") - 1);
}

/// Works out sums and products of whole numbers and constants.
class Expression {
 public:
  Expression(std::string_view text, std::string_view words, int depth)
      : text_(text), rest_(words), depth_(depth) {}

  Value value() {
    const Value value = sum();
    skip_spaces();
    return rest_.empty() ? value : std::nullopt;
  }

 private:
  void skip_spaces() { rest_ = without_spaces_before(rest_); }

  bool take(char wanted) {
    skip_spaces();
    if (rest_.empty() || rest_[0] != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }

  Value sum() {
    Value value = product();
    while (value) {
      if (take('+')) {
        const Value other = product();
        value = other ? Value(*value + *other) : std::nullopt;
      } else if (take('-')) {
        const Value other = product();
        value = other && *other <= *value ? Value(*value - *other) : std::nullopt;
      } else {
        break;
      }
    }
    return value;
  }

  Value product() {
    Value value = factor();
    while (value) {
      if (take('*')) {
        const Value other = factor();
        value = other ? Value(*value * *other) : std::nullopt;
      } else if (take('/')) {
        const Value other = factor();
        value = other && *other > 0 ? Value(*value / *other) : std::nullopt;
      } else {
        break;
      }
    }
    return value;
  }

  Value factor() {
    if (take('(')) {
      const Value value = sum();
      return take(')') ? value : std::nullopt;
    }
    skip_spaces();
    const std::string_view word =
        rest_.substr(0, std::find_if_not(rest_.begin(), rest_.end(), is_in_word) - rest_.begin());
    rest_.remove_prefix(word.size());
    if (word.empty()) return std::nullopt;
    return std::isdigit(static_cast<unsigned char>(word[0])) != 0 ? number(word) : constant(word);
  }

  static Value number(std::string_view word) {
    const std::size_t digits = word.find_first_not_of("0123456789");
    if (word.size() > 9 ||
        word.find_first_not_of("uUlL", std::min(digits, word.size())) != word.npos)
      return std::nullopt;
    return std::stoull(std::string(word));
  }

  Value constant(std::string_view name) const {
    if (depth_ == deepest) return std::nullopt;
    const std::optional<std::string_view> words = definition_of(text_, name);
    return words ? Expression(text_, *words, depth_ + 1).value() : std::nullopt;
  }

  std::string_view text_;
  std::string_view rest_;
  int depth_;
};

}  // namespace

std::vector<std::uint64_t> lengths_in(std::string_view text, std::string_view brackets) {
  std::vector<std::uint64_t> lengths;
  while (brackets.starts_with('[')) {
    const std::size_t close = brackets.find(']');
    if (close == brackets.npos) return {};
    const Value length = Expression(text, brackets.substr(1, close - 1), 0).value();
    if (!length || *length == 0) return {};
    lengths.push_back(*length);
    brackets = without_spaces_before(brackets.substr(close + 1));
  }
  return lengths;
}

std::vector<std::uint64_t> array_shape(std::string_view text, std::string_view name,
                                       std::uint64_t bytes) {
  std::vector<std::uint64_t> shape;
  for (std::size_t at = 0; (at = find_word(text, "__shared__", at)) != text.npos; ++at) {
    // Other arrays may be declared in the same statement.
    const std::string_view statement = text.substr(at, text.find(';', at) - at);
    const std::size_t place = find_word(statement, name, 0);
    if (place == statement.npos) continue;
    const std::string_view after = without_spaces_before(statement.substr(place + name.size()));
    const std::vector<std::uint64_t> lengths = lengths_in(text, after);
    const auto all =
        std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{1}, std::multiplies());
    if (lengths.empty() || all > bytes || bytes % all != 0) continue;
    if (!shape.empty() && shape != lengths) return {};  // another kernel has one of this name
    shape = lengths;
  }
  return shape;
}

}  // namespace tilelab::report

#include "report/declarations/dynamic_array.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "report/declarations/array_shape.h"
#include "report/declarations/words.h"

namespace tilelab::report {
namespace {

/// Whoever wrote more may want to keep the reader busy.
constexpr std::size_t most_declarations = 100;

struct Declaration {
  DynamicArray array;
  unsigned first_line;  ///< Of its scope, from the declaration on.
  unsigned last_line;
};

/// The text with spaces in place of comments.
std::string without_comments(std::string_view text) {
  std::string result(text);
  for (std::size_t at = 0; (at = result.find('/', at)) != result.npos; ++at) {
    const bool is_line = result.compare(at, 2, "//") == 0;
    if (!is_line && result.compare(at, 2, "/*") != 0) continue;
    const std::size_t end = is_line ? result.find('\n', at) : result.find("*/", at + 2);
    const std::size_t last = end == result.npos ? result.size() : end + (is_line ? 0 : 2);
    for (; at < last; ++at) result[at] = result[at] == '\n' ? '\n' : ' ';
  }
  return result;
}

unsigned line_at(std::string_view text, std::size_t place) {
  return 1 + static_cast<unsigned>(std::ranges::count(text.substr(0, place), '\n'));
}

/// Where the block ends that the place is in; the text's end if it is in none.
std::size_t end_of_block(std::string_view text, std::size_t place) {
  int depth = 0;
  for (; place < text.size() && depth >= 0; ++place) {
    depth += (text[place] == '{' ? 1 : 0) - (text[place] == '}' ? 1 : 0);
  }
  return place;
}

/// The words, but for numbers and what is in parentheses.
std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    depth += (text[at] == '(' ? 1 : 0) - (text[at] == ')' ? 1 : 0);
    if (depth > 0 || !is_in_word(text[at])) continue;
    const std::size_t begin = at;
    while (at + 1 < text.size() && is_in_word(text[at + 1])) ++at;
    words.emplace_back(text.substr(begin, at + 1 - begin));
  }
  return words;
}

/// The size of a type that the words name among others; 0 if it is not known.
unsigned bytes_of_type(const std::vector<std::string>& words) {
  std::string type;
  for (const std::string& word : words) {
    constexpr const char* others[] = {"extern",  "__shared__", "const",     "volatile", "static",
                                      "alignas", "signed",     "__align__", "std"};
    if (std::ranges::find(others, word) == std::end(others))
      type += (type.empty() ? "" : " ") + word;
  }
  constexpr std::pair<const char*, unsigned> sizes[] = {{"char", 1},      {"unsigned char", 1},
                                                        {"uint8_t", 1},   {"int8_t", 1},
                                                        {"byte", 1},      {"bool", 1},
                                                        {"short", 2},     {"unsigned short", 2},
                                                        {"uint16_t", 2},  {"int16_t", 2},
                                                        {"half", 2},      {"__half", 2},
                                                        {"int", 4},       {"unsigned", 4},
                                                        {"uint", 4},      {"unsigned int", 4},
                                                        {"uint32_t", 4},  {"int32_t", 4},
                                                        {"float", 4},     {"half2", 4},
                                                        {"uchar4", 4},    {"double", 8},
                                                        {"long", 8},      {"unsigned long", 8},
                                                        {"long long", 8}, {"unsigned long long", 8},
                                                        {"size_t", 8},    {"uint64_t", 8},
                                                        {"int64_t", 8},   {"int2", 8},
                                                        {"uint2", 8},     {"float2", 8},
                                                        {"int4", 16},     {"uint4", 16},
                                                        {"float4", 16},   {"double2", 16},
                                                        {"float3", 12},   {"int3", 12}};
  const auto* const found =
      std::ranges::find_if(sizes, [&](const auto& one) { return one.first == type; });
  return found == std::end(sizes) ? 0 : found->second;
}

/// The declaration whose `__shared__` is at this place, if it is one of an array without bounds.
std::optional<Declaration> declaration_at(std::string_view text, std::size_t place) {
  const std::size_t before = text.find_last_of(";{}", place);
  const std::size_t begin = before == text.npos ? 0 : before + 1;
  const std::size_t end = std::min(text.find(';', place), text.size());
  const std::string_view statement = text.substr(0, end);
  const std::size_t word = find_word(statement, "extern", begin);
  const std::size_t bracket = statement.find('[', place);
  if (word == statement.npos || bracket == statement.npos) return std::nullopt;
  const std::string_view bounds = without_spaces_before(statement.substr(bracket + 1));
  if (!bounds.starts_with(']')) return std::nullopt;
  const std::string_view rows = without_spaces_before(bounds.substr(1));
  if (!rows.empty() && !rows.starts_with('[')) return std::nullopt;
  const std::size_t first = std::min(word, place);
  std::vector<std::string> words = words_in(text.substr(first, bracket - first));
  if (words.size() < 3) return std::nullopt;
  const std::string name = std::move(words.back());
  words.pop_back();
  return Declaration{{name, bytes_of_type(words), lengths_in(text, rows)},
                     line_at(text, first),
                     line_at(text, end_of_block(text, end))};
}

}  // namespace

std::optional<DynamicArray> dynamic_array(std::string_view text, unsigned line) {
  const std::string code = without_comments(text);
  std::vector<DynamicArray> all, near;
  for (std::size_t at = 0; (at = find_word(code, "__shared__", at)) != code.npos; ++at) {
    const std::optional<Declaration> found = declaration_at(code, at);
    if (!found) continue;
    all.push_back(found->array);
    if (all.size() > most_declarations) return std::nullopt;
    if (found->first_line <= line && line <= found->last_line) near.push_back(found->array);
  }
  const std::vector<DynamicArray>& candidates = near.empty() ? all : near;
  const bool are_alike =
      std::ranges::adjacent_find(candidates, std::not_equal_to()) == candidates.end();
  return candidates.empty() || !are_alike ? std::nullopt : std::optional(candidates.front());
}

}  // namespace tilelab::report

#include "report/declarations/indexed_array.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "report/declarations/array_shape.h"
#include "report/declarations/words.h"

namespace tilelab::report {
namespace {

std::string_view line_of(std::string_view text, unsigned line) {
  for (; line > 1; --line) {
    const std::size_t end = text.find('\n');
    if (end == text.npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

/// The words that come before a bracket.
std::set<std::string_view> indexed_words(std::string_view line) {
  std::set<std::string_view> words;
  for (std::size_t at = 0; (at = line.find('[', at)) != line.npos; ++at) {
    const std::string_view before = line.substr(0, at);
    const std::size_t end = before.find_last_not_of(" \t") + 1;
    std::size_t begin = end;
    while (begin > 0 && is_in_word(before[begin - 1])) --begin;
    if (begin < end) words.insert(before.substr(begin, end - begin));
  }
  return words;
}

/// Whether what comes before a name can be a type, or another name that it declares.
bool may_declare(std::string_view before) {
  const std::size_t last = before.find_last_not_of(" \t\r\n");
  if (last == before.npos || last + 1 == before.size()) return false;
  return is_in_word(before[last]) || before[last] == ',' || before[last] == '>';
}

/// By how many more dimensions than `lengths` a text declares a name with them as its last ones;
/// -1 if it does not.
int more_dimensions(std::string_view text, std::string_view name,
                    const std::vector<std::uint64_t>& lengths) {
  for (std::size_t at = 0; (at = find_word(text, name, at)) != text.npos; ++at) {
    const std::string_view after = without_spaces_before(text.substr(at + name.size()));
    if (!after.starts_with('[') || !may_declare(text.substr(0, at))) continue;
    const std::vector<std::uint64_t> declared = lengths_in(text, after);
    if (declared.size() < lengths.size()) continue;
    if (std::equal(lengths.rbegin(), lengths.rend(), declared.rbegin())) {
      return static_cast<int>(declared.size() - lengths.size());
    }
  }
  return -1;
}

}  // namespace

std::string indexed_array(std::string_view text, unsigned line, std::string_view type) {
  const std::size_t bracket = type.find('[');
  if (bracket == type.npos) return "";
  const std::vector<std::uint64_t> lengths = lengths_in("", type.substr(bracket));
  std::string found;
  for (const std::string_view word : indexed_words(line_of(text, line))) {
    const int more = more_dimensions(text, word, lengths);
    if (more < 0 || lengths.empty()) continue;
    if (!found.empty()) return "";
    found = (more > 0 ? "a row of " : "") + std::string(word);
  }
  return found;
}

}  // namespace tilelab::report

#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tilelab::judge {

/// Where one run's output is not what was expected.
struct Differences {
  std::size_t size = 0;                ///< elements in all
  std::vector<std::size_t> wrong;      ///< ascending
  std::vector<std::size_t> unwritten;  ///< those of `wrong` that still hold what lay there before
};

/// What the failures have in common: a sentence, and the id under which a lab may keep a hint.
/// Both are empty where nothing stands out.
struct Pattern {
  std::string id;        ///< as in `[hints]` of lab.toml
  std::string sentence;  ///< for the student
};

/// @param differences  with at least one wrong element
Pattern find_pattern(const Differences& differences);

/// The pattern of a result that is right, or wrong elsewhere, in other runs of the same input.
Pattern order_dependence();

}  // namespace tilelab::judge

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "judge/events.h"

namespace tilelab::judge {

/// Where one run's output is not what was expected.
struct Differences {
  std::size_t size = 0;            ///< The output has this many elements.
  std::vector<std::size_t> wrong;  ///< The indices of the wrong elements, in ascending order.
  /// The wrong elements that still hold what was there before.
  std::vector<std::size_t> unwritten;
  /// Whether what was there before is the function's input, and not noise.
  bool is_inout = false;
};

/// What the wrong elements have in common. Both members are empty if nothing stands out.
struct Pattern {
  std::string id;        ///< A lab may keep a hint under this id, in `[hints]` of lab.toml.
  std::string sentence;  ///< This tells the student what the elements have in common.
};

/// Looks for what the wrong elements have in common. There must be at least one.
Pattern find_pattern(const Differences& differences);

/// The pattern of results that differ between runs of the same input.
Pattern order_dependence();

/// While this object lives, no two threads race, and messages about wrong results say so.
class NoRaces {
 public:
  NoRaces();
  ~NoRaces();
  NoRaces(const NoRaces&) = delete;
  NoRaces& operator=(const NoRaces&) = delete;
};

/// The pattern of results that were copied from memory that nobody wrote.
/// @param what  begins the sentence
Pattern read_of_nothing(const std::string& what);

/// What a wrong output tells the student.
/// @param differences  which elements are wrong
/// @param pattern      what they have in common
/// @param output       the name of the array
/// @param place        the first wrong element, as "[3]"
/// @param expected     the value that it should have
/// @param got          the value that it has
Message wrong_result(const Differences& differences, const Pattern& pattern,
                     const std::string& output, const std::string& place,
                     const std::string& expected, const std::string& got);

/// What a wrong value that a function returned tells the student.
/// @param function  the function's name
/// @param pattern   what is known of it; its id may be ""
/// @param expected  the value that it should have returned
/// @param got       the value that it returned
Message wrong_value(const std::string& function, const Pattern& pattern,
                    const std::string& expected, const std::string& got);

}  // namespace tilelab::judge

#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contract/poison.h"
#include "judge/calls/arguments.h"
#include "judge/catch.h"
#include "judge/checks/differences.h"
#include "judge/checks/errors.h"
#include "judge/events.h"

namespace tilelab {
namespace judge {

/// Whether an element has the bytes that were there before the run. They are compared as bytes,
/// because noise may be a NaN.
template <class T>
bool holds_noise(const typename Output<T>::Run& run, std::size_t i) {
  return std::memcmp(&run.values[i], &run.poison[i], sizeof(T)) == 0;
}

/// Whether a result can equal the noise by chance: one byte does in 1 of 256 cases.
template <class T>
inline constexpr bool can_equal_noise = sizeof(T) < sizeof(int);

/// Whether a run did not write an element. An element that can equal the noise must do so in all
/// runs, because each has its own noise.
template <class T>
bool is_unwritten(const Output<T>& output, const typename Output<T>::Run& run, std::size_t i) {
  if constexpr (can_equal_noise<T>) {
    return std::all_of(output.runs().begin(), output.runs().end(),
                       [&](const auto& other) { return holds_noise<T>(other, i); });
  } else {
    return holds_noise<T>(run, i);
  }
}

/// Finds the elements of a run that `right` refuses.
template <class T>
Differences find_differences(const Output<T>& output, const typename Output<T>::Run& run,
                             std::span<const T> expected,
                             const std::function<bool(const T&, const T&)>& right) {
  Differences differences;
  differences.size = expected.size();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (right(run.values[i], expected[i])) continue;
    differences.wrong.push_back(i);
    if (is_unwritten(output, run, i)) differences.unwritten.push_back(i);
  }
  // A few of many wrong elements are chance.
  constexpr std::size_t by_chance = 8;
  if (can_equal_noise<T> && by_chance * differences.unwritten.size() < differences.wrong.size()) {
    differences.unwritten.clear();
  }
  return differences;
}

/// Whether a value is, or has a member that is, what the emulator puts where nobody wrote.
template <class T>
bool is_poison(const T& value) {
  std::uint32_t words[sizeof(T) < 4 ? 1 : sizeof(T) / 4] = {};
  if constexpr (sizeof(T) >= 4) std::memcpy(words, &value, sizeof words);
  return std::find(std::begin(words), std::end(words), poison_word) != std::end(words);
}

/// Whether all wrong elements were copied from memory that nobody wrote.
template <class T>
bool come_from_nowhere(const typename Output<T>::Run& run, const Differences& differences) {
  return std::all_of(differences.wrong.begin(), differences.wrong.end(),
                     [&](std::size_t i) { return is_poison(run.values[i]); });
}

/// Shows a wrong element. The number that uninitialized memory holds means nothing to a student.
template <class T>
std::string show_wrong(const typename Output<T>::Run& run, const Differences& differences,
                       std::size_t i) {
  if (std::binary_search(differences.unwritten.begin(), differences.unwritten.end(), i)) {
    return "nothing (it was not written)";
  }
  return is_poison(run.values[i]) ? "a value from memory that nobody wrote" : show(run.values[i]);
}

/// Whether an element that was written is wrong in one run and differs in another.
template <class T>
bool depends_on_order(const Output<T>& output, const std::vector<Differences>& per_run) {
  for (std::size_t r = 0; r < per_run.size(); ++r) {
    for (const std::size_t i : per_run[r].wrong) {
      if (std::binary_search(per_run[r].unwritten.begin(), per_run[r].unwritten.end(), i)) continue;
      for (const typename Output<T>::Run& other : output.runs()) {
        if (std::memcmp(&other.values[i], &output.runs()[r].values[i], sizeof(T)) != 0) return true;
      }
    }
  }
  return false;
}

}  // namespace judge

/// What makes an element right, and how messages speak of elements.
template <class T>
struct Rule {
  /// Whether `got` is right where `expected` is. It must refuse a NaN that is not expected.
  std::function<bool(const T& got, const T& expected)> right;
  /// Shows an index in the problem's own coordinates, as "[3]" or "(i=1, j=2, k=0)".
  std::function<std::string(std::size_t)> place = [](std::size_t i) {
    return std::string("[").append(judge::show(i)).append("]");
  };
  /// Looks for a pattern that only this problem has. If it finds none, the general ones are tried.
  std::function<judge::Pattern(const judge::Differences&)> pattern = [](const auto&) {
    return judge::Pattern{};
  };
};

/// Fails the test unless every element of every run is right. The message says which element is
/// wrong, what the wrong ones have in common, and whether the order of the threads matters. Returns
/// whether all are right.
template <class T>
bool check_elements(const Output<T>& output, std::span<const T> expected, const Rule<T>& rule) {
  if (!output.runs().empty()) {
    judge::report_errors<T>(output.name(), output.runs().front().values, expected);
  }
  std::vector<judge::Differences> per_run;
  std::optional<std::size_t> failed;
  for (const typename Output<T>::Run& run : output.runs()) {
    per_run.push_back(judge::find_differences<T>(output, run, expected, rule.right));
    if (!failed && !per_run.back().wrong.empty()) failed = per_run.size() - 1;
  }
  if (!failed) {
    SUCCEED();
    return true;
  }
  const judge::Differences& differences = per_run[*failed];
  const std::size_t first = differences.wrong.front();
  const typename Output<T>::Run& run = output.runs()[*failed];
  judge::Pattern pattern;
  if (judge::depends_on_order(output, per_run)) pattern = judge::order_dependence();
  if (pattern.id.empty() && judge::come_from_nowhere<T>(run, differences)) {
    pattern = judge::read_of_nothing();
  }
  if (pattern.id.empty()) pattern = rule.pattern(differences);
  if (pattern.id.empty()) pattern = judge::find_pattern(differences);
  judge::fail(judge::wrong_result(differences, pattern, output.name(), rule.place(first),
                                  judge::show(expected[first]),
                                  judge::show_wrong<T>(run, differences, first)));
  return false;
}

/// Checks results that have to be exact.
template <class T>
bool check_equal(const Output<T>& output, const std::vector<T>& expected) {
  return check_elements<T>(output, expected,
                           Rule<T>{[](const T& a, const T& b) { return a == b; }});
}

}  // namespace tilelab

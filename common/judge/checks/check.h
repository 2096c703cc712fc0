#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "contract/poison.h"
#include "judge/calls/arguments.h"
#include "judge/catch.h"
#include "judge/checks/differences.h"
#include "judge/checks/errors.h"
#include "judge/checks/last_store.h"
#include "judge/events.h"

namespace tilelab {
namespace judge {

/// Whether an element has the bytes that were there before the run. They are compared as bytes,
/// because noise may be a NaN.
template <class T>
bool holds_noise(const typename Output<T>::Run& run, std::size_t i) {
  return std::memcmp(&run.values[i], &run.before[i], sizeof(T)) == 0;
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
  differences.is_inout = output.is_inout();
  // A few of many wrong elements are chance.
  constexpr std::size_t by_chance = 8;
  const bool can_be_chance = can_equal_noise<T> || output.is_inout();
  if (can_be_chance && by_chance * differences.unwritten.size() < differences.wrong.size()) {
    differences.unwritten.clear();
  }
  return differences;
}

/// Whether a T has fields, and bytes that belong to none.
template <class T>
constexpr bool has_padding() {
  return has_fields<T>() && bytes_of_numbers<T>() != sizeof(T);
}

/// Whether two runs wrote different bytes to an element, which begins as noise.
template <class T>
bool wrote_differently(const typename Output<T>::Run& a, const typename Output<T>::Run& b,
                       std::size_t i) {
  if constexpr (has_padding<T>()) {
    return !(holds_noise<T>(a, i) && holds_noise<T>(b, i)) && !equal(a.values[i], b.values[i]);
  }
  const auto byte = [&](const std::vector<T>& values, std::size_t k) {
    return std::as_bytes(std::span(values))[i * sizeof(T) + k];
  };
  for (std::size_t k = 0; k < sizeof(T); ++k) {
    const bool is_noise =
        byte(a.values, k) == byte(a.before, k) && byte(b.values, k) == byte(b.before, k);
    if (!is_noise && byte(a.values, k) != byte(b.values, k)) return true;
  }
  return false;
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
    return differences.is_inout ? show(run.values[i]) + " (as before the call)"
                                : "nothing (it was not written)";
  }
  return is_poison(run.values[i]) ? "a value from memory that nobody wrote" : show(run.values[i]);
}

/// Whether an element that was written is wrong in one run and differs in another. Where all runs
/// start from the same contents, it may be one that was not written.
template <class T>
bool depends_on_order(const Output<T>& output, const std::vector<Differences>& per_run) {
  for (std::size_t r = 0; r < per_run.size(); ++r) {
    const std::vector<std::size_t>& unwritten = per_run[r].unwritten;
    for (const std::size_t i : per_run[r].wrong) {
      const bool is_noise =
          !output.is_inout() && std::binary_search(unwritten.begin(), unwritten.end(), i);
      if (is_noise) continue;
      for (const typename Output<T>::Run& other : output.runs()) {
        if (wrote_differently<T>(output.runs()[r], other, i)) return true;
      }
    }
  }
  return false;
}

/// The wrong elements of one run, with what they hold and what they should hold.
template <class T>
struct WrongElements : Differences {
  std::span<const T> got;       ///< All elements of the output.
  std::span<const T> expected;  ///< What they should be.

  /// Whether holds(i, got, expected) is true for each wrong element: its index, what it holds, and
  /// what it should hold.
  template <class Holds>
  bool all(Holds holds) const {
    return std::all_of(wrong.begin(), wrong.end(),
                       [&](std::size_t i) { return holds(i, got[i], expected[i]); });
  }
};

/// Looks for what the wrong elements of a T have in common.
template <class T>
using FindPattern = std::function<Pattern(const WrongElements<T>&)>;

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
  judge::FindPattern<T> pattern = [](const auto&) { return judge::Pattern{}; };
};

namespace judge {

/// The first run that is not right, and what its wrong elements have in common.
template <class T>
struct FailedRun {
  const typename Output<T>::Run& run;  ///< The first that is wrong.
  WrongElements<T> elements;           ///< What is wrong in it.
  Pattern pattern;                     ///< One that is not general, if there is any.
};

/// Compares all runs with what was expected. `what` begins a sentence about a wrong element.
template <class T>
std::optional<FailedRun<T>> find_failed_run(const Output<T>& output, std::span<const T> expected,
                                            const Rule<T>& rule, const std::string& what) {
  if (!output.runs().empty()) {
    report_errors<T>(output.name(), output.runs().front().values, expected);
  }
  std::vector<Differences> per_run;
  std::optional<std::size_t> failed;
  for (const typename Output<T>::Run& run : output.runs()) {
    per_run.push_back(find_differences<T>(output, run, expected, rule.right));
    if (!failed && !per_run.back().wrong.empty()) failed = per_run.size() - 1;
  }
  if (!failed) return std::nullopt;
  const typename Output<T>::Run& run = output.runs()[*failed];
  FailedRun<T> found{run, {per_run[*failed], run.values, expected}, {}};
  if (depends_on_order(output, per_run)) found.pattern = order_dependence();
  if (found.pattern.id.empty() && come_from_nowhere<T>(run, found.elements)) {
    found.pattern = read_of_nothing(what);
  }
  if (found.pattern.id.empty()) found.pattern = rule.pattern(found.elements);
  return found;
}

}  // namespace judge

/// Fails the test unless every element of every run is right. The message says which element is
/// wrong, what the wrong ones have in common, and whether the order of the threads matters. Returns
/// whether all are right.
template <class T>
bool check_elements(const Output<T>& output, std::span<const std::type_identity_t<T>> expected,
                    const Rule<T>& rule) {
  const auto failed = judge::find_failed_run<T>(output, expected, rule, "What was written there");
  if (!failed) {
    SUCCEED();
    return true;
  }
  const auto& [run, elements, own] = *failed;
  const std::size_t first = elements.wrong.front();
  judge::Message message = judge::wrong_result(
      elements, own.id.empty() ? judge::find_pattern(elements) : own, output.name(),
      rule.place(first), judge::show(expected[first]), judge::show_wrong<T>(run, elements, first));
  const std::span<const T> wrong(&run.values[first], 1);
  message.store =
      judge::last_store(output.name(), first * sizeof(T), std::as_bytes(wrong), message);
  judge::fail(message);
  return false;
}

/// Checks results that have to be exact.
/// @param output    what the calls left
/// @param expected  what each of them should have left
/// @param pattern   may look for a pattern that only this problem has
template <class T>
bool check_equal(const Output<T>& output, const std::vector<T>& expected,
                 std::type_identity_t<judge::FindPattern<T>> pattern = Rule<T>{}.pattern) {
  Rule<T> rule;
  rule.right = judge::equal<T>;
  rule.pattern = std::move(pattern);
  return check_elements<T>(output, expected, rule);
}

/// Fails the test unless the function returned the right value in every run. Returns whether it
/// did.
template <class T>
bool check_returned(const Returned<T>& returned, const std::type_identity_t<T>& expected,
                    const Rule<T>& rule) {
  const auto failed = judge::find_failed_run<T>(returned, std::span(&expected, 1), rule, "It");
  if (!failed) {
    SUCCEED();
    return true;
  }
  const T& got = failed->run.values.front();
  judge::fail(judge::wrong_value(
      returned.name(), failed->pattern, judge::show(expected),
      judge::is_poison(got) ? "a value from memory that nobody wrote" : judge::show(got)));
  return false;
}

/// Checks a value that has to be exact.
template <class T>
bool check_returned(const Returned<T>& returned, const std::type_identity_t<T>& expected) {
  Rule<T> rule;
  rule.right = judge::equal<T>;
  return check_returned(returned, expected, rule);
}

}  // namespace tilelab

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "judge/calls/random.h"
#include "judge/catch.h"
#include "judge/estimated/estimated_call.h"
#include "judge/events.h"
#include "judge/values/values.h"
#include "schema/contents.h"

namespace tilelab {
namespace judge {

/// What an array holds before the call.
template <class T>
std::vector<T> made_up(const schema::Array& array, std::uint64_t salt) {
  std::vector<T> elements(array.bytes / sizeof(T));
  auto* const begin = reinterpret_cast<std::byte*>(elements.data());
  schema::for_each_made_up_word(
      schema::contents_named(array.contents), array.address, elements.size() * sizeof(T) / 4 * 4,
      salt,
      [&](std::size_t at, std::uint32_t word) { std::memcpy(begin + at, &word, sizeof word); });
  return elements;
}

}  // namespace judge

/// What should be in an element, nothing if what is there is right.
template <class T>
std::optional<T> correction(bool is_right, const T& expected) {
  return is_right ? std::nullopt : std::optional(expected);
}

/// An output of a call at the size whose time is estimated, with the elements that kernels stored.
template <class T>
class StoredElements {
 public:
  /// @param name   messages call the array by this name
  /// @param array  says where it is, and what it holds at first
  /// @param call   has what was stored
  StoredElements(std::string name, const schema::Array& array, const judge::EstimatedCall& call)
      : name_(std::move(name)),
        before_(judge::made_up<T>(array, call.salt)),
        values_(before_),
        is_stored_(values_.size()) {
    // Of an element that blocks stored, words may be left out that are as before.
    store(call.stored, array.address, Counts::in_part);
    forget_unchanged();
    store(call.left, array.address, Counts::as_a_whole);
  }

  /// What the array holds before the call.
  const std::vector<T>& before() const { return before_; }

  /// Fails the test if one of the elements is wrong, or none is known.
  /// @param correction  correction(i, got) is what should be at [i], or nothing if `got` is right
  /// @param most        this many elements are drawn, if there are more
  template <class Correction>
  void check(const Correction& correction,
             std::size_t most = std::numeric_limits<std::size_t>::max()) const {
    const std::vector<std::size_t> all = stored();
    if (all.empty()) judge::fail({"its kernels store no results in " + name_ + "."});
    Random random(all.size());
    for (std::size_t k = 0; k < std::min(most, all.size()); ++k) {
      const std::size_t i = most < all.size() ? all[random.below(all.size())] : all[k];
      const std::optional<T> expected = correction(i, values_[i]);
      if (!expected) continue;
      judge::fail({"its kernels store wrong results: " + name_ + "[" + std::to_string(i) + "] is " +
                   judge::show(values_[i]) + ", not " + judge::show(*expected) + "."});
      return;
    }
    SUCCEED();
  }

 private:
  /// Whether an element counts of which only a part is there.
  enum class Counts { in_part, as_a_whole };

  void store(const std::vector<judge::EstimatedCall::Bytes>& all, std::uint64_t begin,
             Counts counts) {
    for (const judge::EstimatedCall::Bytes& one : all) {
      const std::uint64_t offset = one.address - begin;
      if (offset < values_.size() * sizeof(T)) store(offset, one.values, counts);
    }
  }

  void store(std::size_t offset, const std::vector<std::uint8_t>& bytes, Counts counts) {
    const std::size_t count = std::min(bytes.size(), values_.size() * sizeof(T) - offset);
    std::memcpy(reinterpret_cast<std::byte*>(values_.data()) + offset, bytes.data(), count);
    const std::size_t before = counts == Counts::in_part ? 0 : sizeof(T) - 1;
    const std::size_t after = sizeof(T) - 1 - before;
    const std::size_t end = (offset + count + after) / sizeof(T);
    for (std::size_t i = (offset + before) / sizeof(T); i < end; ++i) is_stored_[i] = true;
  }

  /// Where blocks store a part of a word, they leave the remainder as it was.
  void forget_unchanged() {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (std::memcmp(&values_[i], &before_[i], sizeof(T)) == 0) is_stored_[i] = false;
    }
  }

  /// The indices of the elements that are known.
  std::vector<std::size_t> stored() const {
    std::vector<std::size_t> made;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (is_stored_[i]) made.push_back(i);
    }
    return made;
  }

  std::string name_;
  std::vector<T> before_;
  std::vector<T> values_;
  std::vector<bool> is_stored_;
};

}  // namespace tilelab

#include "judge/checks/differences.h"

#include <algorithm>
#include <sstream>

namespace tilelab::judge {
namespace {

/// The largest power of two, up to the largest block, by which all indices leave the same
/// remainder.
std::size_t common_stride(const std::vector<std::size_t>& indices) {
  for (std::size_t stride = 1024; stride >= 2; stride /= 2) {
    const std::size_t remainder = indices.front() % stride;
    if (std::all_of(indices.begin(), indices.end(),
                    [&](std::size_t i) { return i % stride == remainder; })) {
      return stride;
    }
  }
  return 1;
}

bool is_tail(const Differences& d, const std::vector<std::size_t>& indices) {
  return indices.size() < d.size && indices.front() == d.size - indices.size();
}

std::string count_of(std::size_t count, std::size_t all) {
  std::ostringstream text;
  text << count << " of " << all << (all == 1 ? " element" : " elements");
  return text.str();
}

const char* was(std::size_t count) { return count == 1 ? " was" : " were"; }

Pattern unwritten_pattern(const Differences& d) {
  // An element that still holds what it held may have been written with the same value.
  const char* never_written = d.is_inout ? " not changed" : " never written";
  std::ostringstream text;
  if (d.unwritten.size() == d.size) {
    return {"never_written", d.is_inout ? "No element was changed." : "No element was written."};
  }
  if (is_tail(d, d.unwritten)) {
    text << "The last " << count_of(d.unwritten.size(), d.size) << was(d.unwritten.size())
         << never_written << ": does the grid cover all of them?";
    return {"tail_unwritten", text.str()};
  }
  if (d.unwritten.size() == 1 && d.unwritten.front() == 0) {
    text << "Element 0 was" << never_written << ".";
    return {"first_unwritten", text.str()};
  }
  text << count_of(d.unwritten.size(), d.size) << was(d.unwritten.size()) << never_written << ".";
  return {"some_unwritten", text.str()};
}

constexpr std::size_t warp = 32;

/// Whether it is no coincidence that places are so far apart: two of 32 often are.
bool is_telling(std::size_t stride, const std::vector<std::size_t>& places) {
  constexpr std::size_t enough = 3;
  const bool begins_there = places.front() % stride == 0;
  return stride >= warp && (places.size() >= enough || (places.size() == 2 && begins_there));
}

Pattern wrong_pattern(const Differences& d) {
  std::ostringstream text;
  if (d.wrong.size() == d.size) return {"all_wrong", d.size > 1 ? "Every element is wrong." : ""};
  if (d.wrong.size() == 1 && d.wrong.front() == 0) {
    return {"first_wrong", "Only element 0 is wrong."};
  }
  if (const std::size_t stride = common_stride(d.wrong); is_telling(stride, d.wrong)) {
    const std::size_t remainder = d.wrong.front() % stride;
    text << "The index of each wrong element is a multiple of " << stride;
    if (remainder > 0) text << " plus " << remainder;
    text << ": these are the edges of " << (stride == warp ? "warps, " : "") << "blocks or tiles.";
    return {"block_edges", text.str()};
  }
  if (d.wrong.size() == d.size - 1 && d.wrong.front() == 1) {
    return {"all_wrong", "Every element but the first is wrong."};
  }
  if (is_tail(d, d.wrong) && 2 * d.wrong.size() > d.size) {
    text << "Every element from index " << d.wrong.front() << " on is wrong.";
    // A block that uses the wrong part of the input often follows one that uses the right one.
    return {d.wrong.front() % 32 == 0 ? "later_blocks" : "tail_wrong", text.str()};
  }
  if (is_tail(d, d.wrong)) {
    return {"tail_wrong", d.wrong.size() == 1 ? "It is the last one." : "They are the last ones."};
  }
  return {};
}

bool races_are_excluded = false;

}  // namespace

NoRaces::NoRaces() { races_are_excluded = true; }
NoRaces::~NoRaces() { races_are_excluded = false; }

Pattern find_pattern(const Differences& differences) {
  return differences.unwritten.empty() ? wrong_pattern(differences)
                                       : unwritten_pattern(differences);
}

Pattern order_dependence() {
  return {"order",
          "The result changes with the order in which the threads run. Does one thread read what "
          "another writes with no barrier between them, or do two write the same element?"};
}

Pattern read_of_nothing(const std::string& what) {
  return {"uninitialized_read",
          what +
              " came from memory that nobody had written: a slot of a __shared__ array, or an "
              "array that your code allocated."};
}

Message wrong_result(const Differences& differences, const Pattern& pattern,
                     const std::string& output, const std::string& place,
                     const std::string& expected, const std::string& got) {
  const std::string sentence = pattern.sentence.empty() ? "" : " " + pattern.sentence;
  const std::string wrong =
      output + " is wrong at " + count_of(differences.wrong.size(), differences.size) + ".";
  const std::string first =
      " First: " + output + place + ", expected " + expected + ", got " + got + ".";
  Message message(wrong + first + sentence, pattern.id);
  message.summary = wrong + sentence;
  message.race_free = races_are_excluded;
  message.wrong = double(differences.wrong.size()) / double(differences.size);
  message.element = output + place;
  message.expected = expected;
  message.got = got;
  return message;
}

Message wrong_value(const std::string& function, const Pattern& pattern,
                    const std::string& expected, const std::string& got) {
  const std::string sentence = pattern.id.empty() ? "" : " " + pattern.sentence;
  Message message(function + " returned the wrong value: expected " + expected + ", got " + got +
                      "." + sentence,
                  pattern.id.empty() ? "wrong_value" : pattern.id);
  message.summary = function + " returned the wrong value." + sentence;
  message.race_free = races_are_excluded;
  message.wrong = 1;
  message.element = "returned";
  message.expected = expected;
  message.got = got;
  return message;
}

}  // namespace tilelab::judge

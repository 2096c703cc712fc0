#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "schema/place.h"

/// What the judge reports to the grading package: schema/judgment.h has the events.
namespace tilelab::judge {

/// A sentence for the student, and the id under which a lab may keep a hint. The other members hold
/// what the sentence says as data, for those who show it in another way.
struct Message {
  /// @param says  what went wrong
  /// @param id    may be ""
  Message(std::string says, std::string id = "")
      : sentence(std::move(says)), pattern(std::move(id)) {}

  std::string sentence;  ///< The message says what went wrong.
  std::string pattern;   ///< A lab may keep a hint under this id; "" if there is none.
  /// What is special about it, so that the lab's hint for the pattern does not fit. The lab may
  /// have another one under PATTERN_VARIANT. "" if nothing is.
  std::string variant;
  /// The sentence without what the members below say; "" if it is the same.
  std::string summary;
  std::vector<schema::Place> places;   ///< The sentence is about these lines.
  std::string element;                 ///< The first wrong element, as "out[3]".
  std::string expected;                ///< The value that it should have.
  std::string got;                     ///< The value that it has.
  std::optional<schema::Place> store;  ///< Where it got that value.
  bool race_free = false;              ///< Whether it was seen that no two threads race.
  /// The share of an output's elements that are wrong; no_result if there was none to compare.
  double wrong = no_result;

  static constexpr double no_result = 2;
};

/// Starts the stream. Without this call, events go nowhere.
/// Throws std::system_error if the file cannot be written.
void open_events(const std::filesystem::path& file);

/// Lets later events go nowhere.
void close_events();

/// Whether the current Catch2 test has failed.
bool test_has_failed();

/// What Message::wrong says of the failures of the current Catch2 test, at most. 0 if there is
/// none.
double share_wrong();

/// Lets test_has_failed() and share_wrong() tell only of what comes now.
void forget_failure();

/// Fails the current Catch2 test, which goes on.
void fail(const Message& message);

/// Fails the current Catch2 test and ends it.
[[noreturn]] void fail_and_stop(const Message& message);

/// Ends the current Catch2 test, which says nothing about the submission. `why` is a sentence.
[[noreturn]] void stop_without_verdict(const std::string& why);

/// An INFO about the verdict, which does not say what was called.
#define TILELAB_REMARK(text) INTERNAL_CATCH_INFO("REMARK", text)

}  // namespace tilelab::judge

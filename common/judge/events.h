#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "judge/json.h"

/// What the judge reports to the grading package: a stream of events, each a JSON object on a line
/// of its own. The stream goes to a file that no worker can reach, so a submission cannot forge it.
///
/// | type                   | members                                                             |
/// | ---------------------- | ------------------------------------------------------------------- |
/// | `tests`                | `count`: how many tests follow                                      |
/// | `message`              | `test`, `kind` ("failure" or "note"), `text`, and more on a failure |
/// | `test`                 | `name`, `result` ("passed", "failed" or "skipped")                  |
/// | `measurement`          | `problem` and how it was measured (judge/speed/speed.cpp)           |
/// | `timing`               | `problem`, `worker` and its times (judge/speed/speed.cpp)           |
/// | `call`                 | `call` and what its kernels did (judge/checks/profile.cpp)          |
/// | `metric`               | `call`, `metric`, `unit`, `value`: a figure of a profiled call      |
/// | `figure`               | `call`, `metric`, `value`: what the reference solution moves        |
/// | `picture`              | a call and every access of it (judge/checks/picture.h)              |
/// | `output`               | `call`, `text`: what the submission printed in the call             |
/// | `errors`               | `output`, `elements`, `rms`, `largest`: how far off floats were     |
/// | `infrastructure_error` | `text`: why the judge has no verdict                                |
/// | `end`                  | nothing; a stream without this last line is incomplete              |
///
/// A test's messages come before the test itself. Only a failure has `context`, the texts of INFO
/// that apply to it, `inputs`, those of them that say what was called, and the members of Message,
/// as far as there are any.
namespace tilelab::judge {

/// A line of the submission, for a message to point at.
struct Spot {
  unsigned line = 0;  ///< The number of the line.
  std::string word;   ///< The message is about this word of it; "" if about the whole line.
  std::string says;   ///< What happens there.
};

/// A sentence for the student, and the id under which a lab may keep a hint. The other members hold
/// what the sentence says as data, for those who show it in another way.
struct Message {
  /// @param says  what went wrong
  /// @param id    may be ""
  Message(std::string says, std::string id = "")
      : sentence(std::move(says)), pattern(std::move(id)) {}

  std::string sentence;  ///< The message says what went wrong.
  std::string pattern;   ///< A lab may keep a hint under this id; "" if there is none.
  /// The sentence without what the members below say; "" if it is the same.
  std::string summary;
  std::vector<Spot> places;  ///< The sentence is about these lines.
  std::string element;       ///< The first wrong element, as "out[3]".
  std::string expected;      ///< The value that it should have.
  std::string got;           ///< The value that it has.
  bool race_free = false;    ///< Whether it was seen that no two threads race.
};

/// Starts the stream. Without this call, events go nowhere.
/// Throws std::system_error if the file cannot be written.
void open_events(const std::filesystem::path& file);

/// An event of this type, to which members can be added.
JsonObject event(std::string_view type);

/// Writes an event. Tests and messages write their own.
void write_event(const JsonObject& event);

/// Fails the current Catch2 test, which goes on.
void fail(const Message& message);

/// Fails the current Catch2 test and ends it.
[[noreturn]] void fail_and_stop(const Message& message);

/// Ends the current Catch2 test, which says nothing about the submission. `why` is a sentence.
[[noreturn]] void stop_without_verdict(const std::string& why);

/// An INFO about the verdict, which does not say what was called.
#define TILELAB_REMARK(text) INTERNAL_CATCH_INFO("REMARK", text)

}  // namespace tilelab::judge

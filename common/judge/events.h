#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "judge/json.h"

/// What the judge reports to the grading package: a stream of events, each a JSON object on a line
/// of its own. The stream goes to a file that no worker can reach, so a submission cannot forge it.
///
/// | type                   | members                                                             |
/// | ---------------------- | ------------------------------------------------------------------- |
/// | `message`              | `test`, `kind` ("failure" or "note"), `text`, `context`, `pattern`  |
/// | `test`                 | `name`, `result` ("passed", "failed" or "skipped")                  |
/// | `measurement`          | `problem` and how it was measured (judge/speed/speed.cpp)           |
/// | `timing`               | `problem`, `worker` and its times (judge/speed/speed.cpp)           |
/// | `call`                 | `call` and what its kernels did (judge/checks/profile.cpp)          |
/// | `picture`              | a call and every access of it (judge/checks/picture.h)              |
/// | `output`               | `worker`, `text`: what it printed                                   |
/// | `infrastructure_error` | `text`: why the judge has no verdict                                |
/// | `end`                  | nothing; a stream without this last line is incomplete              |
///
/// A test's messages come before the test itself. Only a failure has `context`, the texts of INFO
/// that apply to it, and `pattern`, the id under which a lab may keep a hint, if there is one.
namespace tilelab::judge {

/// A sentence for the student, and the id under which a lab may keep a hint.
struct Message {
  /// @param says  what went wrong
  /// @param id    may be ""
  Message(std::string says, std::string id = "")
      : sentence(std::move(says)), pattern(std::move(id)) {}

  std::string sentence;  ///< The message says what went wrong.
  std::string pattern;   ///< A lab may keep a hint under this id; "" if there is none.
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

}  // namespace tilelab::judge

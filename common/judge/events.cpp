// Catch2 2 declares listeners only if this is defined.
#define CATCH_CONFIG_EXTERNAL_INTERFACES

#include "judge/events.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "judge/catch.h"

namespace tilelab::judge {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

std::unique_ptr<std::FILE, Close>& stream() {
  static std::unique_ptr<std::FILE, Close> file;
  return file;
}

/// fail() leaves its message here for the assertion that follows.
Message& next_failure() {
  static Message message{""};
  return message;
}

#if __has_include(<catch2/catch_all.hpp>)
using ListenerBase = Catch::EventListenerBase;
using AssertionEnded = void;
#else
using ListenerBase = Catch::TestEventListenerBase;
using AssertionEnded = bool;
#endif

std::string text_of(const Catch::AssertionResult& result) {
  if (result.hasExpression()) return "expected: " + result.getExpandedExpression();
  return std::string(result.getMessage());
}

/// The texts of INFO that apply, with or without those of REMARK.
std::vector<std::string> context_of(const Catch::AssertionStats& stats, bool with_remarks) {
  std::vector<std::string> context;
  for (const Catch::MessageInfo& info : stats.infoMessages) {
    if (info.type != Catch::ResultWas::Info) continue;
    const bool is_remark = std::string(info.macroName) == "REMARK";
    if (with_remarks || !is_remark) context.push_back(info.message);
  }
  return context;
}

JsonObject json(const Spot& spot) {
  return JsonObject().add("line", spot.line).add("word", spot.word).add("says", spot.says);
}

void add_members(JsonObject& failure, const Message& message) {
  const std::pair<const char*, const std::string&> texts[] = {{"pattern", message.pattern},
                                                              {"summary", message.summary},
                                                              {"element", message.element},
                                                              {"expected", message.expected},
                                                              {"got", message.got}};
  for (const auto& [key, text] : texts) {
    if (!text.empty()) failure.add(key, text);
  }
  if (message.race_free) failure.add("race_free", 1);
  std::vector<JsonObject> places;
  for (const Spot& spot : message.places) places.push_back(json(spot));
  if (!places.empty()) failure.add("places", places);
}

/// Catch2 counts skipped assertions since version 3.3.
template <class Counts>
bool is_skipped(const Counts& counts) {
  if constexpr (requires { counts.skipped; }) return counts.skipped > 0;
  return false;
}

/// Turns what happens in a test into events.
class Listener : public ListenerBase {
 public:
  using ListenerBase::ListenerBase;

  void testRunStarting(const Catch::TestRunInfo&) override {
    const auto& all = Catch::getAllTestCasesSorted(*m_config);
    const auto chosen = Catch::filterTests(all, m_config->testSpec(), *m_config);
    write_event(event("tests").add("count", chosen.size()));
  }

  void testCaseStarting(const Catch::TestCaseInfo& info) override { test_ = info.name; }

  AssertionEnded assertionEnded(const Catch::AssertionStats& stats) override {
    const Catch::AssertionResult& result = stats.assertionResult;
    switch (result.getResultType()) {
      case Catch::ResultWas::ThrewException:
      case Catch::ResultWas::FatalErrorCondition:
        // A submission's faults end its worker, never the judge.
        write_event(event("infrastructure_error")
                        .add("text", "the judge failed in '" + test_ +
                                         "': " + std::string(result.getMessage())));
        break;
      case Catch::ResultWas::Warning:
        write_event(message("note", result));
        break;
      default:
        if (!result.isOk()) write_failure(stats);
    }
    return AssertionEnded();
  }

  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    const auto& assertions = stats.totals.assertions;
    const char* result = !assertions.allOk()      ? "failed"
                         : is_skipped(assertions) ? "skipped"
                                                  : "passed";
    write_event(event("test").add("name", test_).add("result", result));
  }

 private:
  JsonObject message(const char* kind, const Catch::AssertionResult& result) const {
    return event("message").add("test", test_).add("kind", kind).add("text", text_of(result));
  }

  void write_failure(const Catch::AssertionStats& stats) const {
    JsonObject failure = message("failure", stats.assertionResult);
    failure.add("context", context_of(stats, true)).add("inputs", context_of(stats, false));
    add_members(failure, std::exchange(next_failure(), Message("")));
    write_event(failure);
  }

  std::string test_;
};

CATCH_REGISTER_LISTENER(Listener)

}  // namespace

void open_events(const std::filesystem::path& file) {
  // "e": workers are started from this process, and none inherits the stream.
  stream().reset(std::fopen(file.c_str(), "we"));
  if (stream() == nullptr) throw std::system_error(errno, std::generic_category(), file);
}

JsonObject event(std::string_view type) { return JsonObject().add("type", type); }

void write_event(const JsonObject& event) {
  std::FILE* file = stream().get();
  if (file == nullptr) return;
  // One write per line, so that whatever ends the judge leaves whole lines.
  const std::string line = to_json(event) + "\n";
  std::fwrite(line.data(), 1, line.size(), file);
  std::fflush(file);
}

void fail(const Message& message) {
  next_failure() = message;
  FAIL_CHECK(message.sentence);
}

void fail_and_stop(const Message& message) {
  next_failure() = message;
  FAIL(message.sentence);
  std::abort();  // never reached, which a compiler cannot know
}

void stop_without_verdict(const std::string& why) { fail_and_stop({why, "not_run"}); }

}  // namespace tilelab::judge

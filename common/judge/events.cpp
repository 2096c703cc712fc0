#include "judge/events.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "judge/catch.h"
#include "judge/write_event.h"
#include "schema/json.h"

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

/// What share_wrong() returns.
double& wrong() {
  static double value = 0;
  return value;
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

template <class T>
std::optional<T> unless_empty(const T& value) {
  return value.empty() ? std::nullopt : std::optional(value);
}

/// What a failure says as data.
void add_members(schema::Message& failure, const Message& message) {
  failure.pattern = unless_empty(message.pattern);
  failure.variant = unless_empty(message.variant);
  failure.summary = unless_empty(message.summary);
  failure.element = unless_empty(message.element);
  failure.expected = unless_empty(message.expected);
  failure.got = unless_empty(message.got);
  failure.store = message.store;
  if (message.race_free) failure.race_free = true;
  failure.places = unless_empty(message.places);
}

/// Catch2 counts skipped assertions since version 3.3.
template <class Counts>
bool is_skipped(const Counts& counts) {
  if constexpr (requires { counts.skipped; }) return counts.skipped > 0;
  return false;
}

/// Turns what happens in a test into events.
class EventWriter : public ListenerBase {
 public:
  using ListenerBase::ListenerBase;

  void testRunStarting(const Catch::TestRunInfo&) override {
    const auto& all = Catch::getAllTestCasesSorted(*m_config);
    const auto chosen = Catch::filterTests(all, m_config->testSpec(), *m_config);
    write_event(schema::Tests{chosen.size()});
  }

  void testCaseStarting(const Catch::TestCaseInfo& info) override {
    test_ = info.name;
    forget_failure();
  }

  AssertionEnded assertionEnded(const Catch::AssertionStats& stats) override {
    const Catch::AssertionResult& result = stats.assertionResult;
    switch (result.getResultType()) {
      case Catch::ResultWas::ThrewException:
      case Catch::ResultWas::FatalErrorCondition:
        // A submission's faults end its worker, never the judge.
        write_event(schema::InfrastructureError{"the judge failed in '" + test_ +
                                                "': " + std::string(result.getMessage())});
        break;
      case Catch::ResultWas::Warning:
        write_event(message("note", result));
        break;
      default:
        if (result.isOk()) break;
        wrong() = std::max(wrong(), next_failure().wrong);
        write_failure(stats);
    }
    return AssertionEnded();
  }

  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    const auto& assertions = stats.totals.assertions;
    const char* result = !assertions.allOk()      ? "failed"
                         : is_skipped(assertions) ? "skipped"
                                                  : "passed";
    write_event(schema::Test{test_, result});
  }

 private:
  schema::Message message(const char* kind, const Catch::AssertionResult& result) const {
    schema::Message made;
    made.test = test_;
    made.kind = kind;
    made.text = text_of(result);
    return made;
  }

  void write_failure(const Catch::AssertionStats& stats) const {
    schema::Message failure = message("failure", stats.assertionResult);
    failure.context = context_of(stats, true);
    failure.inputs = context_of(stats, false);
    add_members(failure, std::exchange(next_failure(), Message("")));
    write_event(failure);
  }

  std::string test_;
};

CATCH_REGISTER_LISTENER(EventWriter)

}  // namespace

void open_events(const std::filesystem::path& file) {
  // "e": workers are started from this process, and none inherits the stream.
  stream().reset(std::fopen(file.c_str(), "we"));
  if (stream() == nullptr) throw std::system_error(errno, std::generic_category(), file);
  write_event(schema::Begin{});
}

void close_events() { stream().reset(); }

void write_event(const schema::Judgment& event) {
  std::FILE* file = stream().get();
  if (file == nullptr) return;
  // One write per line, so that whatever ends the judge leaves whole lines.
  const std::string line =
      std::visit([](const auto& one) { return schema::to_json(one); }, event) + "\n";
  std::fwrite(line.data(), 1, line.size(), file);
  std::fflush(file);
}

bool test_has_failed() { return share_wrong() > 0; }

double share_wrong() { return wrong(); }

void forget_failure() { wrong() = 0; }

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

// The contract comes first, because the headers below read it.
#include "probe.h"
//
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <vector>

#include "event_file.h"
#include "judge/calls/runs.h"
#include "judge/catch.h"
#include "judge/events.h"
#include "judge/options.h"
#include "judge/worker/errors.h"
#include "judge/worker/workers.h"

using namespace tilelab;
using namespace tilelab::judge;

namespace {

/// What the tests with a tag of programs/events.cpp report, line by line.
std::vector<std::string> lines_of(const std::string& tag) {
  const EventFile events;
  const std::string command = std::string(EVENTS_PROGRAM) + " --events " + events.path() + " -- [" +
                              tag + "] >/dev/null 2>&1";
  static_cast<void>(std::system(command.c_str()));
  std::istringstream text(events.text());
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("each test is an event, and its messages come before it") {
  const std::vector<std::string> expected = {
      R"({"type": "begin", "version": 1})",
      R"({"type": "tests", "count": 3})",
      R"({"type": "message", "test": "passes", "kind": "note", "text": "a remark"})",
      R"({"type": "test", "name": "passes", "result": "passed"})",
      R"({"type": "message", "test": "fails", "kind": "failure", "text": "2 of 3 are wrong.", )"
      R"("context": ["a remark", "n = 3"], "inputs": ["n = 3"], "pattern": "tail", )"
      R"("summary": "2 of 3 are wrong.", "element": "out[1]", "expected": "1", "got": "2", )"
      R"("places": [{"line": 12, "word": "out", "says": "here"}]})",
      R"({"type": "message", "test": "fails", "kind": "failure", "text": )"
      "\"All of \\\"them\\\" are wr\xc3\xb6ng.\", \"context\": [\"a remark\", \"n = 3\"], "
      R"("inputs": ["n = 3"]})",
      R"({"type": "message", "test": "fails", "kind": "failure", "text": "expected: 1 == 2", )"
      R"("context": ["a remark", "n = 3"], "inputs": ["n = 3"]})",
      R"({"type": "test", "name": "fails", "result": "failed"})",
      R"({"type": "message", "test": "stops", "kind": "failure", "text": "It stops.", )"
      R"("context": [], "inputs": [], "pattern": "out_of_bounds"})",
      R"({"type": "test", "name": "stops", "result": "failed"})",
      R"({"type": "end"})"};
  CHECK(lines_of("tests") == expected);
}

TEST_CASE("an exception in a test is the judge's failure") {
  const std::vector<std::string> lines = lines_of("throws");
  REQUIRE(lines.size() > 2);
  CHECK(lines[2] ==
        R"({"type": "infrastructure_error", "text": "the judge failed in 'throws': no memory"})");
}

TEST_CASE("a judge that crashes does not end its stream") {
  const std::vector<std::string> lines = lines_of("crashes");
  CHECK((lines.empty() || lines.back() != R"({"type": "end"})"));
}

TEST_CASE("events that a submission prints are the text of one event") {
  const Options before = options();
  options().workers = {{"submission", std::filesystem::path(WORKER_FOLDER) / "forges_report"}};
  const EventFile events;
  const std::vector<int> in(1);
  const Output<int> out("out", 1);
  CHECK_THROWS_AS(run_in_orders(worker("submission"), function_of<probe>(),
                                arguments_of<probe>(in, out, 1), all_orders),
                  SubmissionError);
  stop_workers();
  options() = before;
  const std::string stream = events.text();
  CHECK(std::count(stream.begin(), stream.end(), '\n') == 2);  // after the first
  CHECK_THAT(
      stream,
      contains(R"~({"type": "output", "call": "probe(int[1], int[1], 1)", "text": "All tests )~"
               R"~(passed (99 assertions in 9 test cases)\u000a{\"type\": \"test\")~"));
}

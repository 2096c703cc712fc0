#include "probe.h"
//
#include <set>

#include "cast.h"
#include "event_file.h"
#include "judge/speed/simple_speed.h"

using namespace tilelab;
using namespace tilelab::judge;

namespace {

using Row = std::vector<int>;

int draws = 0, checks = 0;

/// How the probe is timed. A draw puts a new vector in place of the old one, as a lab's may.
SimpleSpeed<Row> timed_probe() {
  return {.call = [](const Row& in,
                     std::size_t n) { return speed_call<probe>(in, Output<int>("out", n), n); },
          .draw =
              [](Row& in, Random& random) {
                in = random.integers<int>(in.size());
                ++draws;
              },
          .is_right =
              [](const Row& in, const Slice& slice) {
                ++checks;
                return slice.all<int>([&](std::size_t i, int got) {
                  return static_cast<unsigned>(got) == static_cast<unsigned>(in[i]) + 1;
                });
              },
          .work = work_per_element(2 * sizeof(int), 3),
          .sizes = {.speed = 700, .bench = {300, 500}, .scaling = {100}, .challenge = 900}};
}

/// Workers that are timed alongside the peaks, in as few rounds as there are.
struct Timed : Cast {
  Timed() : Cast("honest", "slow", "honest") {
    options().workers["peaks"] = PEAKS;
    options().most_rounds = 0;
  }
};

/// Whether the events have a measurement of this title, with the amounts for this many elements.
void check_measured(const std::string& events, const std::string& title, int n, bool has_work) {
  CHECK_THAT(events, contains("\"type\": \"measurement\", \"problem\": \"" + title + "\""));
  CHECK_THAT(events, contains("\"of\": \"bytes\", \"amount\": " + std::to_string(8 * n) + ","));
  const std::string work = "\"work\": {\"n\": " + std::to_string(n) +
                           ", \"operations\": " + std::to_string(3 * n) +
                           ", \"bytes\": " + std::to_string(8 * n) + "}";
  CHECK((events.find(work) != std::string::npos) == has_work);
}

}  // namespace

TEST_CASE("one declaration times a lab for a grade") {
  const Timed cast;
  const EventFile events;
  draws = checks = 0;
  timed_probe().speed();
  check_measured(events.text(), "speed", 700, false);
  // At least nine rounds have inputs of their own, and each of the three workers is checked.
  CHECK(draws >= 9);
  CHECK(checks >= 27);
}

TEST_CASE("one declaration times a lab's ladder with each size") {
  const Timed cast;
  static std::set<int> sizes;  // this test runs once for each
  const EventFile events;
  timed_probe().bench();
  const int n = sizes.empty() ? 300 : 500;
  check_measured(events.text(), "n = " + std::to_string(n), n, true);
  sizes.insert(n);
}

TEST_CASE("one declaration times a lab against n") {
  const Timed cast;
  const EventFile events;
  timed_probe().scaling();
  check_measured(events.text(), "n = 100", 100, true);
}

TEST_CASE("one declaration times a lab's challenge") {
  const Timed cast;
  const EventFile events;
  timed_probe().challenge();
  check_measured(events.text(), "n = 900", 900, false);
}

TEST_CASE("timed arrays are as long as the GPU has room for") {
  const Cast cast("honest", "honest", "honest");
  const std::size_t most = std::size_t{1} << 40;
  const std::size_t n = largest_problem(most, 8);
  CHECK(n < most);
  CHECK(n == largest_problem(most, [](std::size_t some) { return 8.0 * double(some); }));
  CHECK(largest_problem(1000, 8) == 1000);
}

TEST_CASE("a draw may move the inputs, but not change their sizes") {
  Row in(10);
  const Output<int> out("out", in.size());
  SpeedProblem problem{function_of<probe>(), arguments_of<probe>(in, out, 10), {}, {}};
  const CallArgument* const first = problem.arguments.data();
  const Row moved(10);
  renew_arguments(problem, arguments_of<probe>(moved, out, 10));
  CHECK(problem.arguments.data() == first);
  CHECK(first->input == reinterpret_cast<const std::byte*>(moved.data()));
  const Row longer(11);
  CHECK_THROWS_WITH(renew_arguments(problem, arguments_of<probe>(longer, out, 10)),
                    contains("changed the size of in, from int[10] to int[11]"));
}

TEST_CASE("a slice is right if each of its elements is") {
  const Row values{3, 4, 5};
  const Slice slice{"out", 7, std::as_bytes(std::span(values))};
  CHECK(slice.all<int>([](std::size_t i, int got) { return got == static_cast<int>(i) - 4; }));
  CHECK_FALSE(slice.all<int>([](std::size_t, int got) { return got != 5; }));
}

namespace {

/// Inputs, and what is right for them.
struct Expected {
  Row row, right;

  explicit Expected(std::size_t n) : row(n) {}
};

}  // namespace

TEST_CASE("what is right is worked out anew for other inputs, before a check") {
  const Timed cast;
  const EventFile events;
  int drawn = 0, expected = 0;
  const SimpleSpeed<Expected> timed = {
      .call = [](const Expected& in,
                 std::size_t n) { return speed_call<probe>(in.row, Output<int>("out", n), n); },
      .draw =
          [&](Expected& in, Random& random) {
            in.row = random.integers<int>(in.row.size());
            in.right.clear();
            ++drawn;
          },
      .is_right =
          [](const Expected& in, const Slice& slice) {
            return slice.all<int>([&](std::size_t i, int got) { return got == in.right.at(i); });
          },
      .work = work_per_element(2 * sizeof(int), 3),
      .expect =
          [&](Expected& in) {
            in.right.clear();
            for (const int x : in.row) {
              in.right.push_back(static_cast<int>(static_cast<unsigned>(x) + 1));
            }
            ++expected;
          },
      .sizes = {.speed = 700, .bench = {}, .scaling = {}, .challenge = 700}};
  timed.speed();
  check_measured(events.text(), "speed", 700, false);
  CHECK(expected > 0);
  CHECK(expected <= drawn);
}

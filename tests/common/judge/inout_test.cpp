// What is read and written, passed as a struct, and returned: on its way to a worker and back.

#include "rescale.h"
//
#include <filesystem>
#include <numeric>

#include "judge/calls/runs.h"
#include "judge/catch.h"
#include "judge/checks/check.h"
#include "judge/options.h"
#include "judge/speed/contender.h"
#include "judge/traffic/figures.h"
#include "judge/worker/errors.h"
#include "judge/worker/workers.h"

using namespace tilelab;
using namespace tilelab::judge;

namespace {

constexpr short size = 5000;

/// A problem whose answer differs if a call does not start from the contents it should have.
struct Row {
  Change change = {2, 1, 3, size};
  InOut<short> values;
  Returned<long long> sum{"rescale"};
  std::vector<CallArgument> arguments;

  Row()
      : values("values", first_values()),
        arguments(arguments_of<rescale>(values, change, size, sum)) {}

  static std::vector<short> first_values() {
    std::vector<short> values(size);
    std::iota(values.begin(), values.end(), short{-100});
    return values;
  }

  std::vector<short> expected() const {
    std::vector<short> result = values.initial();
    for (short i = change.first; i < change.end; ++i) {
      short& value = result[static_cast<std::size_t>(i)];
      value = static_cast<short>(change.factor * value + static_cast<double>(change.offset));
    }
    return result;
  }

  long long expected_sum() const {
    const std::vector<short> all = expected();
    return std::accumulate(all.begin() + change.first, all.begin() + change.end, 0LL);
  }

  bool is_right(const Slice& slice) const {
    if (slice.name == "rescale") return slice.values<long long>().front() == expected_sum();
    const std::vector<short> all = expected(), got = slice.values<short>();
    return std::equal(got.begin(), got.end(),
                      all.begin() + static_cast<std::ptrdiff_t>(slice.first));
  }

  SpeedProblem problem() {
    return {function_of<rescale>(), arguments,
            [this](Random& random) {
              for (short& value : values.initial()) value = static_cast<short>(random.below(1000));
            },
            [this](const Slice& slice) { return is_right(slice); }};
  }
};

std::filesystem::path program(const std::string& name) {
  return std::filesystem::path(WORKER_FOLDER) / name;
}

void measure(const std::string& name, Freshness freshness) {
  const Options before = options();
  options().workers = {{"submission", program(name)}};
  Row row;
  const SpeedProblem problem = row.problem();
  const GpuClock clock("");
  Random random(1);
  try {
    Contender contender("submission", problem, clock, freshness);
    for (int i = 0; i < 4; ++i) {
      RoundInputs inputs(problem, random);
      contender.measure(inputs, random);
    }
  } catch (...) {
    stop_workers();
    options() = before;
    throw;
  }
  stop_workers();
  options() = before;
}

}  // namespace

TEST_CASE("each run of a call starts from the same contents, and its result comes back") {
  Row row;
  Worker worker(program("rescales"));
  const CallResult result =
      run_in_orders(worker, function_of<rescale>(), row.arguments, all_orders);
  CHECK(result.violations.empty());
  store_runs<rescale>(result.runs, row.values, row.change, size, row.sum);
  REQUIRE(row.values.runs().size() == 3);
  for (const Output<short>::Run& run : row.values.runs()) {
    CHECK(run.before == row.values.initial());
    CHECK(run.values == row.expected());
  }
  CHECK(check_equal(row.values, row.expected()));
  CHECK(check_returned(row.sum, row.expected_sum()));
}

TEST_CASE("a call is described by its arrays, its structs and its numbers") {
  const Row row;
  CHECK(describe(function_of<rescale>(), row.arguments) ==
        "rescale(short[5000], Change(2, 1, 3, 5000), 5000)");
  CHECK(sizes_of(function_of<rescale>(), row.arguments) == "rescale 5000 1 3 5000 5000");
}

TEST_CASE("a call that is timed may take a vector for what it changes") {
  const std::vector<short> values = Row::first_values();
  const Row row;
  const auto arguments = arguments_of<rescale>(values, row.change, size, row.sum);
  CHECK(arguments[0].role == wire::Role::inout);
  CHECK(arguments[0].input == reinterpret_cast<const std::byte*>(values.data()));
  CHECK(arguments[3].role == wire::Role::returned);
}

TEST_CASE("every timed launch starts from the contents that it should have") {
  const Freshness freshness = GENERATE(Freshness::none, Freshness::own_inputs, Freshness::turns);
  CHECK_NOTHROW(measure("rescales", freshness));
}

TEST_CASE("timed launches that leave what they should change, or return too much, are found") {
  const Freshness freshness = GENERATE(Freshness::own_inputs, Freshness::turns);
  CHECK_THROWS_AS(measure("stops_rescaling", freshness), SubmissionError);
  CHECK_THROWS_AS(measure("returns_too_much", freshness), SubmissionError);
}

TEST_CASE("elements that were not changed are told from wrong ones") {
  const auto unwritten = [](const std::vector<short>& values, const std::vector<short>& expected) {
    InOut<short> output("values", {1, 2, 3, 4});
    const auto bytes = [](const std::vector<short>& v) { return std::as_bytes(std::span(v)); };
    output.add_run(bytes(output.initial()), bytes(values));
    return find_differences<short>(output, output.runs().front(), expected, equal<short>);
  };
  const Differences none = unwritten({1, 2, 3, 4}, {2, 3, 4, 5});
  CHECK(none.unwritten.size() == 4);
  CHECK(find_pattern(none).id == "never_written");
  CHECK(find_pattern(none).sentence == "No element was changed.");
  const Differences tail = unwritten({2, 3, 4, 4}, {2, 3, 4, 5});
  CHECK_THAT(find_pattern(tail).sentence,
             contains("The last 1 of 4 elements was not changed: does the grid"));
  CHECK(unwritten({9, 9, 9, 9}, {2, 3, 4, 5}).unwritten.empty());
}

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "schema/fields.h"
#include "schema/launch.h"
#include "schema/picture.h"
#include "schema/place.h"
#include "schema/stream.h"

/// What a judge writes. The stream goes to a file that no worker can reach, so a submission cannot
/// forge it. Without its end it is incomplete.
namespace tilelab::schema {

/// How many tests follow.
struct Tests {
  static constexpr std::string_view event = "tests";
  std::uint64_t count = 0;
};
TILELAB_FIELDS(Tests, count)

/// A note or a failure of the test that ends next. Only a failure has what follows `text`, as far
/// as there is any.
struct Message {
  static constexpr std::string_view event = "message";
  std::string test;
  std::string kind;  ///< "note" or "failure".
  std::string text;
  std::optional<std::vector<std::string>> context;  ///< The texts of INFO that apply to it.
  std::optional<std::vector<std::string>> inputs;   ///< Those of them that say what was called.
  std::optional<std::string> pattern;               ///< A lab may keep a hint under this id.
  std::optional<std::string> summary;        ///< The text without what the members below say.
  std::optional<std::string> element;        ///< The first wrong element, as "out[3]".
  std::optional<std::string> expected;       ///< The value that it should have.
  std::optional<std::string> got;            ///< The value that it has.
  std::optional<Place> store;                ///< Where it got that value.
  std::optional<bool> race_free;             ///< Whether it was seen that no two threads race.
  std::optional<std::string> variant;        ///< What is special, so that the hint may not fit.
  std::optional<std::vector<Place>> places;  ///< The text is about these lines.
};
TILELAB_FIELDS(Message, test, kind, text, context, inputs, pattern, summary, element, expected, got,
               store, race_free, variant, places)

/// A test has ended.
struct Test {
  static constexpr std::string_view event = "test";
  std::string name;
  std::string result;  ///< "passed", "failed" or "skipped".
};
TILELAB_FIELDS(Test, name, result)

/// The least time of a problem, at the hardware's peak.
struct Peak {
  std::string of;     ///< "bytes", "reads" or "instructions".
  double amount = 0;  ///< How many the problem needs at least.
  double ms = 0;
};
TILELAB_FIELDS(Peak, of, amount, ms)

/// What one launch of a problem does.
struct Work {
  std::uint64_t n = 0;
  double operations = 0;
  double bytes = 0;
};
TILELAB_FIELDS(Work, n, operations, bytes)

/// How a problem was measured. The times of each worker follow.
struct Measurement {
  static constexpr std::string_view event = "measurement";
  std::string problem;
  std::uint64_t rounds = 0;
  std::uint64_t discarded = 0;
  std::uint64_t sm_mhz = 0;
  std::string clock;  ///< "judge" or "device".
  std::optional<Peak> peak;
  std::optional<Work> work;
};
TILELAB_FIELDS(Measurement, problem, rounds, discarded, sm_mhz, clock, peak, work)

/// A median with its 95% interval: low, median, high.
using Interval = std::array<double, 3>;

/// The times of a worker, medians per launch, and their ratios per round.
struct Timing {
  static constexpr std::string_view event = "timing";
  std::string problem;
  std::string worker;
  double ms = 0;
  double device_ms = 0;
  double cold_ms = 0;
  double warm_ms = 0;
  Interval speedup{};
  std::optional<Interval> share_of_peak;
};
TILELAB_FIELDS(Timing, problem, worker, ms, device_ms, cold_ms, warm_ms, speedup, share_of_peak)

/// What the kernels of a checked call did.
struct Call {
  static constexpr std::string_view event = "call";
  std::string call;
  std::uint64_t input_bytes = 0;
  std::uint64_t output_bytes = 0;
  std::vector<Launch> launches;
  /// For each of these, as report::LaunchReport explains them.
  std::vector<std::vector<std::string>> arguments;
};
TILELAB_FIELDS(Call, call, input_bytes, output_bytes, launches, arguments)

/// What a lab's tests count of a profiled call.
struct Metric {
  static constexpr std::string_view event = "metric";
  std::string call;
  std::string metric;
  std::string unit;
  double value = 0;
};
TILELAB_FIELDS(Metric, call, metric, unit, value)

/// What the reference solution moves, with all digits.
struct Figure {
  static constexpr std::string_view event = "figure";
  std::string call;
  std::string metric;
  std::string value;
};
TILELAB_FIELDS(Figure, call, metric, value)

/// What the submission printed in a call.
struct Output {
  static constexpr std::string_view event = "output";
  std::string call;
  std::string text;
};
TILELAB_FIELDS(Output, call, text)

/// How far off floats were. A NaN is null.
struct Errors {
  static constexpr std::string_view event = "errors";
  std::string output;
  std::uint64_t elements = 0;
  double rms = 0;
  double largest = 0;
};
TILELAB_FIELDS(Errors, output, elements, rms, largest)

/// A version of the submission that passes where the submission fails, or is less wrong there.
struct Version {
  static constexpr std::string_view event = "version";
  std::uint64_t number = 0;
  double wrong = 0;  ///< The share of an output's elements; 0 if it passes.
};
TILELAB_FIELDS(Version, number, wrong)

/// Why the judge has no verdict.
struct InfrastructureError {
  static constexpr std::string_view event = "infrastructure_error";
  std::string text;
};
TILELAB_FIELDS(InfrastructureError, text)

/// All events of a judge.
using Judgment = std::variant<Begin, Tests, Message, Test, Measurement, Timing, Call, Metric,
                              Figure, Picture, Output, Errors, Version, InfrastructureError, End>;

}  // namespace tilelab::schema

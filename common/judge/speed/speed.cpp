#include "judge/speed/speed.h"

#include <fstream>
#include <optional>
#include <sstream>

#include "judge/calls/or_fail.h"
#include "judge/calls/submission.h"
#include "judge/catch.h"
#include "judge/json.h"
#include "judge/options.h"

namespace tilelab {
namespace {

using judge::Interval;
using judge::Sampling;
using judge::SpeedSample;
using judge::SpeedSamples;

constexpr double milliseconds = 1000;

// Whole ladders are timed, at many sizes, and no points depend on it.
constexpr Sampling for_benchmarks = {&SpeedSample::device, 10};

std::string json_interval(const Interval& interval) {
  std::ostringstream text;
  text << '[' << interval.low << ", " << interval.value << ", " << interval.high << ']';
  return text.str();
}

/// What was measured of one worker, as the inside of a JSON object.
std::string json_members(const SpeedSamples& samples, const std::string& name) {
  std::ostringstream text;
  text << "\"ms\": " << milliseconds * samples.seconds(name, &SpeedSample::judge)
       << ", \"device_ms\": " << milliseconds * samples.seconds(name, &SpeedSample::device)
       << ", \"cold_ms\": " << milliseconds * samples.seconds(name, &SpeedSample::cold)
       << ", \"speedup\": " << json_interval(samples.speedup(name, "baseline"));
  if (!samples.floors.empty()) {
    text << ", \"share_of_floor\": " << json_interval(samples.share_of_floor(name));
  }
  return text.str();
}

void write_line(const std::string& title, const SpeedSamples& samples, const Floor& floor,
                const std::optional<Work>& work) {
  if (judge::options().metrics.empty()) return;
  std::ofstream file(judge::options().metrics, std::ios::app);
  file << "{" << judge::json_string(title) << ": {\"rounds\": " << samples.rounds()
       << ", \"discarded\": " << samples.discarded << ", \"sm_mhz\": " << samples.sm_mhz
       << ", \"clock\": \"" << (samples.clock == &SpeedSample::judge ? "judge" : "device") << "\"";
  if (!samples.floors.empty()) {
    file << ", \"floor_of\": \"" << (floor.what == Floor::Of::bytes ? "bytes" : "instructions")
         << "\", \"floor_amount\": " << floor.amount
         << ", \"floor_ms\": " << milliseconds * judge::median(samples.floors);
  }
  if (work) {
    file << ", \"n\": " << work->n << ", \"operations\": " << work->operations
         << ", \"bytes\": " << work->bytes;
  }
  for (const auto& [name, all] : samples.contenders) {
    file << ", " << judge::json_string(name) << ": {" << json_members(samples, name) << "}";
  }
  file << "}}" << std::endl;
}

/// The submission's own events should say what the judge's clock says; where they saw far less, the
/// GPU was not what took the time.
void cross_check(const SpeedSamples& samples) {
  const double share = samples.seconds("submission", &SpeedSample::device) /
                       samples.seconds("submission", &SpeedSample::judge);
  if (!(share > 0.5)) {
    WARN("Device events saw only "
         << 100 * share << "% of the time that the calls took: launches, "
         << "copies or allocations keep the GPU waiting. The judge's clock counts.");
  }
}

SpeedSamples measure(const std::string& title, const std::vector<SpeedProblem>& problems,
                     const Floor& floor, const Sampling& how = {},
                     const std::optional<Work>& work = std::nullopt) {
  const SpeedSamples samples =
      judge::or_fail([&] { return judge::take_samples(problems, floor, how); });
  SUCCEED();
  write_line(title, samples, floor, work);
  return samples;
}

}  // namespace

void measure_speed(const std::vector<SpeedProblem>& problems, const Floor& floor) {
  cross_check(measure("speed", problems, floor));
}

void benchmark(const std::string& title, const std::vector<SpeedProblem>& problems,
               const Floor& floor, const Work& work) {
  measure(title, problems, floor, for_benchmarks, work);
}

void race(const std::string& title, const std::vector<SpeedProblem>& problems, const Floor& floor) {
  measure(title, problems, floor);
}

std::size_t largest_problem(std::size_t most, std::size_t bytes_per_element) {
  std::uint64_t device_memory = 0;
  try {
    device_memory = judge::worker("baseline").start().device_memory;
  } catch (const std::exception& error) {
    judge::give_up(error.what());
  }
  // Two sets of buffers, and as much again for whatever else is on the device.
  while (most > 1 && most * bytes_per_element * 2 > device_memory / 2) most /= 2;
  return most;
}

}  // namespace tilelab

#include "judge/speed/speed.h"

#include <cmath>
#include <cstdint>
#include <optional>

#include "judge/calls/or_fail.h"
#include "judge/catch.h"
#include "judge/speed/sampling.h"
#include "judge/worker/workers.h"
#include "judge/write_event.h"

namespace tilelab {
namespace {

using judge::Interval;
using judge::Sampling;
using judge::SpeedSample;
using judge::SpeedSamples;

constexpr double milliseconds = 1000;

// Whole ladders are timed at many sizes, and no points depend on them.
constexpr Sampling for_benchmarks = {
    .clock = &SpeedSample::device, .seconds_for_more = 10, .fresh = false};

// A student is waiting.
constexpr Sampling for_grades = {.rounds_for_others = 3};

const char* name_of(double SpeedSample::*clock) {
  return clock == &SpeedSample::judge ? "judge" : "device";
}

const char* name_of(Peak peak) {
  if (peak == Peak::reads) return "reads";
  return peak == Peak::bytes ? "bytes" : "instructions";
}

schema::Interval bounds(const Interval& interval) {
  return {interval.low, interval.value, interval.high};
}

schema::Measurement measurement_of(const std::string& title, const SpeedSamples& samples,
                                   const LeastWork& least_work, const std::optional<Work>& work) {
  schema::Measurement made{
      .problem = title,
      .rounds = samples.rounds(),
      .discarded = static_cast<std::uint64_t>(samples.discarded),
      .sm_mhz = static_cast<std::uint64_t>(std::lround(samples.sm_mhz)),
      .clock = name_of(samples.clock),
      .peak = {},
      .work = {},
  };
  if (!samples.peaks.empty()) {
    made.peak = {name_of(least_work.peak), least_work.amount,
                 milliseconds * judge::median(samples.peaks)};
  }
  if (work) made.work = {work->n, work->operations, work->bytes};
  return made;
}

schema::Timing timing_of(const std::string& title, const SpeedSamples& samples,
                         const std::string& worker) {
  const auto ms = [&](double SpeedSample::*clock) {
    return milliseconds * samples.seconds(worker, clock);
  };
  schema::Timing made{
      .problem = title,
      .worker = worker,
      .ms = ms(&SpeedSample::judge),
      .device_ms = ms(&SpeedSample::device),
      .cold_ms = ms(&SpeedSample::cold),
      .warm_ms = ms(&SpeedSample::warm),
      .speedup = bounds(samples.speedup(worker, "baseline")),
      .share_of_peak = {},
  };
  if (!samples.peaks.empty()) made.share_of_peak = bounds(samples.share_of_peak(worker));
  return made;
}

/// Notes if the submission's device events say much less than the judge's clock: then the GPU was
/// idle most of the time.
void cross_check(const SpeedSamples& samples) {
  const double share = samples.seconds("submission", &SpeedSample::device) /
                       samples.seconds("submission", &SpeedSample::judge);
  if (!(share > 0.5)) {
    WARN("Device events saw only "
         << 100 * share << "% of the time that the calls took: launches, copies or allocations "
         << "keep the GPU waiting. The judge's clock is the one that counts.");
  }
}

SpeedSamples measure(const std::string& title, const std::vector<SpeedProblem>& problems,
                     const LeastWork& least_work, const Sampling& how = {},
                     const std::optional<Work>& work = std::nullopt) {
  SpeedSamples samples =
      judge::or_fail([&] { return judge::take_samples(problems, least_work, how); });
  SUCCEED();
  judge::write_event(measurement_of(title, samples, least_work, work));
  for (const auto& [worker, times] : samples.contenders) {
    judge::write_event(timing_of(title, samples, worker));
  }
  return samples;
}

}  // namespace

void measure_speed(const std::vector<SpeedProblem>& problems, const LeastWork& least_work) {
  cross_check(measure("speed", problems, least_work, for_grades));
}

void benchmark(const std::string& title, const std::vector<SpeedProblem>& problems,
               const LeastWork& least_work, const Work& work) {
  measure(title, problems, least_work, for_benchmarks, work);
}

void challenge(const std::string& title, const std::vector<SpeedProblem>& problems,
               const LeastWork& least_work) {
  measure(title, problems, least_work);
}

std::size_t largest_problem(std::size_t most, std::size_t bytes_per_element) {
  return largest_problem(most, [=](std::size_t n) { return double(n * bytes_per_element); });
}

std::size_t largest_problem(std::size_t most, const std::function<double(std::size_t n)>& bytes) {
  std::uint64_t device_memory = 0;
  try {
    device_memory = judge::worker("baseline").start().device_memory;
  } catch (const std::exception& error) {
    judge::give_up(error.what());
  }
  // Three sets of buffers take a quarter of the memory; a submission may hold another quarter.
  while (most > 1 && 3 * bytes(most) > double(device_memory) / 4) most /= 2;
  return most;
}

}  // namespace tilelab

#include "judge/traffic/traffic.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <map>
#include <sstream>

#include "judge/calls/or_fail.h"
#include "judge/catch.h"
#include "judge/options.h"
#include "judge/source_text.h"
#include "judge/write_event.h"

namespace tilelab {
namespace {

using judge::Observation;
using judge::Problem;

double input_bytes(const Problem& problem) { return static_cast<double>(problem.input_bytes); }

double output_bytes(const Problem& problem) { return static_cast<double>(problem.output_bytes); }

double useful_bytes(const Problem& problem) {
  return static_cast<double>(problem.input_bytes + problem.output_bytes);
}

std::string rounded(double value) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(2) << value;
  return text.str();
}

/// The line that adds most to a metric, with its share: " Most of it comes from diff.cu:9 `...`
/// (50%)."
std::string main_source(const Observation& observation, const TrafficMetric& metric) {
  std::map<std::pair<std::string, unsigned>, std::pair<std::uint64_t, report::SourcePlace>> lines;
  std::uint64_t all = 0;
  for (const report::LaunchReport& launch : observation.report.launches) {
    for (const report::LineCounts& line : launch.lines) {
      auto& [sum, place] = lines[{line.place.file, line.place.line}];
      const std::uint64_t amount = metric.amount(judge::cost_of(observation, line));
      sum += amount;
      place = line.place;
      all += amount;
    }
  }
  const auto most = std::max_element(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
    return a.second.first < b.second.first;
  });
  if (most == lines.end() || all == 0) return "";
  const auto& [sum, place] = most->second;
  const std::uint64_t percent = 100 * sum / all;
  const char* const part = percent == 100  ? "All of it"
                           : percent >= 50 ? "Most of it"
                                           : "The largest part";
  return " " + std::string(part) + " comes from " + judge::show(place) + " (" +
         std::to_string(percent) + "%).";
}

/// Whether the counts cannot be true: a submission with a right result loaded nearly all inputs and
/// stored all outputs. "Nearly", because some members of a vector type may not matter.
bool contradicts_result(const Observation& observation) {
  constexpr double least_share = 0.75;
  const report::MemoryCounts counts = judge::cost_of(observation).kernels;
  const auto less = [](std::uint64_t counted, std::size_t needed) {
    return static_cast<double>(counted) < least_share * static_cast<double>(needed);
  };
  const std::uint64_t loaded =
      counts.global_loads.bytes_requested + counts.global_atomics.bytes_requested;
  const std::uint64_t stored =
      counts.global_stores.bytes_requested + counts.global_atomics.bytes_requested;
  return less(loaded, observation.needed_loads) || less(stored, observation.needed_stores);
}

/// Whether the observed blocks say too little of all: another one did far more than they.
bool has_heavier_blocks(const Observation& observation) {
  const auto& launches = observation.report.launches;
  return std::any_of(launches.begin(), launches.end(),
                     [](const report::LaunchReport& one) { return one.has_heavier_blocks; });
}

}  // namespace

double judge::figure_of(const Observation& observation, const TrafficMetric& metric) {
  const double useful = metric.useful(observation.problem);
  return useful > 0 ? static_cast<double>(metric.amount(cost_of(observation))) / useful : 0;
}

double warps_of_elements(const judge::Problem& problem) {
  constexpr double warp = 32;
  return static_cast<double>(problem.elements) / warp;
}

double warps_of_pairs(const judge::Problem& problem) {
  return static_cast<double>(problem.elements) * warps_of_elements(problem);
}

const TrafficMetric loads_per_element = {"loads_per_element", "global loads per element",
                                         judge::loaded_bytes, input_bytes};

const TrafficMetric stores_per_element = {"stores_per_element", "global stores per element",
                                          judge::stored_bytes, output_bytes};

const TrafficMetric sector_excess = {"sector_excess", "sector bytes wasted per useful byte",
                                     judge::wasted_bytes, useful_bytes};

const TrafficMetric bank_conflicts = {"bank_conflicts", "bank conflicts per 32 elements",
                                      judge::certain_conflicts, warps_of_elements};

const TrafficMetric shared_wavefronts = {"shared_wavefronts",
                                         "wavefronts of shared memory per 32 elements",
                                         judge::shared_wavefronts, warps_of_elements};

void Traffic::report(const TrafficMetric& metric) const {
  const double value = judge::figure_of(submission_, metric);
  if (!judge::options().profile || !std::isfinite(value)) return;
  judge::write_event(schema::Metric{submission_.call, metric.id, metric.unit, value});
}

bool Traffic::is_at_most(double factor, const TrafficMetric& metric, double least) const {
  if (has_heavier_blocks(submission_)) return false;
  const double own = judge::figure_of(submission_, metric);
  if (own <= least) return true;
  const std::optional<double> reference = judge::or_give_up([&] { return reference_(metric); });
  return !reference || own <= factor * *reference;
}

void Traffic::check_at_most(double factor, const TrafficMetric& metric, double least) const {
  if (whole_) {
    const std::optional<Traffic> whole =
        is_at_most(factor, metric, least) ? std::nullopt : whole_();
    if (whole) return whole->check_at_most(factor, metric, least);
    SUCCEED();
    return;
  }
  report(metric);
  if (contradicts_result(submission_)) {
    judge::fail_and_stop(
        {"The result is right, but the kernels loaded or stored too little for it: all of the work "
         "has to be done by kernels, which load the inputs and store the outputs themselves.",
         "host_work"});
  }
  const std::optional<double> reference = judge::or_give_up([&] { return reference_(metric); });
  if (!reference) {
    judge::stop_without_verdict(
        "this copy of the labs has neither the reference solution nor its figures.");
  }
  const double own = judge::figure_of(submission_, metric),
               baseline = judge::figure_of(baseline_, metric);
  const std::string figures = rounded(own) + " " + metric.unit + " (baseline " + rounded(baseline) +
                              ", reference " + rounded(*reference) + ").";
  if (own <= std::max(factor * *reference, least)) {
    SUCCEED();
    WARN(figures);
  } else {
    const std::string where =
        is_large_ ? " That is in " + submission_.call + ". Smaller calls do better." : "";
    judge::fail({figures + main_source(submission_, metric) + where, metric.id});
  }
}

}  // namespace tilelab

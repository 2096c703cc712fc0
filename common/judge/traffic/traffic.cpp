#include "judge/traffic/traffic.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <map>
#include <sstream>

#include "judge/calls/or_fail.h"
#include "judge/catch.h"
#include "judge/checks/profile.h"
#include "judge/checks/source_text.h"
#include "judge/options.h"
#include "judge/traffic/figures.h"
#include "judge/traffic/own_observations.h"
#include "judge/write_event.h"

namespace tilelab {
namespace {

using judge::Observation;
using report::AccessCounts;
using report::MemoryCounts;

constexpr double sector_bytes = 32;

/// What the kernels and the runtime's copies load, on every way: constant memory counts if device
/// memory was copied into it, and atomic operations count if they touch inputs.
double loads_per_input(const Observation& observation) {
  const MemoryCounts counts = total_counts(observation);
  std::uint64_t bytes = counts.global_loads.bytes_requested + observation.report.copied_bytes +
                        observation.report.atomic_input_bytes;
  if (observation.report.constants_hold_copies) bytes += counts.constant_loads.bytes_requested;
  return ratio(static_cast<double>(bytes), static_cast<double>(observation.input_bytes));
}

double moved_per_requested(const Observation& observation) {
  const MemoryCounts counts = total_counts(observation);
  AccessCounts global = counts.global_loads;
  global += counts.global_stores;
  return ratio(sector_bytes * static_cast<double>(global.sectors),
               static_cast<double>(global.bytes_requested));
}

/// nvcc may merge accesses to neighboring words, which can remove conflicts. Nobody is blamed for
/// those that might not be there.
std::uint64_t certain_conflicts(const MemoryCounts& counts) {
  return std::min(counts.shared_loads.bank_conflicts(),
                  counts.shared_loads.merged_bank_conflicts()) +
         std::min(counts.shared_stores.bank_conflicts(),
                  counts.shared_stores.merged_bank_conflicts());
}

double conflicts_per_request(const Observation& observation) {
  const MemoryCounts counts = total_counts(observation);
  AccessCounts shared = counts.shared_loads;
  shared += counts.shared_stores;
  return ratio(static_cast<double>(certain_conflicts(counts)),
               static_cast<double>(shared.requests));
}

std::uint64_t scaled(std::uint64_t count, const report::LaunchReport& launch) {
  if (launch.observed_blocks == launch.blocks || launch.observed_blocks == 0) return count;
  return static_cast<std::uint64_t>(static_cast<double>(count) *
                                    static_cast<double>(launch.blocks) /
                                    static_cast<double>(launch.observed_blocks));
}

void scale(AccessCounts& counts, const report::LaunchReport& launch) {
  for (std::uint64_t* count :
       {&counts.instructions, &counts.requests, &counts.thread_accesses, &counts.bytes_requested,
        &counts.sectors, &counts.wavefronts, &counts.ideal_wavefronts, &counts.merged_requests,
        &counts.merged_wavefronts, &counts.merged_ideal_wavefronts}) {
    *count = scaled(*count, launch);
  }
}

std::string rounded(double value) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(2) << value;
  return text.str();
}

/// The line that adds most to a metric, with its share: " Most of it comes from diff.cu:9 `...`
/// (50%)."
std::string main_source(const Observation& observation, const TrafficMetric& metric) {
  if (metric.of_line == nullptr) return "";
  std::map<std::pair<std::string, unsigned>, std::pair<std::uint64_t, report::SourcePlace>> lines;
  std::uint64_t all = 0;
  for (const report::LaunchReport& launch : observation.report.launches) {
    for (const report::LineCounts& line : launch.lines) {
      auto& [sum, place] = lines[{line.place.file, line.place.line}];
      sum += metric.of_line(line.counts);
      place = line.place;
      all += metric.of_line(line.counts);
    }
  }
  const auto most = std::max_element(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
    return a.second.first < b.second.first;
  });
  if (most == lines.end() || all == 0) return "";
  const auto& [sum, place] = most->second;
  return " Most of it comes from " + judge::show(place) + " (" + std::to_string(100 * sum / all) +
         "%).";
}

/// Whether the counts cannot be true: a submission with a right result loaded nearly all inputs and
/// stored all outputs. "Nearly", because some members of a vector type may not matter.
bool contradicts_result(const Observation& observation) {
  constexpr double least_share = 0.75;
  const MemoryCounts counts = total_counts(observation);
  const auto less = [](std::uint64_t counted, std::size_t needed) {
    return static_cast<double>(counted) < least_share * static_cast<double>(needed);
  };
  const std::uint64_t loaded =
      counts.global_loads.bytes_requested + counts.global_atomics.bytes_requested;
  const std::uint64_t stored =
      counts.global_stores.bytes_requested + counts.global_atomics.bytes_requested;
  return less(loaded, observation.needed_loads) || less(stored, observation.needed_stores);
}

/// The figures of an observed call of the reference solution.
Traffic::Reference figures_of(Observation reference) {
  return [reference = std::move(reference)](const TrafficMetric& metric) {
    return metric.of(reference);
  };
}

/// The same, and each of them is reported.
Traffic::Reference reported(const std::string& call, const Observation& reference) {
  return [call, of = figures_of(reference)](const TrafficMetric& metric) {
    const std::optional<double> value = of(metric);
    judge::report_figure(call, metric.id, *value);
    return value;
  };
}

/// What the reference solution does in this call, as its worker or the file of figures says.
Traffic::Reference reference_in(const judge::Function& function,
                                const std::vector<judge::CallArgument>& arguments) {
  if (judge::options().workers.contains("reference")) {
    return figures_of(judge::observe_own("reference", function, arguments));
  }
  return [call = judge::sizes_of(function, arguments)](const TrafficMetric& metric) {
    return judge::known_figure(call, metric.id);
  };
}

}  // namespace

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

const TrafficMetric loads_per_element = {
    "loads_per_element", "global loads per element", loads_per_input,
    [](const MemoryCounts& counts) { return counts.global_loads.bytes_requested; }};

const TrafficMetric sector_excess = {"sector_excess", "sector bytes per byte requested",
                                     moved_per_requested, [](const MemoryCounts& counts) {
                                       return counts.global_loads.sectors +
                                              counts.global_stores.sectors;
                                     }};

const TrafficMetric bank_conflicts = {"bank_conflicts", "bank conflicts per shared request",
                                      conflicts_per_request, certain_conflicts};

MemoryCounts judge::total_counts(const Observation& observation) {
  MemoryCounts sum;
  for (const report::LaunchReport& launch : observation.report.launches) {
    MemoryCounts counts = launch.totals;
    schema::for_each_field<MemoryCounts>(
        [&](const auto& access) { scale(counts.*access.member, launch); });
    sum += counts;
  }
  return sum;
}

void Traffic::report(const TrafficMetric& metric) const {
  const double value = metric.of(submission_);
  if (!judge::options().profile || !std::isfinite(value)) return;
  judge::write_event(schema::Metric{submission_.call, metric.id, metric.unit, value});
}

void Traffic::check_at_most(double factor, const TrafficMetric& metric, double least) const {
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
  const double own = metric.of(submission_), baseline = metric.of(baseline_);
  const std::string figures = rounded(own) + " " + metric.unit + " (baseline " + rounded(baseline) +
                              ", reference " + rounded(*reference) + ").";
  if (own <= factor * std::max(*reference, least)) {
    SUCCEED();
    WARN(figures);
  } else {
    judge::fail({figures + main_source(submission_, metric), metric.id});
  }
}

Traffic judge::observe_traffic(const Function& function, const std::vector<CallArgument>& arguments,
                               RunResult& submission_result) {
  Observation submission = or_fail(
      [&] { return observe("submission", function, arguments, Detail::counts, Order::ascending); });
  if (submission.failure) fail_and_stop(*submission.failure);
  submission_result = submission.result;
  write_profile(describe(function, arguments), submission);
  if (options().profile) return {submission, submission, figures_of(submission)};
  if (options().sizes_per_draw > 0) {
    return {submission, submission, reported(sizes_of(function, arguments), submission)};
  }
  return or_give_up([&]() -> Traffic {
    return {std::move(submission), observe_own("baseline", function, arguments),
            reference_in(function, arguments)};
  });
}

}  // namespace tilelab

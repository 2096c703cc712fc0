#include "judge/speed/sampling.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "judge/options.h"
#include "judge/speed/gpu_clock.h"
#include "judge/speed/peak.h"
#include "judge/worker/errors.h"
#include "judge/worker/workers.h"

namespace tilelab::judge {
namespace {

constexpr std::size_t fewest_rounds = 9;
constexpr std::size_t most_discarded = 20;

// nvbench stops at the same relative noise. It is meant for a speedup of e, or less.
constexpr double half_width_at_e = 0.005;

const std::string peaks_name = "peaks";

SpeedSample operator+(const SpeedSample& a, const SpeedSample& b) {
  return {a.judge + b.judge, a.device + b.device, a.cold + b.cold,
          a.warm + b.warm,   a.turn + b.turn,     b.clock};
}

std::vector<std::string> contender_names() {
  std::vector<std::string> names;
  for (const auto& [name, program] : options().workers) {
    if (name != peaks_name) names.push_back(name);
  }
  return names;
}

/// Whether the verdict needs this worker in every round.
bool is_graded(const std::string& name) {
  return name == "submission" || name == "baseline" || name == "reference";
}

/// The sample without the changes before a launch, which took `turn` seconds.
SpeedSample without_turns(SpeedSample sample, double turn) {
  // Less than nothing cannot be left, whatever a submission makes of its times.
  const auto rest = [&](double seconds) { return std::max(seconds - turn, 0.01 * seconds); };
  sample.judge = rest(sample.judge);
  sample.device = rest(sample.device);
  sample.cold = rest(sample.cold);
  sample.warm = rest(sample.warm);
  return sample;
}

/// One worker, once per problem.
using Team = std::vector<std::unique_ptr<Contender>>;

std::unique_ptr<Contender> make_contender(const std::string& name, const SpeedProblem& problem,
                                          const GpuClock& clock, bool fresh) {
  return std::make_unique<Contender>(name, problem, clock,
                                     fresh ? freshness_for(problem) : Freshness::none);
}

Team make_team(const std::string& name, const std::vector<SpeedProblem>& problems,
               const GpuClock& clock, bool fresh) {
  Team team;
  for (const SpeedProblem& problem : problems) {
    team.push_back(make_contender(name, problem, clock, fresh));
  }
  return team;
}

/// All that is timed: the workers and the peak.
class Field {
 public:
  Field(const std::vector<SpeedProblem>& problems, const LeastWork& least_work, const Sampling& how)
      : problems_(problems),
        rounds_for_others_(how.rounds_for_others),
        clock_(worker("baseline").start().bus_id) {
    for (const std::string& name : contender_names()) {
      naming(name, [&] { teams_[name] = make_team(name, problems, clock_, how.fresh); });
      worker(name).pause();
    }
    if (options().workers.contains(peaks_name)) {
      peak_.emplace(least_work);
      naming(peaks_name, [&] {
        peak_contender_ = make_contender(peaks_name, peak_->problem(), clock_, how.fresh);
      });
      worker(peaks_name).pause();
    }
  }

  /// Adds a round, unless the clock was slowed down in it.
  void take_round(SpeedSamples& samples, Random& random) {
    slowed_ = false;
    std::map<std::string, SpeedSample> round = measure_teams(samples.rounds(), random);
    const std::optional<SpeedSample> peak = measure_peak(random);
    samples.sm_mhz = median(clocks_);
    if (slowed_) {
      ++samples.discarded;
      return;
    }
    for (const auto& [name, sample] : round) samples.contenders[name].push_back(sample);
    if (peak) samples.peaks.push_back(peak_->least_seconds((*peak).*samples.clock));
  }

 private:
  template <class F>
  static void naming(const std::string& name, F&& action) {
    try {
      action();
    } catch (const SubmissionError& error) {
      if (name == "submission") throw;
      throw InfrastructureError("the lab's own " + name + " failed: " + error.what());
    }
  }

  /// The contenders of a round, in a random order.
  std::vector<std::string> order_of(std::size_t round, Random& random) const {
    std::vector<std::string> order;
    for (const std::string& name : contender_names()) {
      if (round < rounds_for_others_ || is_graded(name)) order.push_back(name);
    }
    std::shuffle(order.begin(), order.end(), std::mt19937_64(random.bits()));
    return order;
  }

  std::map<std::string, SpeedSample> measure_teams(std::size_t number, Random& random) {
    std::map<std::string, SpeedSample> round;
    // Problems take turns, because they may share the arrays that results are checked against.
    for (std::size_t p = 0; p < problems_.size(); ++p) {
      RoundInputs inputs(problems_[p], random);
      std::map<std::string, SpeedSample> samples;
      for (const std::string& name : order_of(number, random)) {
        samples[name] = measure(name, *teams_[name][p], inputs, random);
      }
      // A submission could make the changes before a launch look slow, so it has the baseline's.
      if (samples.contains("submission")) {
        samples["submission"].turn = samples["baseline"].turn;
      }
      for (const auto& [name, sample] : samples) {
        round[name] = round[name] + without_turns(sample, sample.turn);
      }
    }
    return round;
  }

  std::optional<SpeedSample> measure_peak(Random& random) {
    if (!peak_) return std::nullopt;
    RoundInputs inputs(peak_->problem(), random);
    const SpeedSample sample = measure(peaks_name, *peak_contender_, inputs, random);
    return without_turns(sample, sample.turn);
  }

  SpeedSample measure(const std::string& name, Contender& contender, RoundInputs& inputs,
                      Random& random) {
    SpeedSample sample;
    // A worker that waits for its turn is stopped, so that its threads cannot disturb the others.
    worker(name).resume();
    naming(name, [&] { sample = contender.measure(inputs, random); });
    worker(name).pause();
    clocks_.push_back(sample.clock.sm_mhz);
    // Each worker has a fastest clock of its own: a kernel that takes more power runs at a lower
    // one.
    unsigned& fastest = fastest_mhz_[name];
    fastest = std::max(fastest, sample.clock.sm_mhz);
    slowed_ = slowed_ || is_slowed(sample.clock, fastest);
    return sample;
  }

  const std::vector<SpeedProblem>& problems_;
  std::size_t rounds_for_others_;
  GpuClock clock_;
  std::map<std::string, Team> teams_;
  std::optional<PeakProblem> peak_;
  std::unique_ptr<Contender> peak_contender_;
  std::vector<double> clocks_;
  std::map<std::string, unsigned> fastest_mhz_;
  bool slowed_ = false;
};

bool known_well_enough(const SpeedSamples& samples) {
  const double enough = samples.good_half_width();
  for (const auto& [name, all] : samples.contenders) {
    const bool is_complete = all.size() == samples.rounds();
    if (is_complete && samples.speedup(name, "baseline").half_width() > enough) return false;
  }
  return true;
}

/// The ratios of the rounds that both have.
std::vector<double> ratios(const std::vector<double>& above, const std::vector<double>& below) {
  std::vector<double> result;
  const std::size_t rounds = std::min(above.size(), below.size());
  for (std::size_t i = 0; i < rounds; ++i) result.push_back(above[i] / below[i]);
  return result;
}

std::vector<double> times(const std::vector<SpeedSample>& samples, double SpeedSample::*by) {
  std::vector<double> result;
  for (const SpeedSample& sample : samples) result.push_back(sample.*by);
  return result;
}

}  // namespace

double SpeedSamples::seconds(const std::string& contender, double SpeedSample::*by) const {
  return median(times(contenders.at(contender), by));
}

Interval SpeedSamples::speedup(const std::string& contender, const std::string& over) const {
  return median_interval(
      ratios(times(contenders.at(over), clock), times(contenders.at(contender), clock)));
}

double SpeedSamples::good_half_width() const {
  if (!contenders.contains("reference")) return half_width_at_e;
  return half_width_at_e * std::max(1.0, std::log(speedup("reference", "baseline").value));
}

Interval SpeedSamples::share_of_peak(const std::string& contender) const {
  return median_interval(ratios(peaks, times(contenders.at(contender), clock)));
}

SpeedSamples take_samples(const std::vector<SpeedProblem>& problems, const LeastWork& least_work,
                          const Sampling& how) {
  Random random(fewest_rounds);
  Field field(problems, least_work, how);
  SpeedSamples samples;
  samples.clock = how.clock;
  const Clock::time_point start = Clock::now();
  const auto more_would_help = [&] {
    return samples.rounds() < options().most_rounds &&
           seconds_since(start) <= how.seconds_for_more && !known_well_enough(samples);
  };
  while (samples.rounds() < fewest_rounds || more_would_help()) {
    field.take_round(samples, random);
    if (static_cast<std::size_t>(samples.discarded) > most_discarded) {
      throw InfrastructureError(
          "the GPU's clock was slowed down again and again, by heat or by its power supply");
    }
  }
  return samples;
}

}  // namespace tilelab::judge

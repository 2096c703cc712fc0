#include "judge/speed.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

#include "judge/catch.h"
#include "judge/images.h"
#include "judge/options.h"
#include "judge/or_fail.h"
#include "judge/submission.h"

namespace tilelab {
namespace {

using judge::Clock;
using judge::Worker;
using Sample = judge::SpeedSample;

const std::array<std::string, 3> contenders = {"submission", "baseline", "reference"};

constexpr int rounds = 9;

// Long against the round trip of a message (tens of microseconds), short against a student's
// patience.
constexpr double batch_seconds = 0.02;
constexpr std::uint32_t most_launches = 2000;

// Sending a gigabyte to the device is the harness's business and has a limit of its own.
constexpr double transfer_seconds = 60;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::size_t bytes_per_set(const SpeedProblem& problem) {
  std::size_t bytes = 0;
  for (const judge::CallArgument& argument : problem.arguments) bytes += argument.bytes;
  return bytes;
}

/// Enough sets of buffers that a round trip through them leaves nothing useful in the L2 cache.
std::uint32_t set_count(std::size_t set_bytes, std::size_t l2_bytes) {
  constexpr std::size_t fewest = 2, most = 16;
  return static_cast<std::uint32_t>(std::clamp(
      (4 * l2_bytes + set_bytes - 1) / std::max<std::size_t>(set_bytes, 1), fewest, most));
}

/// The conversation with one worker over one timed problem.
class Contender {
 public:
  Contender(const std::string& name, const SpeedProblem& problem)
      : worker_(judge::worker(name)),
        problem_(problem),
        subject_(judge::describe(problem.function, problem.arguments)),
        sets_(set_count(bytes_per_set(problem), worker_.start().l2_cache)) {}

  Sample measure(const judge::Images& images, Random& random) {
    load(images);
    if (launches_ == 0) {
      run(1, random);  // warms up: code goes to the device with the first launch
      launches_ = launches_for(run(1, random).judge);
    }
    const Sample sample = run(launches_, random);
    unload();
    return sample;
  }

 private:
  static std::uint32_t launches_for(double seconds) {
    return static_cast<std::uint32_t>(
        std::clamp(batch_seconds / seconds, 1.0, static_cast<double>(most_launches)));
  }

  wire::Request request(wire::Command command) const {
    wire::Request result;
    result.command = command;
    result.function = problem_.function.index;
    return result;
  }

  wire::Reply ask(const wire::Request& request, double seconds,
                  const judge::MemoryFile* images = nullptr,
                  const judge::MemoryFile* results = nullptr) {
    const judge::Limits limits{seconds, judge::memory_limit_for(bytes_per_set(problem_))};
    return worker_.ask(request, images, results, limits, subject_);
  }

  void load(const judge::Images& images) {
    wire::Request message = request(wire::Command::load);
    images.describe_in(message);
    message.sets = sets_;
    ask(message, transfer_seconds, &images.file());
  }

  void unload() { ask(request(wire::Command::load), transfer_seconds); }

  Sample run(std::uint32_t launches, Random& random) {
    wire::Request message = request(wire::Command::prepare);
    message.poison = static_cast<std::uint32_t>(random.below(256));
    ask(message, transfer_seconds);

    message = request(wire::Command::run);
    message.launches = launches;
    const std::uint32_t last_set = (launches - 1) % sets_;
    const Clock::time_point start = Clock::now();
    const wire::Reply reply = ask(message, judge::options().time_limit);
    // An answer that came before the work was done is worth nothing: the clock stops when results
    // are here.
    check_slice(last_set, 64, random);
    const double seconds = seconds_since(start);
    for (std::uint32_t set = 0; set < std::min(sets_, launches); ++set) {
      check_slice(set, 1 << 20, random);
    }
    return {seconds / launches, reply.device_ms / 1000 / launches};
  }

  /// Reads a random piece, at most `most_bytes` long, of a random output of a set.
  void check_slice(std::uint32_t set, std::size_t most_bytes, Random& random) {
    std::vector<std::uint32_t> outputs;
    for (std::uint32_t i = 0; i < problem_.arguments.size(); ++i) {
      if (problem_.arguments[i].role == wire::Role::output) outputs.push_back(i);
    }
    const std::uint32_t index = outputs[random.below(outputs.size())];
    const judge::CallArgument& argument = problem_.arguments[index];
    const std::size_t elements = argument.bytes / argument.element_bytes;
    const std::size_t count = std::min(elements, most_bytes / argument.element_bytes);
    const std::size_t first = random.below(elements - count + 1);

    judge::MemoryFile results(count * argument.element_bytes,
                              judge::MemoryFile::Writer::worker_too);
    wire::Request message = request(wire::Command::read);
    message.read_set = set;
    message.read_argument = index;
    message.read_offset = first * argument.element_bytes;
    message.read_bytes = results.bytes().size();
    ask(message, transfer_seconds, nullptr, &results);
    if (!problem_.right({argument.name, first, results.bytes()})) {
      std::ostringstream text;
      text << subject_ << " was wrong while it was timed: in " << argument.name << "[" << first
           << " ... " << first + count - 1 << "]. Does it depend on an earlier call?";
      throw judge::SubmissionError(text.str());
    }
  }

  Worker& worker_;
  const SpeedProblem& problem_;
  std::string subject_;
  std::uint32_t sets_;
  std::uint32_t launches_ = 0;
};

double median_of(const std::vector<Sample>& samples, double Sample::*clock) {
  std::vector<double> values;
  for (const Sample& sample : samples) values.push_back(sample.*clock);
  return median(values);
}

void write_metrics(const judge::SpeedSamples& samples) {
  if (judge::options().metrics.empty()) return;
  std::ofstream file(judge::options().metrics, std::ios::app);
  file << "{\"criterion\": \"speed\"";
  for (const std::string& name : contenders) {
    const std::string key = name == "submission" ? "student" : name;
    file << ", \"" << key << "_ms\": " << 1000 * median_of(samples.at(name), &Sample::judge)
         << ", \"" << key
         << "_device_ms\": " << 1000 * median_of(samples.at(name), &Sample::device);
  }
  file << ", \"speedup\": " << judge::speedup(samples, "submission")
       << ", \"reference_speedup\": " << judge::speedup(samples, "reference")
       << ", \"rounds\": " << rounds << "}" << std::endl;
}

/// The submission's own events should say what the judge's clock says; where they saw far less, the
/// GPU was not what took the time.
void cross_check(const std::vector<Sample>& samples) {
  const double share = median_of(samples, &Sample::device) / median_of(samples, &Sample::judge);
  if (!(share > 0.5)) {
    WARN("Device events saw only "
         << 100 * share << "% of the time that the calls took: launches, "
         << "copies or allocations keep the GPU waiting. The judge's clock counts.");
  }
}

}  // namespace

judge::SpeedSamples judge::take_samples(const SpeedProblem& problem) {
  Random random(rounds);
  SpeedSamples samples;
  std::map<std::string, std::unique_ptr<Contender>> all;
  std::string current;
  try {
    for (const std::string& name : contenders) {
      current = name;
      all[name] = std::make_unique<Contender>(name, problem);
    }
    for (int round = 0; round < rounds; ++round) {
      problem.fresh(random);
      const Images images(problem.arguments, Images::Contents::inputs_only, random);
      std::vector<std::string> order(contenders.begin(), contenders.end());
      std::shuffle(order.begin(), order.end(), std::mt19937_64(random.bits()));
      for (const std::string& name : order) {
        current = name;
        samples[name].push_back(all[name]->measure(images, random));
      }
    }
  } catch (const SubmissionError& error) {
    if (current == "submission") throw;
    throw InfrastructureError("the lab's own " + current + " failed: " + error.what());
  }
  return samples;
}

judge::SpeedSamples judge::sum_of(const std::vector<SpeedSamples>& per_problem) {
  SpeedSamples sum = per_problem.front();
  for (std::size_t p = 1; p < per_problem.size(); ++p) {
    for (auto& [name, samples] : sum) {
      for (std::size_t i = 0; i < samples.size(); ++i) {
        samples[i].judge += per_problem[p].at(name)[i].judge;
        samples[i].device += per_problem[p].at(name)[i].device;
      }
    }
  }
  return sum;
}

double judge::speedup(const SpeedSamples& samples, const std::string& contender) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < samples.at(contender).size(); ++i) {
    ratios.push_back(samples.at("baseline")[i].judge / samples.at(contender)[i].judge);
  }
  return median(ratios);
}

void measure_speed(const SpeedProblem& problem) { measure_speed(std::vector{problem}); }

void measure_speed(const std::vector<SpeedProblem>& problems) {
  judge::SpeedSamples samples = judge::or_fail([&] {
    std::vector<judge::SpeedSamples> per_problem;
    for (const SpeedProblem& problem : problems) {
      per_problem.push_back(judge::take_samples(problem));
    }
    return judge::sum_of(per_problem);
  });
  SUCCEED();
  cross_check(samples["submission"]);
  write_metrics(samples);
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

#include "judge/contender.h"

#include <algorithm>
#include <sstream>

#include "judge/options.h"
#include "judge/submission.h"

namespace tilelab::judge {
namespace {

// Long against the round trip of a message (tens of microseconds), short against a student's
// patience.
constexpr double batch_seconds = 0.02;
constexpr std::uint32_t most_launches = 2000;

// Sending a gigabyte to the device is the harness's business and has a limit of its own.
constexpr double transfer_seconds = 60;

// One of the first samples, nobody knows which, has all of its results checked.
constexpr std::uint64_t samples_to_choose_from = 5;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::size_t bytes_per_set(const SpeedProblem& problem) {
  std::size_t bytes = 0;
  for (const CallArgument& argument : problem.arguments) bytes += argument.bytes;
  return bytes;
}

/// Enough sets of buffers that a round trip through them leaves nothing useful in the L2 cache.
std::uint32_t set_count(std::size_t set_bytes, std::size_t l2_bytes) {
  constexpr std::size_t fewest = 2, most = 64;
  return static_cast<std::uint32_t>(std::clamp(
      (4 * l2_bytes + set_bytes - 1) / std::max<std::size_t>(set_bytes, 1), fewest, most));
}

std::uint32_t launches_for(double seconds) {
  return static_cast<std::uint32_t>(
      std::clamp(batch_seconds / seconds, 1.0, static_cast<double>(most_launches)));
}

std::vector<std::size_t> outputs_of(const SpeedProblem& problem) {
  std::vector<std::size_t> outputs;
  for (std::size_t i = 0; i < problem.arguments.size(); ++i) {
    if (problem.arguments[i].role == wire::Role::output) outputs.push_back(i);
  }
  return outputs;
}

std::size_t elements_of(const CallArgument& argument) {
  return argument.bytes / argument.element_bytes;
}

}  // namespace

Contender::Contender(const std::string& name, const SpeedProblem& problem)
    : worker_(worker(name)),
      problem_(problem),
      subject_(describe(problem.function, problem.arguments)),
      sets_(set_count(bytes_per_set(problem), worker_.start().l2_cache)),
      checked_in_full_(static_cast<int>(Random(name.size()).below(samples_to_choose_from))) {}

SpeedSample Contender::measure(const Images& images, Random& random) {
  load(images);
  if (launches_ == 0) {
    run(1, Check::samples, random);  // code goes to the device with the first launch
    launches_ = launches_for(run(1, Check::samples, random).judge);
  }
  const Timed cold = run(1, Check::samples, random);
  run(launches_, Check::samples, random);  // warms up: clocks fall while nothing runs
  const Check check = samples_++ == checked_in_full_ ? Check::everything : Check::samples;
  const Timed batch = run(launches_, check, random);
  unload();
  return {batch.judge, batch.device, cold.device};
}

wire::Request Contender::request(wire::Command command) const {
  wire::Request result;
  result.command = command;
  result.function = problem_.function.index;
  return result;
}

wire::Reply Contender::ask(const wire::Request& request, double seconds, const MemoryFile* images,
                           const MemoryFile* results) {
  const Limits limits{seconds, memory_limit_for(bytes_per_set(problem_))};
  return worker_.ask(request, images, results, limits, subject_);
}

void Contender::load(const Images& images) {
  wire::Request message = request(wire::Command::load);
  images.describe_in(message);
  message.sets = sets_;
  ask(message, transfer_seconds, &images.file());
}

void Contender::unload() { ask(request(wire::Command::load), transfer_seconds); }

Contender::Timed Contender::run(std::uint32_t launches, Check check, Random& random) {
  wire::Request message = request(wire::Command::prepare);
  message.poison = static_cast<std::uint32_t>(random.below(256));
  ask(message, transfer_seconds);

  message = request(wire::Command::run);
  message.launches = launches;
  const std::uint32_t last_set = (launches - 1) % sets_;
  const Clock::time_point start = Clock::now();
  const wire::Reply reply = ask(message, options().time_limit);
  // An answer that came before the work was done is worth nothing: the clock stops when results
  // are here.
  check_somewhere(last_set, 64, random);
  const double seconds = seconds_since(start);
  for (std::uint32_t set = 0; set < std::min(sets_, launches); ++set) {
    check_somewhere(set, 1 << 20, random);
  }
  if (check == Check::everything) check_all(last_set);
  return {seconds / launches, reply.device_ms / 1000 / launches};
}

void Contender::check_somewhere(std::uint32_t set, std::size_t most_bytes, Random& random) {
  const std::vector<std::size_t> outputs = outputs_of(problem_);
  const std::size_t index = outputs[random.below(outputs.size())];
  const CallArgument& argument = problem_.arguments[index];
  const std::size_t elements = elements_of(argument);
  const std::size_t count = std::min(elements, most_bytes / argument.element_bytes);
  check_slice(set, index, random.below(elements - count + 1), count);
}

void Contender::check_all(std::uint32_t set) {
  constexpr std::size_t most_bytes = std::size_t{1} << 26;  // of host memory at a time
  for (const std::size_t index : outputs_of(problem_)) {
    const CallArgument& argument = problem_.arguments[index];
    const std::size_t step = most_bytes / argument.element_bytes;
    for (std::size_t first = 0; first < elements_of(argument); first += step) {
      check_slice(set, index, first, std::min(step, elements_of(argument) - first));
    }
  }
}

void Contender::check_slice(std::uint32_t set, std::size_t index, std::size_t first,
                            std::size_t count) {
  const CallArgument& argument = problem_.arguments[index];
  MemoryFile results(count * argument.element_bytes, MemoryFile::Writer::worker_too);
  wire::Request message = request(wire::Command::read);
  message.read_set = set;
  message.read_argument = static_cast<std::uint32_t>(index);
  message.read_offset = first * argument.element_bytes;
  message.read_bytes = results.bytes().size();
  ask(message, transfer_seconds, nullptr, &results);
  if (problem_.right({argument.name, first, results.bytes()})) return;
  std::ostringstream text;
  text << subject_ << " was wrong while it was timed: in " << argument.name << "[" << first
       << " ... " << first + count - 1 << "]. Does it depend on an earlier call?";
  throw SubmissionError(text.str());
}

}  // namespace tilelab::judge

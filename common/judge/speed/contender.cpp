#include "judge/speed/contender.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

#include "contract/turn.h"
#include "judge/options.h"
#include "judge/worker/errors.h"
#include "judge/worker/limits.h"
#include "judge/worker/workers.h"

namespace tilelab::judge {
namespace {

// The end of a batch is known to a few tenths of a millisecond, which differ from batch to batch: a
// message, a download, a process that wakes up. So batches take much longer than that, and equally
// long for all contenders.
double batch_seconds(Freshness freshness) {
  // Shorter if each launch costs the judge a draw.
  return freshness == Freshness::own_inputs ? 0.07 : 0.1;
}

constexpr std::uint32_t most_launches = 10'000;

// The harness, not the submission, sends gigabytes to the device, so that has its own limit.
constexpr double transfer_seconds = 60;

// One of the submission's first samples, chosen in secret, has all of its results checked. Other
// workers run the lab's own kernels, and such a check can take seconds.
constexpr std::uint64_t samples_to_choose_from = 5;

int sample_to_check_in_full(const std::string& name) {
  constexpr int none = -1;
  if (name != "submission") return none;
  return static_cast<int>(Random(samples_to_choose_from).below(samples_to_choose_from));
}

std::size_t bytes_per_set(const SpeedProblem& problem) {
  std::size_t bytes = 0;
  for (const CallArgument& argument : problem.arguments) bytes += argument.bytes;
  return bytes;
}

std::uint32_t launches_for(double all, double one) {
  return static_cast<std::uint32_t>(std::clamp(all / one, 1.0, static_cast<double>(most_launches)));
}

bool reads_what_it_writes(const SpeedProblem& problem) {
  return std::any_of(
      problem.arguments.begin(), problem.arguments.end(),
      [](const CallArgument& argument) { return argument.role == wire::Role::inout; });
}

/// The arguments that hold results.
std::vector<std::size_t> outputs_of(const SpeedProblem& problem) {
  std::vector<std::size_t> outputs;
  for (std::size_t i = 0; i < problem.arguments.size(); ++i) {
    if (wire::is_written(problem.arguments[i].role)) outputs.push_back(i);
  }
  return outputs;
}

/// Those of them that are arrays. The worker keeps samples of them.
std::vector<std::size_t> output_arrays_of(const SpeedProblem& problem) {
  std::vector<std::size_t> arrays = outputs_of(problem);
  std::erase_if(arrays, [&](std::size_t i) {
    return !wire::is_array(problem.arguments[i].role) || problem.arguments[i].bytes == 0;
  });
  return arrays;
}

std::size_t elements_of(const CallArgument& argument) {
  return argument.bytes / argument.element_bytes;
}

}  // namespace

Freshness freshness_for(const SpeedProblem& problem) {
  constexpr std::size_t most_own_bytes = std::size_t{16} << 20;
  const std::size_t bytes = problem_of(problem.arguments).input_bytes;
  return bytes <= most_own_bytes ? Freshness::own_inputs : Freshness::turns;
}

Contender::Contender(const std::string& name, const SpeedProblem& problem, const GpuClock& clock,
                     Freshness freshness)
    : worker_(worker(name)),
      problem_(problem),
      clock_(clock),
      subject_(describe(problem.function, problem.arguments)),
      freshness_(freshness),
      checked_in_full_(sample_to_check_in_full(name)) {
  worker_.start();
}

SpeedSample Contender::measure(RoundInputs& inputs, Random& random) {
  if (launches_ == 0) choose_launches(inputs, random);
  load(sets_for(launches_), 0, inputs);
  SpeedSample sample;
  sample.cold = run(1, Check::samples, inputs, random).device;
  sample.warm = warm_up(random);
  sample.turn = time_turns(random);
  const Check check = samples_++ == checked_in_full_ ? Check::everything : Check::samples;
  auto clock = clock_.read_in(batch_seconds(freshness_) / 2);
  const Timed batch = run(launches_, check, inputs, random);
  sample.judge = batch.judge;
  sample.device = batch.device;
  sample.clock = clock.get();
  // What the last launches left allocated would be in the way of the next contender.
  prepare(random);
  ask(request(wire::Command::unload), transfer_seconds);
  return sample;
}

/// The most sets that a quarter of the GPU's memory holds, apart from other limits.
std::uint32_t Contender::most_sets() const {
  constexpr std::size_t fewest = 3;
  const std::size_t limit = freshness_ == Freshness::own_inputs ? 128 : 64;
  const std::size_t fitting = worker_.start().device_memory / 4 / bytes_per_set(problem_);
  return static_cast<std::uint32_t>(std::clamp(fitting, fewest, limit));
}

std::uint32_t Contender::sets_for(std::uint32_t launches) const {
  if (freshness_ == Freshness::own_inputs) return 1 + launches;
  // So many that nothing useful is left in the L2 cache when a set is used again. A request starts
  // a launch per set; several keep the GPU busy until the next request comes.
  constexpr std::size_t fewest = 8;
  const std::size_t to_flush = 4 * worker_.start().l2_cache / bytes_per_set(problem_) + 1;
  return std::min(static_cast<std::uint32_t>(std::max(to_flush, fewest)), most_sets() - 1);
}

void Contender::choose_launches(RoundInputs& inputs, Random& random) {
  std::uint32_t most = most_launches;
  if (freshness_ == Freshness::own_inputs) most = most_sets() - 1;  // a cold launch comes first
  constexpr std::uint32_t tries = 12;
  // The draws of these launches must not come again.
  constexpr std::uint32_t far_draw = 1 << 20;
  const bool own = freshness_ == Freshness::own_inputs;
  load(own ? std::min(tries, most_sets()) : sets_for(1), own ? far_draw : 0, inputs);
  run(1, Check::samples, inputs, random);  // the first launch also sends the code to the device
  // A single launch may take less time than the request for it, so a few are timed first.
  const double seconds = batch_seconds(freshness_);
  std::uint32_t few = launches_for(seconds / 10, run(1, Check::samples, inputs, random).judge);
  if (own) few = std::min(few, sets_ - next_set_);
  launches_ = launches_for(seconds, run(few, Check::samples, inputs, random).judge);
  launches_ = std::min(launches_, most);
  ask(request(wire::Command::unload), transfer_seconds);
}

void Contender::load(std::uint32_t sets, std::uint32_t first_draw, RoundInputs& inputs) {
  sets_ = sets;
  next_set_ = 0;
  first_draw_ = first_draw;
  // One more set keeps the inputs as they were.
  originals_ = freshness_ == Freshness::turns || reads_what_it_writes(problem_) ? sets : 0;
  const std::uint32_t kept = originals_ == 0 ? 0 : 1;
  if (freshness_ != Freshness::own_inputs) return load(inputs.images(0), sets + kept);
  for (std::uint32_t i = 0; i < sets; ++i) load(inputs.images(first_draw + i), 1);
  // Those of the set that launches use to warm up.
  if (kept > 0) load(inputs.images(first_draw), 1);
}

void Contender::load(const Images& images, std::uint32_t sets) {
  wire::Request message = request(wire::Command::load);
  images.describe_in(message);
  message.sets = sets;
  ask(message, transfer_seconds, &images.file());
}

void Contender::prepare(Random& random) {
  wire::Request message = request(wire::Command::prepare);
  message.seed = random.bits();
  const std::uint64_t held = ask(message, transfer_seconds).held_bytes;
  if (held <= worker_.start().device_memory / 4) return;
  constexpr double gib = std::uint64_t{1} << 30;
  std::ostringstream text;
  text << std::fixed << std::setprecision(1) << subject_ << " left "
       << static_cast<double>(held) / gib
       << " GiB of the GPU's memory allocated: free what a call allocates, or reuse it in the next "
          "call.";
  throw SubmissionError(text.str());
}

wire::Request Contender::request(wire::Command command) const {
  wire::Request result;
  result.command = command;
  result.function = problem_.function.index;
  return result;
}

wire::Reply Contender::ask(const wire::Request& request, double seconds, const MemoryFile* images,
                           const MemoryFile* results) {
  const Limits limits{seconds, memory_limit_for(bytes_per_set(problem_) * (sets_ + 1))};
  return worker_.ask(request, images, results, limits, subject_);
}

Contender::Timed Contender::run(std::uint32_t launches, Check check, RoundInputs& inputs,
                                Random& random) {
  prepare(random);
  Batch batch;
  const Clock::time_point start_time = Clock::now();
  // A set that one launch uses holds what its inputs were.
  const std::uint32_t originals = freshness_ == Freshness::own_inputs ? 0 : originals_;
  const wire::Reply reply = start(batch, launches, originals, random);
  // An answer may come before the work is done, so the clock only stops when results are here.
  const std::size_t left = std::min<std::size_t>(batch.size(), sets_);
  const Launch& proof = batch[batch.size() - 1 - random.below(left)];
  const Piece piece = choose_piece(proof.set, 64, random);
  const MemoryFile results(piece.bytes(), MemoryFile::Writer::worker_too);
  download(piece, results);
  const double seconds = seconds_since(start_time);
  inputs.show(proof.draw, proof.seed);
  inputs.expect();
  assert_right(piece, results.bytes());
  if (check == Check::everything) {
    check_all(proof.set);
  } else {
    check_piece(choose_piece(proof.set, 1 << 20, random));
  }
  check_samples(batch, inputs, random);
  return {seconds / launches, reply.device_ms / 1000 / launches};
}

/// An idle GPU lowers its clock, so a shorter batch comes first. What it computes does not matter,
/// but it must not see the inputs of the batch.
double Contender::warm_up(Random& random) {
  const std::uint32_t launches = (launches_ + 4) / 5;
  const auto [sets, next_set] = std::pair(sets_, next_set_);
  if (freshness_ == Freshness::own_inputs) sets_ = 1;
  next_set_ = 0;
  Batch batch;
  const Clock::time_point start_time = Clock::now();
  start(batch, launches, originals_, random);
  const double seconds = seconds_since(start_time);
  sets_ = sets;
  next_set_ = next_set;
  return seconds / launches;
}

/// With turns, a request starts a launch per set at most. So what decides which elements of a
/// launch's outputs are kept as samples comes with a later request than the launch itself.
wire::Reply Contender::start(Batch& batch, std::uint32_t launches, std::uint32_t originals,
                             Random& random) {
  const bool turns = freshness_ == Freshness::turns;
  const std::uint32_t at_once = turns ? sets_ : launches;
  wire::Reply reply;
  while (batch.size() < launches) {
    const auto left = launches - static_cast<std::uint32_t>(batch.size());
    reply = start_some(batch, std::min(at_once, left), launches, originals,
                       turns ? random.bits() | 1 : 0);
  }
  next_set_ = (next_set_ + launches) % sets_;
  return reply;
}

wire::Reply Contender::start_some(Batch& batch, std::uint32_t some, std::uint32_t launches,
                                  std::uint32_t originals, std::uint64_t seed) {
  wire::Request message = request(wire::Command::run);
  message.sets = sets_;
  message.first = next_set_;
  message.launches = some;
  message.begin = batch.empty();
  for (std::uint32_t i = 0; i < some; ++i) {
    const auto set = static_cast<std::uint32_t>((next_set_ + batch.size()) % sets_);
    const std::uint32_t draw = freshness_ == Freshness::own_inputs ? first_draw_ + set : 0;
    batch.push_back({set, draw, seed == 0 ? 0 : turn::seed_of(seed, i)});
  }
  message.end = batch.size() == launches;
  message.originals = originals;
  message.seed = seed;
  return ask(message, options().time_limit);
}

double Contender::time_turns(Random& random) {
  if (freshness_ == Freshness::own_inputs || originals_ == 0) return 0;
  constexpr std::uint32_t turns = 1000;
  wire::Request message = request(wire::Command::run);
  message.sets = sets_;
  message.launches = turns;
  message.turns_only = 1;
  message.originals = originals_;
  if (freshness_ == Freshness::turns) message.seed = random.bits() | 1;
  const Clock::time_point start_time = Clock::now();
  ask(message, transfer_seconds);
  return seconds_since(start_time) / turns;
}

void Contender::check_samples(const Batch& batch, RoundInputs& inputs, Random& random) {
  if (freshness_ != Freshness::turns || batch.size() <= sets_) return;
  constexpr int checked = 2;
  for (int i = 0; i < checked; ++i) {
    const auto number = static_cast<std::uint32_t>(random.below(batch.size() - sets_));
    inputs.show(batch[number].draw, batch[number].seed);
    inputs.expect();
    check_sample(batch[number], number, batch[number + sets_].seed);
  }
}

/// The launch `number` left samples, which the turn with `next_seed` kept, and what it returned.
void Contender::check_sample(const Launch& launch, std::uint32_t number, std::uint64_t next_seed) {
  wire::Request message = request(wire::Command::sample);
  message.read_set = number;
  std::size_t largest = 0, returned = 0;
  for (const CallArgument& argument : problem_.arguments) {
    if (argument.role == wire::Role::returned) returned = argument.bytes;
  }
  for (const std::size_t i : output_arrays_of(problem_)) {
    largest = std::max(largest, problem_.arguments[i].element_bytes);
  }
  const std::size_t sample_bytes = turn::room_for(static_cast<std::uint32_t>(largest));
  const std::size_t samples = turn::samples * sample_bytes;
  const MemoryFile kept(samples + returned, MemoryFile::Writer::worker_too);
  ask(message, transfer_seconds, nullptr, &kept);
  if (samples > 0) check_kept_elements(launch, next_seed, kept.bytes(), sample_bytes);
  if (returned > 0) {
    const std::size_t index = problem_.arguments.size() - 1;
    assert_right({problem_.arguments[index], launch.set, index, 0, 1},
                 kept.bytes().subspan(samples, returned));
  }
}

void Contender::check_kept_elements(const Launch& launch, std::uint64_t next_seed,
                                    std::span<const std::byte> kept, std::size_t sample_bytes) {
  const std::vector<std::size_t> outputs = output_arrays_of(problem_);
  const std::size_t index = outputs[turn::sampled_output(next_seed, outputs.size())];
  const CallArgument& argument = problem_.arguments[index];
  const turn::Array array{static_cast<std::uint32_t>(index),
                          static_cast<std::uint32_t>(argument.element_bytes),
                          elements_of(argument)};
  for (std::uint32_t sample = 0; sample < turn::samples; ++sample) {
    const std::uint64_t at = turn::sample_of(next_seed, sample, array);
    if (turn::changes(next_seed, array, at)) continue;
    assert_right({argument, launch.set, index, at, 1},
                 kept.subspan(sample * sample_bytes, argument.element_bytes));
  }
}

Contender::Piece Contender::choose_piece(std::uint32_t set, std::size_t most_bytes,
                                         Random& random) const {
  const std::vector<std::size_t> outputs = outputs_of(problem_);
  const std::size_t index = outputs[random.below(outputs.size())];
  const CallArgument& argument = problem_.arguments[index];
  const std::size_t elements = elements_of(argument);
  // Not all at once: some labs need much longer to check a result than a GPU to compute it.
  const std::size_t some = std::max<std::size_t>(1, elements / 8);
  const std::size_t count = std::min(some, most_bytes / argument.element_bytes);
  return {argument, set, index, random.below(elements - count + 1), count};
}

void Contender::check_all(std::uint32_t set) {
  constexpr std::size_t most_bytes = std::size_t{1} << 26;  // of host memory at a time
  for (const std::size_t index : outputs_of(problem_)) {
    const CallArgument& argument = problem_.arguments[index];
    const std::size_t step = most_bytes / argument.element_bytes;
    for (std::size_t first = 0; first < elements_of(argument); first += step) {
      const std::size_t count = std::min(step, elements_of(argument) - first);
      check_piece({argument, set, index, first, count});
    }
  }
}

void Contender::check_piece(const Piece& piece) {
  const MemoryFile results(piece.bytes(), MemoryFile::Writer::worker_too);
  download(piece, results);
  assert_right(piece, results.bytes());
}

void Contender::download(const Piece& piece, const MemoryFile& results) {
  wire::Request message = request(wire::Command::read);
  message.read_set = piece.set;
  message.read_argument = static_cast<std::uint32_t>(piece.index);
  message.read_offset = piece.first * piece.argument.element_bytes;
  message.read_bytes = piece.bytes();
  ask(message, transfer_seconds, nullptr, &results);
}

void Contender::assert_right(const Piece& piece, std::span<const std::byte> bytes) const {
  if (problem_.right({piece.argument.name, piece.first, bytes})) return;
  std::ostringstream text;
  text << subject_ << " gave a wrong result while it was timed, in " << piece.argument.name << "["
       << piece.first << " ... " << piece.first + piece.count - 1
       << "]. Does it depend on an earlier call?";
  throw SubmissionError(text.str());
}

}  // namespace tilelab::judge

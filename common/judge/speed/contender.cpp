#include "judge/speed/contender.h"

#include <algorithm>
#include <sstream>

#include "judge/options.h"
#include "judge/worker/errors.h"
#include "judge/worker/limits.h"
#include "judge/worker/workers.h"

namespace tilelab::judge {
namespace {

// The end of a batch is known to a few tenths of a millisecond, which differ from batch to batch: a
// message, a download, a process that wakes up. So batches take much longer than that, and equally
// long for all contenders.
constexpr double batch_seconds = 0.1;
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

/// How many sets of buffers it takes until nothing useful is left in the L2 cache after a round.
std::uint32_t set_count(std::size_t set_bytes, std::size_t l2_bytes) {
  constexpr std::size_t fewest = 2, most = 64;
  return static_cast<std::uint32_t>(std::clamp(
      (4 * l2_bytes + set_bytes - 1) / std::max<std::size_t>(set_bytes, 1), fewest, most));
}

std::uint32_t launches_for(double all, double one) {
  return static_cast<std::uint32_t>(std::clamp(all / one, 1.0, static_cast<double>(most_launches)));
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

Contender::Contender(const std::string& name, const SpeedProblem& problem, const GpuClock& clock)
    : worker_(worker(name)),
      problem_(problem),
      clock_(clock),
      subject_(describe(problem.function, problem.arguments)),
      sets_(set_count(bytes_per_set(problem), worker_.start().l2_cache)),
      checked_in_full_(sample_to_check_in_full(name)) {}

SpeedSample Contender::measure(const Images& images, Random& random) {
  load(images);
  if (launches_ == 0) choose_launches(random);
  const Timed cold = run(1, Check::samples, random);
  run((launches_ + 4) / 5, Check::samples, random);  // warms up: an idle GPU lowers its clock
  const Check check = samples_++ == checked_in_full_ ? Check::everything : Check::samples;
  auto clock = clock_.read_in(batch_seconds / 2);
  const Timed batch = run(launches_, check, random);
  unload();
  return {batch.judge, batch.device, cold.device, clock.get()};
}

void Contender::choose_launches(Random& random) {
  run(1, Check::samples, random);  // the first launch also sends the code to the device
  // A single launch may take less time than the request for it, so a few are timed first.
  const std::uint32_t few = launches_for(batch_seconds / 10, run(1, Check::samples, random).judge);
  launches_ = launches_for(batch_seconds, run(few, Check::samples, random).judge);
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
  // An answer may come before the work is done, so the clock only stops when results are here.
  const Piece proof = choose_piece((launches - 1) % sets_, 64, random);
  const MemoryFile results(proof.bytes(), MemoryFile::Writer::worker_too);
  const Clock::time_point start = Clock::now();
  const wire::Reply reply = ask(message, options().time_limit);
  download(proof, results);
  const double seconds = seconds_since(start);
  assert_right(proof, results);
  for (std::uint32_t set = 0; set < std::min(sets_, launches); ++set) {
    check_piece(choose_piece(set, 1 << 20, random));
  }
  if (check == Check::everything) check_all((launches - 1) % sets_);
  return {seconds / launches, reply.device_ms / 1000 / launches};
}

Contender::Piece Contender::choose_piece(std::uint32_t set, std::size_t most_bytes,
                                         Random& random) const {
  const std::vector<std::size_t> outputs = outputs_of(problem_);
  const std::size_t index = outputs[random.below(outputs.size())];
  const CallArgument& argument = problem_.arguments[index];
  const std::size_t elements = elements_of(argument);
  const std::size_t count = std::min(elements, most_bytes / argument.element_bytes);
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
  assert_right(piece, results);
}

void Contender::download(const Piece& piece, const MemoryFile& results) {
  wire::Request message = request(wire::Command::read);
  message.read_set = piece.set;
  message.read_argument = static_cast<std::uint32_t>(piece.index);
  message.read_offset = piece.first * piece.argument.element_bytes;
  message.read_bytes = piece.bytes();
  ask(message, transfer_seconds, nullptr, &results);
}

void Contender::assert_right(const Piece& piece, const MemoryFile& results) const {
  if (problem_.right({piece.argument.name, piece.first, results.bytes()})) return;
  std::ostringstream text;
  text << subject_ << " gave a wrong result while it was timed, in " << piece.argument.name << "["
       << piece.first << " ... " << piece.first + piece.count - 1
       << "]. Does it depend on an earlier call?";
  throw SubmissionError(text.str());
}

}  // namespace tilelab::judge

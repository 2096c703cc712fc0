#include "emulator/observer/streams/stream_clocks.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

// A file that is compiled for such default streams has something there.
extern "C" {
[[gnu::weak, gnu::visibility("hidden")]] extern const char __start_tilelab_per_thread[];
[[gnu::weak, gnu::visibility("hidden")]] extern const char __stop_tilelab_per_thread[];
}

namespace tilelab::emulator {
namespace {

bool default_stream_is_per_thread() {
  return &__start_tilelab_per_thread[0] != &__stop_tilelab_per_thread[0];
}

}  // namespace

StreamClocks::StreamClocks() : streams_{{{}, true}} {}

void StreamClocks::join(Clock& clock, const Clock& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

void StreamClocks::created(cudaStream_t stream, bool waits_for_default) {
  has_streams_ = true;
  numbers_[stream] = static_cast<unsigned>(streams_.size());
  streams_.push_back({{}, waits_for_default});
}

unsigned StreamClocks::number_of_thread() {
  // The numbers of threads that have ended are not soon those of others, as their addresses are.
  const auto [found, is_new] = of_threads_.try_emplace(gettid(), 0);
  if (!is_new || of_threads_.size() > most_threads) return found->second;
  has_streams_ = true;
  streams_.push_back({{}, true});
  return found->second = static_cast<unsigned>(streams_.size()) - 1;
}

unsigned StreamClocks::number_of(cudaStream_t stream) {
  static const bool is_per_thread = default_stream_is_per_thread();
  if (stream == cudaStreamPerThread || (stream == nullptr && is_per_thread)) {
    return number_of_thread();
  }
  const auto found = numbers_.find(stream);
  return found != numbers_.end() ? found->second : 0;
}

StreamClocks::Clock StreamClocks::clock_of(cudaStream_t stream) {
  const unsigned number = number_of(stream);
  Clock clock = streams_[number].clock;
  if (number == 0) {
    for (const Stream& other : streams_) {
      if (other.waits_for_default) join(clock, other.clock);
    }
  } else if (streams_[number].waits_for_default) {
    join(clock, streams_[0].clock);
  }
  return clock;
}

StreamClocks::Work StreamClocks::begin_work(cudaStream_t stream) {
  if (graph_ && !graph_->steps.empty()) {
    Clock& step = graph_->steps.back();
    Work work = next_work(graph_->executable->streams[graph_->steps.size() - 1], step);
    work.graph = graphs_;
    join(step, streams_[work.stream].clock);
    return work;
  }
  return next_work(number_of(stream), clock_of(stream));
}

StreamClocks::Work StreamClocks::next_work(unsigned stream, Clock known) {
  Work work{stream, 0, std::move(known), 0};
  join(work.known, host_);
  Clock& clock = streams_[stream].clock;
  const std::uint32_t before = stream < clock.size() ? clock[stream] : 0;
  clock = work.known;
  if (clock.size() <= stream) clock.resize(stream + 1);
  work.number = clock[stream] = before + 1;
  return work;
}

void StreamClocks::graph_begins(cudaStream_t stream, const void* executable, bool branches) {
  if (graph_) {
    ++graph_->inner;
    return;
  }
  const bool is_own = executables_.contains(executable) || executables_.size() < most_executables;
  Executable& runs = executables_[is_own ? executable : nullptr];
  graph_ = {number_of(stream), &runs, clock_of(stream), {}};
  if (is_own) join(graph_->before, runs.done);
  ++graphs_;
  has_streams_ = has_streams_ || branches;
}

void StreamClocks::graph_step_begins(std::span<const std::size_t> after) {
  if (graph_->inner > 0) return;
  std::vector<Clock>& steps = graph_->steps;
  Clock known = graph_->before;
  for (const std::size_t step : after) join(known, steps[step]);
  steps.push_back(std::move(known));
  std::vector<unsigned>& of_steps = graph_->executable->streams;
  if (steps.size() <= of_steps.size()) return;
  of_steps.push_back(static_cast<unsigned>(streams_.size()));
  streams_.push_back({{}, false});
}

void StreamClocks::graph_ends() {
  if (graph_->inner > 0) {
    --graph_->inner;
    return;
  }
  Clock& stream = streams_[graph_->stream].clock;
  join(stream, graph_->before);
  for (const Clock& step : graph_->steps) join(stream, step);
  join(graph_->executable->done, stream);
  graph_.reset();
}

void StreamClocks::wait(cudaStream_t stream, cudaEvent_t event) {
  if (const auto found = events_.find(event); found != events_.end()) {
    join(streams_[number_of(stream)].clock, found->second);
  }
}

void StreamClocks::host_waits_for_event(cudaEvent_t event) {
  if (const auto found = events_.find(event); found != events_.end()) join(host_, found->second);
}

void StreamClocks::see(Clock& known, const Work& work) {
  join(known, work.known);
  if (known.size() <= work.stream) known.resize(work.stream + 1);
  known[work.stream] = std::max(known[work.stream], work.number);
}

void StreamClocks::host_waits_for_device() {
  for (const Stream& stream : streams_) join(host_, stream.clock);
}

}  // namespace tilelab::emulator

#include "emulator/observer/streams/stream_clocks.h"

#include <algorithm>

namespace tilelab::emulator {

StreamClocks::StreamClocks()
    : streams_{{{}, true}, {{}, true}},
      numbers_{{nullptr, 0}, {cudaStreamLegacy, 0}, {cudaStreamPerThread, 1}} {}

void StreamClocks::join(Clock& clock, const Clock& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

void StreamClocks::created(cudaStream_t stream, bool waits_for_default) {
  has_streams_ = true;
  numbers_[stream] = static_cast<unsigned>(streams_.size());
  streams_.push_back({{}, waits_for_default});
}

unsigned StreamClocks::number_of(cudaStream_t stream) {
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
  Work work;
  work.stream = number_of(stream);
  work.known = clock_of(stream);
  join(work.known, host_);
  Clock& clock = streams_[work.stream].clock;
  clock = work.known;
  if (clock.size() <= work.stream) clock.resize(work.stream + 1);
  work.number = ++clock[work.stream];
  return work;
}

void StreamClocks::wait(cudaStream_t stream, cudaEvent_t event) {
  if (const auto found = events_.find(event); found != events_.end()) {
    join(streams_[number_of(stream)].clock, found->second);
  }
}

void StreamClocks::host_waits_for_event(cudaEvent_t event) {
  if (const auto found = events_.find(event); found != events_.end()) join(host_, found->second);
}

void StreamClocks::host_waits_for_device() {
  for (const Stream& stream : streams_) join(host_, stream.clock);
}

}  // namespace tilelab::emulator

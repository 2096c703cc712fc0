#include "worker/timing.h"

#include <algorithm>

#include "worker/backend.h"

namespace tilelab::worker {
namespace {

/// The most launches of a batch of which samples are kept.
constexpr std::size_t most_launches = 10'000;

/// The room for one sample of a function's outputs; 0 if it has none.
std::uint32_t sample_bytes(std::span<const wire::Argument> arguments) {
  std::uint32_t largest = 0;
  for (const wire::Argument& argument : arguments) {
    const bool is_sampled = wire::is_array(argument.role) && wire::is_written(argument.role);
    if (!is_sampled || argument.image.payload == 0) continue;
    largest = std::max(largest, argument.element_bytes);
  }
  return turn::room_for(largest);
}

std::size_t free_memory() {
  std::size_t free = 0, total = 0;
  require(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return free;
}

}  // namespace

DeviceBuffer::~DeviceBuffer() { static_cast<void>(cudaFree(data_)); }

std::byte* DeviceBuffer::reserve(std::size_t bytes) {
  if (bytes > bytes_) {
    require(cudaFree(data_), "cudaFree");
    data_ = nullptr;
    bytes_ = 0;
    require(cudaMalloc(reinterpret_cast<void**>(&data_), bytes), "cudaMalloc");
    bytes_ = bytes;
  }
  return data_;
}

Event::Event() { require(cudaEventCreate(&event_), "cudaEventCreate"); }
Event::~Event() { static_cast<void>(cudaEventDestroy(event_)); }

void Timing::load(const Job& job) {
  const std::span arguments(job.request.arguments, job.request.argument_count);
  for (std::uint32_t i = 0; i < job.request.sets; ++i) {
    sets_.push_back(std::make_unique<CallArrays>(arguments));
    if (i == 0) {
      sets_.back()->upload(job.images.data(), CallArrays::Upload::inputs);
    } else {
      sets_.back()->copy_inputs(*sets_[sets_.size() - 2]);
    }
    seeds_.push_back(0);
  }
  sample_bytes_ = sample_bytes(arguments);
  free_bytes_ = 0;
}

void Timing::unload() {
  sets_.clear();
  seeds_.clear();
}

std::uint64_t Timing::prepare(std::uint64_t seed) {
  if (free_bytes_ == 0) {
    // Nothing was launched yet. What the harness needs itself has to be there first.
    flush_l2();
    samples_.reserve(most_launches * bytes_per_launch());
    require(cudaDeviceSynchronize(), "loading the inputs");
    free_bytes_ = free_memory();
  }
  const std::size_t free = free_memory();
  for (const auto& set : sets_) set->fill_outputs(seed++);
  reset_persisting_cache();
  flush_l2();
  require(cudaDeviceSynchronize(), "preparing a timed run");
  return free < free_bytes_ ? free_bytes_ - free : 0;
}

bool Timing::run(const Entry& entry, const wire::Request& request) {
  if (request.begin) {
    launched_ = 0;
    returned_.clear();
    require(cudaEventRecord(start_.get()), "cudaEventRecord");
  }
  for (std::uint32_t i = 0; i < request.launches; ++i, ++launched_) {
    const std::uint32_t set = (request.first + launched_) % request.sets;
    if (request.originals != 0) {
      refresh(set, request, request.seed == 0 ? 0 : turn::seed_of(request.seed, i));
    }
    if (request.turns_only) continue;
    entry.invoke(sets_[set]->values());
    const std::span<const std::byte> returned = sets_[set]->returned();
    returned_.insert(returned_.end(), returned.begin(), returned.end());
  }
  // Look for the function's own error first: no event can be recorded after a failed kernel.
  if (cudaPeekAtLastError() != cudaSuccess) return false;
  if (request.end) static_cast<void>(cudaEventRecord(stop_.get()));
  return true;
}

/// Gives a launch what it needs to work on: what its arrays held at first, changed by the seed.
void Timing::refresh(std::uint32_t set, const wire::Request& request, std::uint64_t seed) {
  CallArrays& arrays = *sets_[set];
  const CallArrays& originals = *sets_[request.originals];
  const TurningSet turning = arrays.turning(originals);
  Kept kept = room_for_samples(request.sets);
  if (arrays.has_inout()) {
    // The samples have to be kept before what they are taken from is gone.
    if (seed != 0) start_keeping(turning, seed, kept);
    kept = {};
    arrays.restore_inout(originals);
  }
  if (seed == 0) return;
  start_turn(turning, seeds_[set], seed, kept);
  seeds_[set] = seed;
}

/// What is kept belongs to the launch that used the same set last.
Kept Timing::room_for_samples(std::uint32_t sets) const {
  if (sample_bytes_ == 0 || launched_ < sets || launched_ - sets >= most_launches) return {};
  return {samples_.data() + (launched_ - sets) * bytes_per_launch(), sample_bytes_};
}

double Timing::batch_ms() const {
  float milliseconds = 0;
  require(cudaEventElapsedTime(&milliseconds, start_.get(), stop_.get()), "cudaEventElapsedTime");
  return milliseconds;
}

void Timing::download_sample(std::uint32_t launch, std::byte* to) const {
  const std::size_t bytes = bytes_per_launch();
  if (bytes > 0) {
    require(cudaMemcpy(to, samples_.data() + launch * bytes, bytes, cudaMemcpyDeviceToHost),
            "reading samples");
  }
  const std::size_t returned = sets_.front()->returned().size();
  if (returned > 0) std::copy_n(&returned_.at(launch * returned), returned, to + bytes);
}

void Timing::flush_l2() {
  int l2_bytes = 0;
  require(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, 0), "the L2 cache's size");
  const std::size_t bytes = 4 * static_cast<std::size_t>(l2_bytes);
  start_flush(flush_.reserve(bytes), bytes);
}

}  // namespace tilelab::worker

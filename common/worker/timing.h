#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "contract/wire.h"
#include "worker/call_arrays.h"
#include "worker/channel.h"
#include "worker/entry.h"
#include "worker/turns.h"

namespace tilelab::worker {

/// Memory on the device that belongs to the harness. It grows when more is asked for.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  ~DeviceBuffer();
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  /// At least this many bytes.
  std::byte* reserve(std::size_t bytes);
  std::byte* data() const { return data_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// An event of the device.
class Event {
 public:
  Event();
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  cudaEvent_t get() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Runs a function on sets of device buffers that stay, to be timed. A batch is one request `run`
/// or several; see wire::Command.
class Timing {
 public:
  void load(const Job& job);
  void unload();
  /// Returns the bytes of device memory that launches since `load` left allocated.
  std::uint64_t prepare(std::uint64_t seed);
  /// Starts launches. Returns false if one could not be started.
  bool run(const Entry& entry, const wire::Request& request);
  /// The time of the batch by device events, once the device has done all work.
  double batch_ms() const;

  const CallArrays& set(std::size_t index) const { return *sets_.at(index); }
  /// Downloads what was kept of a launch's outputs: the samples, and then what it returned.
  void download_sample(std::uint32_t launch, std::byte* to) const;

 private:
  void refresh(std::uint32_t set, const wire::Request& request, std::uint64_t seed);
  Kept room_for_samples(std::uint32_t sets) const;
  std::size_t bytes_per_launch() const { return std::size_t{turn::samples} * sample_bytes_; }
  void flush_l2();

  std::vector<std::unique_ptr<CallArrays>> sets_;
  std::vector<std::uint64_t> seeds_;  // of the changes that each set has now
  std::uint32_t launched_ = 0;        // in this batch
  std::vector<std::byte> returned_;   // by the launches of this batch
  std::uint32_t sample_bytes_ = 0;    // the room for one sample; 0 if nothing can be kept
  std::size_t free_bytes_ = 0;        // before the first launch; 0 until it is known
  DeviceBuffer flush_, samples_;      // they live as long as the process
  Event start_, stop_;
};

}  // namespace tilelab::worker

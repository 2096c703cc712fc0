#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "contract/wire.h"
#include "worker/entry.h"

namespace tilelab::worker {

/// The worker could not do its own part: not the student's fault.
struct RunnerError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws RunnerError unless a CUDA call of the worker's own went well.
void require(cudaError_t error, const char* what);

/// The device copies of all arrays of one call, guard zones included.
class DeviceArrays {
 public:
  /// Allocates an image for each input and output. The payload's address follows from the length
  /// of its front guard zone, which the judge varies.
  explicit DeviceArrays(std::span<const wire::Argument> arguments);
  ~DeviceArrays();
  DeviceArrays(const DeviceArrays&) = delete;
  DeviceArrays& operator=(const DeviceArrays&) = delete;

  enum class Upload { inputs, inputs_and_outputs };
  void upload(const std::byte* images, Upload which);
  void download(std::byte* results) const;

  /// Makes the inputs those of `other`, which was made for the same arguments.
  void copy_inputs(const DeviceArrays& other);

  /// Lets a report speak of the arrays by their names.
  void name_in_report() const;

  /// Downloads `bytes` of one payload.
  void read(std::size_t argument, std::size_t offset, std::size_t bytes, std::byte* to) const;

  /// Fills the payloads of all outputs.
  void poison_outputs(int byte);

  /// What the function is called with.
  std::span<const Value> values() const { return values_; }

 private:
  std::vector<wire::Argument> arguments_;
  std::vector<std::byte*> images_;  // null for scalars
  std::vector<Value> values_;
};

}  // namespace tilelab::worker

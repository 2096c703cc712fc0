#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "contract/wire.h"
#include "worker/entry.h"
#include "worker/turns.h"

namespace tilelab::worker {

/// The worker could not do its own part. That is not the student's fault.
struct RunnerError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws RunnerError if one of the worker's own CUDA calls failed.
void require(cudaError_t error, const char* what);

/// All arrays of a call with their guard zones, in the memory where the function expects them.
class CallArrays {
 public:
  /// Where the arrays are.
  enum class Memory { device, host };

  /// Allocates an image for each input and output. The judge varies the length of the front guard
  /// zone, and with it the payload's address.
  explicit CallArrays(std::span<const wire::Argument> arguments, Memory memory = Memory::device);
  ~CallArrays();
  CallArrays(const CallArrays&) = delete;
  CallArrays& operator=(const CallArrays&) = delete;

  /// Which images to upload.
  enum class Upload { inputs, inputs_and_outputs };

  /// Copies images to the arrays.
  void upload(const std::byte* images, Upload which);

  /// Puts the elements of all inputs in another order: each of them moves by one place.
  void turn_inputs(const std::byte* images);

  /// Copies all images from the arrays.
  void download(std::byte* results) const;

  /// Copies what the arrays of `other` hold before a call. It must have the same arguments.
  void copy_inputs(const CallArrays& other);

  /// Whether a call reads and writes one of the arrays.
  bool has_inout() const;

  /// Starts to copy the payloads of arrays that a call reads and writes.
  void restore_inout(const CallArrays& originals);

  /// What the function returned; nothing if it returns nothing.
  std::span<const std::byte> returned() const { return returned_; }

  /// A sentence if elements of an output were not written by a kernel of the submission, else "".
  /// Arrays in host memory can only get what is in device memory, so there it is always "".
  std::string foreign_work() const;

  /// Gives the arrays their names for the sentence about a fault.
  void name_for_faults() const;

  /// Gives the arrays their names for a report.
  void name_in_report() const;

  /// Downloads a piece of one payload.
  void read(std::size_t argument, std::size_t offset, std::size_t bytes, std::byte* to) const;

  /// Starts to fill the payloads of all arrays that are only written with noise.
  void fill_outputs(std::uint64_t seed);

  /// What changes between timed launches; `originals` has what the arrays held at first.
  TurningSet turning(const CallArrays& originals) const;

  /// The arguments to call the function with.
  std::span<const Value> values() const { return values_; }

 private:
  /// Whether all arrays that the call reads are empty, of which there is one at least.
  bool has_no_input() const;

  std::vector<wire::Argument> arguments_;
  Memory memory_;
  std::vector<std::byte*> images_;   // null for what is no array
  std::vector<std::byte> returned_;  // what the function returns
  std::vector<Value> values_;
};

}  // namespace tilelab::worker

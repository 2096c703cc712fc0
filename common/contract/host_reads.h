#pragma once

#include <cstddef>

namespace tilelab {

/// What host code may learn of device memory during one call of a submission.
///
/// The course asks for work on the GPU. A loop on the CPU needs the inputs, or what a kernel made
/// of them, in host memory. So host code may read back a few numbers, such as a count or a sum, and
/// no arrays. A lab that needs more says so in its lab.toml.
class HostReads {
 public:
  /// Host code may read back this many bytes in one call, in as many copies as it likes.
  static constexpr std::size_t allowed_bytes = 64;

  /// A submission that reads more is stopped with this sentence. It follows the name of the call.
  static constexpr const char* sentence =
      "it copied an input to the host, or what was computed from one. The course asks for work in "
      "kernels, so host code may read back only a few numbers (64 bytes in a call): leave the data "
      "in device memory, and compute there";

  /// A call of the submission begins.
  void begin_call(bool is_unlimited) {
    is_limited_ = !is_unlimited;
    bytes_ = 0;
  }

  /// The call has ended, and the worker's own copies follow.
  void end_call() { is_limited_ = false; }

  /// Whether a call runs that may read back only a few bytes.
  bool is_limited() const { return is_limited_; }

  /// Notes that host code reads bytes of device memory. Returns false if those are too many.
  bool may_read(std::size_t bytes) {
    if (!is_limited_) return true;
    if (bytes > allowed_bytes - bytes_) return false;
    bytes_ += bytes;
    return true;
  }

 private:
  bool is_limited_ = false;
  std::size_t bytes_ = 0;
};

}  // namespace tilelab

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "emulated/kernel_call.h"

namespace tilelab::emulator {

/// Writes down what a program launches, in place of running it (recording.h).
class Recorder {
 public:
  /// What a kernel takes on the GPU that the program gets to see.
  struct Resources {
    int registers = 32;
    std::size_t static_shared_bytes = 0;
  };

  /// Reads from the environment which GPU that is.
  Recorder();

  void array(const void* address, std::size_t bytes, const char* contents);
  void launch(const KernelCall& kernel, const LaunchConfiguration& configuration);
  /// Host code reads device memory.
  void host_reads();
  void end();

  int multiprocessors() const { return multiprocessors_; }
  Resources resources_of(const void* kernel) const;

  /// All lines so far.
  const std::string& text() const { return text_; }

 private:
  template <class Event>
  void add(const Event& event);

  int multiprocessors_;
  std::map<std::uint64_t, Resources> kernels_;  // by link-time address
  std::string text_;
};

/// The one that records; nullptr where kernels run.
inline Recorder* recorder = nullptr;

}  // namespace tilelab::emulator

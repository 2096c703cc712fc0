#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "emulator/observer/memory/submission.h"

/// What host code of the submission may write: its stack, its heap, its own variables. Nothing
/// else, so that it cannot change what the observer knows, or what the worker says.
///
/// This relies on three things. The submission's object is the only one that was compiled as a
/// checked build, and grading refuses inline assembly and calls of anything but a list of
/// functions. Of those functions, the ones that write through a pointer are redirected to checked
/// versions (redirected_symbols), and the CUDA runtime asks may_write(). And start_observing() is
/// called by the function that calls the submission, or by one that called it: the stack below is
/// the submission's.
namespace tilelab::emulator {

class HostMemory {
 public:
  static HostMemory& instance();

  /// What lies below this address on the stack belongs to the submission from now on.
  void begin(const void* stack_limit) {
    stack_limit_ = reinterpret_cast<std::uintptr_t>(stack_limit);
  }

  bool may_write(std::uintptr_t address, std::size_t bytes) const;

  // The submission's heap. Zero bytes are one byte; null if there is no room.
  void* allocate(std::size_t bytes, std::size_t alignment = 16);
  /// False if the pointer is not the begin of a block of this heap.
  bool release(void* pointer);
  /// The size of the block that begins there; 0 if none does.
  std::size_t size_of(const void* pointer) const;

  /// Memory of the C++ runtime that an exception lies in until it is caught.
  void allow_exception(const void* begin, std::size_t bytes);

 private:
  HostMemory();

  Range heap_{};
  std::uintptr_t unused_begin_ = 0;
  std::map<std::uintptr_t, std::size_t> blocks_;         ///< size by begin
  std::multimap<std::size_t, std::uintptr_t> released_;  ///< begin by size
  std::uintptr_t stack_limit_ = 0;

  static constexpr std::size_t most_exceptions = 8;
  Range exceptions_[most_exceptions]{};
  std::size_t next_exception_ = 0;
};

}  // namespace tilelab::emulator

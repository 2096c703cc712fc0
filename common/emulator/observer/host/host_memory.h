#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_set>

#include "emulator/observer/memory/submission.h"

/// What the submission's host code may write: its stack, its heap and its variables. It may write
/// nothing else, so that it cannot change what the observer knows, or what the worker says.
///
/// This relies on three things. First, the submission's object is the only one of a checked build,
/// and grading refuses inline assembly and all calls but those of a list of functions. Second, the
/// functions on that list that write through a pointer are redirected to checked versions
/// (redirected_symbols), and the CUDA runtime asks may_write(). Third, start_observing() is called
/// by the function that calls the submission, or by one of its callers: the stack below is the
/// submission's.
namespace tilelab::emulator {

class HostMemory {
 public:
  static HostMemory& instance();

  /// The stack below this address belongs to the submission from now on.
  void begin(const void* stack_limit) {
    stack_limit_ = reinterpret_cast<std::uintptr_t>(stack_limit);
  }

  /// Whether there is a submission that must be kept from the rest of the process. A program of its
  /// own uses the C library's heap.
  bool has_submission() const { return stack_limit_ != 0; }

  bool may_write(std::uintptr_t address, std::size_t bytes) const;
  /// Whether the address is in the submission's heap, or on its own stack.
  bool is_on_heap_or_stack(std::uintptr_t address) const;

  // The submission's heap. A block of 0 bytes takes one byte. Null if there is no room.
  void* allocate(std::size_t bytes, std::size_t alignment = 16);
  /// Returns false if no block of this heap begins there.
  bool release(void* pointer);
  /// The size of the block that begins there; 0 if none does.
  std::size_t size_of(const void* pointer) const;

  /// Allows writes to the memory in which the C++ runtime keeps an exception until it is caught.
  void allow_exception(const void* begin, std::size_t bytes);

 private:
  HostMemory();

  mutable std::mutex mutex_;  ///< Threads of the host may allocate at the same time.
  Range heap_{};
  std::uintptr_t unused_begin_ = 0;
  std::map<std::uintptr_t, std::size_t> blocks_;         ///< Sizes by begin.
  std::multimap<std::size_t, std::uintptr_t> released_;  ///< Begins by size.
  std::unordered_set<const void*> early_;  ///< Blocks of the C library, from before begin().
  std::uintptr_t stack_limit_ = 0;

  static constexpr std::size_t most_exceptions = 8;
  Range exceptions_[most_exceptions]{};
  std::size_t next_exception_ = 0;
};

}  // namespace tilelab::emulator

#pragma once

#include <cstddef>

namespace tilelab::emulator {

/// Keeps a submission's host memory apart from the rest of the process.
class HostKeeper {
 public:
  /// Whether the runtime may write this host memory on behalf of the submission.
  virtual bool may_write(const void* begin, std::size_t bytes) = 0;
  /// Page-locked host memory.
  virtual void* allocate(std::size_t bytes) = 0;
  /// Returns false if the memory does not come from allocate().
  virtual bool release(void* pointer) = 0;

 protected:
  ~HostKeeper() = default;
};

/// Null if nobody does.
inline HostKeeper* host_keeper = nullptr;

/// Whether the runtime may write this host memory.
inline bool may_write_host(const void* begin, std::size_t bytes) {
  return host_keeper == nullptr || host_keeper->may_write(begin, bytes);
}

}  // namespace tilelab::emulator

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

/// What kernels allocate with malloc() and new, in a checked build: a part of device memory that is
/// reserved when a kernel first asks. A fast build takes it from the process's heap.
namespace tilelab::emulator {

class DeviceHeap {
 public:
  /// The only one in the process.
  static DeviceHeap& instance();

  /// cudaLimitMallocHeapSize. It has no effect once the heap is reserved.
  void set_limit(std::size_t bytes) { limit_ = bytes; }

  /// Aligned to 16 bytes, with a red zone behind it; null if there is no room.
  void* allocate(std::size_t bytes);

  /// The size of the block that begins there; 0 if none does.
  std::size_t size_of(const void* pointer) const;
  /// Returns false if no block begins there.
  bool release(void* pointer);
  /// Whether a block began there that was released, and is not allocated again.
  bool was_released(const void* pointer) const;

  /// A launch has ended: what it freed may be used again. Until then a stray access to it is found,
  /// and two threads that got the same memory one after the other are in no conflict.
  void reuse_released();

  /// All device memory is released.
  void reset();

 private:
  struct Block {
    std::uintptr_t begin;
    std::size_t bytes;
  };
  std::uintptr_t find_room(std::size_t bytes);

  std::size_t limit_ = std::size_t{8} << 20;
  std::uintptr_t next_ = 0;  // 0 before the heap is reserved
  std::uintptr_t end_ = 0;
  std::map<std::uintptr_t, std::size_t> blocks_;      // bytes by begin
  std::vector<Block> released_;                       // in the running launch
  std::multimap<std::size_t, std::uintptr_t> rooms_;  // begins by rounded size
};

}  // namespace tilelab::emulator

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>

/// The arrays that a caller passes in host memory. Only copies of the runtime may touch them, while
/// an object of the class Access lives: a loop on the host cannot do the work of a kernel, and a
/// kernel cannot use what a GPU does not reach.
namespace tilelab::emulator {

class HostArrays {
 public:
  /// The only one in the process.
  static HostArrays& instance();

  /// An array of zeros; nullptr if there is no room.
  void* allocate(std::size_t bytes);

  void release(void* array);

  /// Whether the address is in one of the arrays.
  bool contains(const void* address) const { return has(address, 1); }

  /// Whether every byte of the range is in one array.
  bool has(const void* address, std::size_t bytes) const;

  /// Page-locks the memory of an array from an address on. Kernels cannot use it then either.
  /// @return false if that is so already
  bool pin(const void* address) { return pinned_.insert(to_number(address)).second; }
  /// @return false if the memory is not page-locked
  bool unpin(const void* address) { return pinned_.erase(to_number(address)) > 0; }
  std::size_t pinned() const { return pinned_.size(); }

  /// While an object of this class lives, the arrays can be read and written.
  class Access {
   public:
    explicit Access(HostArrays& arrays) : arrays_(arrays) { arrays_.open(); }
    ~Access() { arrays_.close(); }
    Access(const Access&) = delete;
    Access& operator=(const Access&) = delete;

   private:
    HostArrays& arrays_;
  };

 private:
  HostArrays() = default;
  static std::uintptr_t to_number(const void* address) {
    return reinterpret_cast<std::uintptr_t>(address);
  }
  void open() const;
  void close() const;

  std::map<std::uintptr_t, std::size_t> arrays_;  // begin -> size
  std::set<std::uintptr_t> pinned_;               // begins of ranges
};

}  // namespace tilelab::emulator

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

/// The host memory that kernels may use: what cudaHostAlloc() and cudaMallocHost() returned, and
/// what cudaHostRegister() was called for. Host and device share one address space, so a pointer to
/// it is the same on both sides.
namespace tilelab::emulator {

class PinnedMemory {
 public:
  /// All of it together has room for this many bytes.
  static constexpr std::uint32_t capacity = std::uint32_t{3} << 28;

  /// The only one in the process.
  static PinnedMemory& instance();

  /// @param is_registered  whether the program allocated it itself
  /// @return false if there is no room
  bool add(const void* begin, std::size_t bytes, bool is_registered = false);
  /// Forgets the range that begins there, if one does.
  void remove(const void* begin);

  struct Place {
    std::uint32_t number;   ///< Numbers the byte among all that were ever pinned.
    std::ptrdiff_t offset;  ///< The byte's distance from the begin of its range.
    std::size_t size;       ///< The size of the range.
    bool is_registered;     ///< Whether the program allocated the range itself.
  };
  /// The last range that begins at or below the address, if it is in that range or a little past
  /// its end.
  std::optional<Place> place_of(std::uintptr_t address) const;
  bool is_empty() const { return ranges_.empty(); }
  std::size_t count() const { return ranges_.size(); }
  /// Whether every byte is in one range.
  bool contains(std::uintptr_t address, std::size_t bytes) const;
  /// The address of the byte with this number.
  std::uintptr_t address_of(std::uint32_t number) const;

 private:
  struct Range {
    std::size_t bytes;
    std::uint32_t number;  // of the first byte
    bool is_registered;
  };
  std::map<std::uintptr_t, Range> ranges_;             // by begin
  std::map<std::uint32_t, std::uintptr_t> addresses_;  // begins by number
  std::uint64_t next_number_ = 0;
};

}  // namespace tilelab::emulator

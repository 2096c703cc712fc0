#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <vector>

/// Global memory: one arena of address space, which host code cannot access unless it is opened.
namespace tilelab::emulator {

class DeviceMemory {
 public:
  /// The only one in the process.
  static DeviceMemory& instance();

  /// From now on, blocks share no page, and between the pages of two blocks there is a page that is
  /// in no block.
  static void give_blocks_own_pages() { have_own_pages_ = true; }

  /// The same. A new block, and what is behind it up to the end of its last page, is scrambled.
  static void guard_blocks() { have_own_pages_ = are_guarded_ = true; }

  /// From now on, memory that is freed is not allocated again at once, so that accesses to it can
  /// be told from others.
  void keep_freed_blocks() { keeps_freed_ = true; }

  /// A poisoned block, aligned to 256 bytes at least; nullptr if there is no room. Between two
  /// blocks are 256 bytes that are in neither.
  void* allocate(std::size_t bytes);

  /// The same, but the listener does not hear of it: parts of it are allocated later.
  void* reserve(std::size_t bytes);
  /// A block that host code may use at any time: managed or page-locked memory.
  void* allocate_for_host(std::size_t bytes);
  /// The same, for managed memory.
  void* allocate_managed(std::size_t bytes);

  /// Returns false if no block begins there.
  bool release(void* pointer);

  void release_all();
  /// Chooses a function that release_all() calls first.
  void before_all_is_released(void (*function)()) { before_all_is_released_ = function; }

  /// Whether the address is in the arena, allocated or not.
  bool contains(const void* address) const {
    return reinterpret_cast<std::uintptr_t>(address) - base_ < capacity_;
  }

  /// Whether it is before or behind the arena, where there is nothing else: an index is far too
  /// small or too large.
  bool is_beside_all(const void* address) const {
    const std::uintptr_t begin = base_ - bytes_before;
    return !contains(address) && reinterpret_cast<std::uintptr_t>(address) - begin < end_ - begin;
  }

  /// Whether host code may use the block that the address is in.
  bool is_for_host(const void* address) const;

  /// Whether the last block that begins at or below the address is one that host code may use.
  bool is_behind_host_block(const void* address) const;

  bool has_blocks_for_host() const { return !for_host_.empty(); }

  /// Whether the address is in a block of managed memory.
  bool is_managed(const void* address) const;

  /// Whether every byte of the range is in one block.
  bool is_allocated(const void* address, std::size_t bytes) const;

  /// Where host code was that freed the block which the address was in, the innermost function
  /// first; null if no such block is kept.
  const std::vector<std::uint64_t>* freed_by(const void* address) const;

  struct Neighbor {
    std::size_t size;       ///< The size of the block.
    std::ptrdiff_t offset;  ///< The distance of the address from the block's begin.
  };
  /// The last block that begins at or below the address.
  std::optional<Neighbor> block_below(const void* address) const;

  /// The first block that begins above the address.
  std::optional<Neighbor> block_above(const void* address) const;

  /// The block with the address in it, or else the one whose begin or end is nearer.
  std::optional<Neighbor> nearest_block(const void* address) const;

  static std::size_t page_bytes();
  /// A block of this many bytes, and what is free around it, come in units of this size.
  static std::size_t unit_of(std::size_t bytes);

  /// Calls `function(begin, bytes)` for every block.
  template <class Function>
  void for_each_block(Function function) const {
    for (const auto& [begin, bytes] : blocks_) function(reinterpret_cast<void*>(begin), bytes);
  }

  /// Limits allocations to the first bytes of the arena.
  void limit_capacity(std::size_t bytes) { capacity_ = std::min(capacity_, bytes); }

  std::uintptr_t base() const { return base_; }
  std::size_t count() const { return blocks_.size(); }
  /// How many blocks there have ever been.
  std::uint64_t count_so_far() const { return count_so_far_; }
  /// How often blocks were freed. Any thread may ask.
  std::uint64_t frees_so_far() const { return frees_so_far_.load(std::memory_order_relaxed); }
  std::size_t capacity() const { return capacity_; }
  std::size_t used() const { return used_; }

  /// While an object of this class lives, the blocks can be read and written.
  class Access {
   public:
    explicit Access(DeviceMemory& memory) : memory_(memory) { memory_.open(); }
    ~Access() { memory_.close(); }
    Access(const Access&) = delete;
    Access& operator=(const Access&) = delete;

   private:
    DeviceMemory& memory_;
  };

 private:
  DeviceMemory();
  void open();
  void close();
  std::uintptr_t find_gap(std::size_t bytes) const;
  /// The same; freed blocks are given up if there is no other room.
  std::uintptr_t make_gap(std::size_t bytes);
  void keep_freed(std::uintptr_t begin, std::size_t bytes);
  void give_up_oldest_freed();

  static inline bool have_own_pages_ = false;
  static inline bool are_guarded_ = false;

  static constexpr std::size_t bytes_before = std::size_t{256} << 20;
  std::uintptr_t base_ = 0;
  std::uintptr_t end_ = 0;  // of what is reserved, of which the capacity is a part
  std::size_t capacity_ = 0;
  std::size_t used_ = 0;
  std::map<std::uintptr_t, std::size_t> blocks_;    // begin -> size
  std::map<std::uintptr_t, std::size_t> for_host_;  // those of the blocks
  std::map<std::uintptr_t, std::size_t> taken_;     // the blocks, and freed ones that are kept
  bool keeps_freed_ = false;
  std::deque<std::uintptr_t> freed_;  // those that are kept, the oldest first
  std::map<std::uintptr_t, std::vector<std::uint64_t>> freed_by_;  // their callers
  std::size_t freed_bytes_ = 0;
  std::set<std::uintptr_t> managed_;  // those for the host that are managed
  std::uint64_t count_so_far_ = 0;
  std::atomic<std::uint64_t> frees_so_far_ = 0;
  std::size_t opened_bytes_ = 0;
  int accesses_ = 0;
  void (*before_all_is_released_)() = nullptr;
};

}  // namespace tilelab::emulator

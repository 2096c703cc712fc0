#include "emulator/runtime/memory/device_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "emulator/runtime/callers.h"
#include "emulator/runtime/listener.h"
#include "emulator/runtime/memory/poison.h"
#include "emulator/runtime/recording/recorder.h"
#include "emulator/runtime/round_up.h"

namespace tilelab::emulator {
namespace {

constexpr std::size_t largest_arena = std::size_t{8} << 30;
constexpr std::size_t smallest_arena = std::size_t{64} << 20;

constexpr std::size_t block_alignment = 256;

// Of what a program allocates. Some take as much as they can get, and the host may have less.
constexpr std::size_t most_scrambled_bytes = std::size_t{256} << 20;

// Of freed memory that is kept. It takes room, and each block takes time to step over.
constexpr std::size_t most_freed_bytes = std::size_t{64} << 20, most_freed_blocks = 64;

// The arena opens and closes for every launch. That costs about 0.1 microseconds per MiB with huge
// pages, and 30 with small ones. So it is opened in units of huge pages. Where blocks have pages of
// their own, only large ones have huge pages.
constexpr std::size_t huge_page = std::size_t{2} << 20;

// Far from where processes have their own memory, so that a wrong 32-bit index does not lead there.
constexpr std::uintptr_t far_from_the_host = std::uintptr_t{1} << 46;

void forbid(std::uintptr_t begin, std::uintptr_t end) {
  if (begin < end) mprotect(reinterpret_cast<void*>(begin), end - begin, PROT_NONE);
}

}  // namespace

DeviceMemory& DeviceMemory::instance() {
  // Never destroyed: global destructors of the emulated program may still free device memory.
  static auto* memory = new DeviceMemory;
  return *memory;
}

DeviceMemory::DeviceMemory() {
  // A limit on address space may leave room for less than the usual arena.
  for (std::size_t size = largest_arena; size >= smallest_arena; size /= 2) {
    const std::size_t all = bytes_before + size + huge_page;
    void* memory = mmap(reinterpret_cast<void*>(far_from_the_host), all, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) continue;
    const auto begin = reinterpret_cast<std::uintptr_t>(memory);
    base_ = round_up(begin + bytes_before, huge_page);
    end_ = begin + all;
    capacity_ = size;
    if (!have_own_pages_) madvise(reinterpret_cast<void*>(base_), capacity_, MADV_HUGEPAGE);
    return;
  }
}

std::size_t DeviceMemory::page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

// A closed page would split the huge page that it is in. So large blocks have huge pages of their
// own.
std::size_t DeviceMemory::unit_of(std::size_t bytes) {
  if (!have_own_pages_) return block_alignment;
  return bytes >= huge_page / 2 ? huge_page : page_bytes();
}

std::uintptr_t DeviceMemory::find_gap(std::size_t bytes) const {
  const std::size_t unit = unit_of(bytes);
  std::uintptr_t begin = round_up(base_ + unit, unit);
  for (const auto& [block, size] : taken_) {
    if (round_up(begin + bytes, unit) + std::max(unit, unit_of(size)) <= block) return begin;
    begin = round_up(block + size, unit_of(size)) + std::max(unit, unit_of(size));
    begin = round_up(begin, unit);
  }
  return round_up(begin + bytes, unit) + unit <= base_ + capacity_ ? begin : 0;
}

std::uintptr_t DeviceMemory::make_gap(std::size_t bytes) {
  if (bytes > capacity_) return 0;
  std::uintptr_t begin = find_gap(bytes);
  while (begin == 0 && !freed_.empty()) {
    give_up_oldest_freed();
    begin = find_gap(bytes);
  }
  return begin;
}

void DeviceMemory::keep_freed(std::uintptr_t begin, std::size_t bytes) {
  freed_.push_back(begin);
  freed_by_[begin] = innermost_callers();
  freed_bytes_ += bytes;
  while (freed_bytes_ > most_freed_bytes || freed_.size() > most_freed_blocks) {
    give_up_oldest_freed();
  }
}

void DeviceMemory::give_up_oldest_freed() {
  const auto block = taken_.find(freed_.front());
  freed_by_.erase(freed_.front());
  freed_.pop_front();
  freed_bytes_ -= block->second;
  taken_.erase(block);
}

void* DeviceMemory::reserve(std::size_t bytes) {
  const std::uintptr_t begin = make_gap(bytes);
  if (begin == 0) return nullptr;
  blocks_.emplace(begin, bytes);
  taken_.emplace(begin, bytes);
  used_ += bytes;
  ++count_so_far_;
  auto* block = reinterpret_cast<void*>(begin);
  if (recorder != nullptr) return block;  // nothing is ever in it
  const Access access(*this);
  if (unit_of(bytes) == huge_page) madvise(block, round_up(bytes, huge_page), MADV_HUGEPAGE);
  if (are_guarded_) {
    scramble(block, std::min(round_up(bytes, page_bytes()), most_scrambled_bytes));
  } else {
    poison(block, bytes);
  }
  return block;
}

void* DeviceMemory::allocate(std::size_t bytes) {
  void* const block = reserve(bytes);
  if (block != nullptr) tell(&Listener::memory_allocated, block, bytes);
  if (block != nullptr && recorder != nullptr) {
    const Access access(*this);
    recorder->array(block, bytes, schema::Contents::scratch);
  }
  return block;
}

void* DeviceMemory::allocate_for_host(std::size_t bytes) {
  give_blocks_own_pages();
  // Before it is opened, so that it stays open.
  const std::uintptr_t begin = make_gap(bytes);
  if (begin == 0) return nullptr;
  for_host_.emplace(begin, round_up(bytes, page_bytes()));
  void* const block = allocate(bytes);
  // Host code may write it unseen, so nothing in it counts as unwritten.
  tell(&Listener::memory_written, block, bytes);
  return block;
}

void* DeviceMemory::allocate_managed(std::size_t bytes) {
  void* const block = allocate_for_host(bytes);
  if (block != nullptr) managed_.insert(reinterpret_cast<std::uintptr_t>(block));
  return block;
}

bool DeviceMemory::release(void* pointer) {
  const auto block = blocks_.find(reinterpret_cast<std::uintptr_t>(pointer));
  if (block == blocks_.end()) return false;
  if (recorder == nullptr) {
    const Access access(*this);
    poison(pointer, are_guarded_ ? std::min(block->second, most_scrambled_bytes) : block->second);
  }
  tell(&Listener::memory_released, pointer, block->second);
  used_ -= block->second;
  if (const auto for_host = for_host_.find(block->first); for_host != for_host_.end()) {
    forbid(for_host->first, for_host->first + for_host->second);
    for_host_.erase(for_host);
    managed_.erase(block->first);
  }
  if (keeps_freed_) {
    keep_freed(block->first, block->second);
  } else {
    taken_.erase(block->first);
  }
  blocks_.erase(block);
  ++frees_so_far_;
  return true;
}

void DeviceMemory::release_all() {
  if (before_all_is_released_ != nullptr) before_all_is_released_();
  for_each_block(
      [](const void* begin, std::size_t bytes) { tell(&Listener::memory_released, begin, bytes); });
  tell(&Listener::device_reset);
  blocks_.clear();
  ++frees_so_far_;
  for_host_.clear();
  taken_.clear();
  freed_.clear();
  freed_by_.clear();
  freed_bytes_ = 0;
  managed_.clear();
  used_ = 0;
}

bool DeviceMemory::is_for_host(const void* address) const {
  const auto block = block_below(address);
  return block && static_cast<std::size_t>(block->offset) < block->size &&
         is_behind_host_block(address);
}

bool DeviceMemory::is_behind_host_block(const void* address) const {
  const auto block = block_below(address);
  return block && for_host_.contains(reinterpret_cast<std::uintptr_t>(address) -
                                     static_cast<std::uintptr_t>(block->offset));
}

bool DeviceMemory::is_managed(const void* address) const {
  if (!is_allocated(address, 1)) return false;
  return managed_.contains(reinterpret_cast<std::uintptr_t>(address) -
                           static_cast<std::uintptr_t>(block_below(address)->offset));
}

bool DeviceMemory::is_allocated(const void* address, std::size_t bytes) const {
  const auto block = block_below(address);
  if (!block) return false;
  const auto offset = static_cast<std::size_t>(block->offset);
  return offset <= block->size && bytes <= block->size - offset;
}

const std::vector<std::uint64_t>* DeviceMemory::freed_by(const void* address) const {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  const auto next = freed_by_.upper_bound(wanted);
  if (next == freed_by_.begin()) return nullptr;
  const auto& [begin, callers] = *std::prev(next);
  return wanted - begin < taken_.at(begin) ? &callers : nullptr;
}

std::optional<DeviceMemory::Neighbor> DeviceMemory::block_below(const void* address) const {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  auto next = blocks_.upper_bound(wanted);
  if (next == blocks_.begin()) return std::nullopt;
  --next;
  return Neighbor{next->second, static_cast<std::ptrdiff_t>(wanted - next->first)};
}

std::optional<DeviceMemory::Neighbor> DeviceMemory::block_above(const void* address) const {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  const auto next = blocks_.upper_bound(wanted);
  if (next == blocks_.end()) return std::nullopt;
  return Neighbor{next->second, static_cast<std::ptrdiff_t>(wanted - next->first)};
}

std::optional<DeviceMemory::Neighbor> DeviceMemory::nearest_block(const void* address) const {
  const auto below = block_below(address), above = block_above(address);
  if (!below || !above) return below ? below : above;
  const std::ptrdiff_t after_end = below->offset - static_cast<std::ptrdiff_t>(below->size);
  return after_end < 0 || after_end <= -above->offset ? below : above;
}

void DeviceMemory::open() {
  ++accesses_;
  if (blocks_.empty()) return;
  const auto& [last, size] = *blocks_.rbegin();
  const std::size_t wanted =
      std::min(round_up(round_up(last + size, unit_of(size)) + 1 - base_, huge_page), capacity_);
  if (wanted <= opened_bytes_) return;
  opened_bytes_ = wanted;
  mprotect(reinterpret_cast<void*>(base_), opened_bytes_, PROT_READ | PROT_WRITE);
}

void DeviceMemory::close() {
  if (--accesses_ > 0 || opened_bytes_ == 0) return;
  // All but what host code may use.
  std::uintptr_t begin = base_;
  for (const auto& [block, size] : for_host_) {
    forbid(begin, block);
    begin = block + size;
  }
  forbid(begin, base_ + opened_bytes_);
  opened_bytes_ = 0;
}

}  // namespace tilelab::emulator

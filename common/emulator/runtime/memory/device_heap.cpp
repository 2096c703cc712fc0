#include "emulator/runtime/memory/device_heap.h"

#include <algorithm>

#include "emulator/runtime/listener.h"
#include "emulator/runtime/memory/device_memory.h"
#include "emulator/runtime/round_up.h"

namespace tilelab::emulator {
namespace {

constexpr std::size_t heap_alignment = 16;
constexpr std::size_t red_zone = 16;

/// The bytes of a block with its red zone.
constexpr std::size_t room_for(std::size_t bytes) {
  return round_up(bytes + red_zone, heap_alignment);
}

}  // namespace

DeviceHeap& DeviceHeap::instance() {
  // Never destroyed: global destructors of the emulated program may still launch kernels.
  static auto* const heap = [] {
    DeviceMemory::instance().before_all_is_released([] { instance().reset(); });
    return new DeviceHeap;
  }();
  return *heap;
}

std::uintptr_t DeviceHeap::find_room(std::size_t bytes) {
  const std::size_t room = room_for(bytes);
  const auto fitting = rooms_.find(room);
  if (fitting != rooms_.end()) {
    const std::uintptr_t begin = fitting->second;
    rooms_.erase(fitting);
    return begin;
  }
  if (room > end_ - next_) return 0;
  const std::uintptr_t begin = next_;
  next_ += room;
  return begin;
}

void* DeviceHeap::allocate(std::size_t bytes) {
  if (bytes == 0 || bytes > limit_) return nullptr;
  if (next_ == 0) {
    next_ = reinterpret_cast<std::uintptr_t>(DeviceMemory::instance().reserve(limit_));
    if (next_ == 0) return nullptr;
    end_ = next_ + limit_;
  }
  std::uintptr_t begin = find_room(bytes);
  if (begin == 0) {
    reuse_released();
    begin = find_room(bytes);
  }
  if (begin == 0) return nullptr;
  blocks_[begin] = bytes;
  auto* const block = reinterpret_cast<void*>(begin);
  tell(&Listener::memory_allocated, block, bytes);
  return block;
}

std::size_t DeviceHeap::size_of(const void* pointer) const {
  const auto block = blocks_.find(reinterpret_cast<std::uintptr_t>(pointer));
  return block != blocks_.end() ? block->second : 0;
}

bool DeviceHeap::release(void* pointer) {
  const auto block = blocks_.find(reinterpret_cast<std::uintptr_t>(pointer));
  if (block == blocks_.end()) return false;
  tell(&Listener::memory_released, pointer, block->second);
  released_.push_back({block->first, block->second});
  blocks_.erase(block);
  return true;
}

bool DeviceHeap::was_released(const void* pointer) const {
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
  return std::ranges::any_of(released_, [=](const Block& it) { return it.begin == begin; });
}

void DeviceHeap::reuse_released() {
  for (const Block& block : released_) rooms_.emplace(room_for(block.bytes), block.begin);
  released_.clear();
}

void DeviceHeap::reset() {
  for (const auto& [begin, bytes] : blocks_) {
    tell(&Listener::memory_released, reinterpret_cast<const void*>(begin), bytes);
  }
  blocks_.clear();
  released_.clear();
  rooms_.clear();
  next_ = end_ = 0;
}

}  // namespace tilelab::emulator

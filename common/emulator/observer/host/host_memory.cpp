#include "emulator/observer/host/host_memory.h"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "emulator/observer/memory/reserved_memory.h"
#include "emulator/runtime/memory/shared_memory.h"

namespace tilelab::emulator {
namespace {

constexpr std::size_t heap_bytes = std::size_t{4} << 30;

const std::ios_base* const standard_streams[] = {&std::cout, &std::cerr, &std::clog};

constexpr std::uintptr_t round_up(std::uintptr_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Whether the bytes say how a standard stream writes numbers: its precision, width and flags,
/// which follow the table of virtual functions. Manipulators write them.
bool is_format_of_stream(std::uintptr_t address, std::size_t bytes) {
  constexpr std::size_t format_bytes =
      2 * sizeof(std::streamsize) + sizeof(std::ios_base::fmtflags);
  return std::any_of(
      std::begin(standard_streams), std::end(standard_streams), [&](const std::ios_base* stream) {
        const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(stream) + sizeof(void*);
        return Range{begin, begin + format_bytes}.contains(address, bytes);
      });
}

}  // namespace

HostMemory& HostMemory::instance() {
  static auto* memory = new HostMemory;
  return *memory;
}

HostMemory::HostMemory() {
  const auto begin = reinterpret_cast<std::uintptr_t>(reserve_memory(heap_bytes));
  heap_ = {begin, begin + heap_bytes};
  unused_begin_ = begin;
}

bool HostMemory::may_write(std::uintptr_t address, std::size_t bytes) const {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (Range{here, stack_limit_}.contains(address, bytes)) return true;
  if (heap_.contains(address, bytes)) return true;
  if (compress_variable(address, bytes)) return true;
  const auto shared = static_shared_memory();
  const auto shared_begin = reinterpret_cast<std::uintptr_t>(shared.data());
  if (Range{shared_begin, shared_begin + shared.size()}.contains(address, bytes)) return true;
  if (is_format_of_stream(address, bytes)) return true;
  return std::any_of(std::begin(exceptions_), std::end(exceptions_),
                     [&](const Range& range) { return range.contains(address, bytes); });
}

bool HostMemory::is_on_heap_or_stack(std::uintptr_t address) const {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return Range{here, stack_limit_}.contains(address, 1) || heap_.contains(address, 1);
}

void* HostMemory::allocate(std::size_t bytes, std::size_t alignment) {
  const std::lock_guard lock(mutex_);
  constexpr std::size_t unit = 16;
  if (!has_submission()) {
    void* const pointer = alignment <= unit
                              ? std::malloc(bytes)
                              : std::aligned_alloc(alignment, round_up(bytes, alignment));
    early_.insert(pointer);
    return pointer;
  }
  if (bytes > heap_bytes || alignment > heap_bytes) return nullptr;
  const std::size_t size = round_up(std::max<std::size_t>(bytes, 1), unit);
  const auto fitting = released_.lower_bound(size);
  if (fitting != released_.end() && fitting->first < 2 * size && fitting->second % alignment == 0) {
    const std::uintptr_t begin = fitting->second;
    blocks_[begin] = fitting->first;
    released_.erase(fitting);
    return reinterpret_cast<void*>(begin);
  }
  const std::uintptr_t begin = round_up(unused_begin_, std::max(alignment, unit));
  if (begin > heap_.end || size > heap_.end - begin) return nullptr;
  unused_begin_ = begin + size;
  blocks_[begin] = size;
  return reinterpret_cast<void*>(begin);
}

bool HostMemory::release(void* pointer) {
  const std::lock_guard lock(mutex_);
  const auto block = blocks_.find(reinterpret_cast<std::uintptr_t>(pointer));
  if (block == blocks_.end()) {
    if (early_.erase(pointer) == 0 && has_submission()) return false;
    std::free(pointer);
    return true;
  }
  released_.emplace(block->second, block->first);
  blocks_.erase(block);
  return true;
}

std::size_t HostMemory::size_of(const void* pointer) const {
  const std::lock_guard lock(mutex_);
  const auto block = blocks_.find(reinterpret_cast<std::uintptr_t>(pointer));
  if (block != blocks_.end()) return block->second;
  const bool is_early = !has_submission() || early_.contains(pointer);
  return is_early ? malloc_usable_size(const_cast<void*>(pointer)) : 0;
}

void HostMemory::allow_exception(const void* begin, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  exceptions_[next_exception_++ % most_exceptions] = {address, address + bytes};
}

}  // namespace tilelab::emulator

#include "emulator/runtime/memory/pinned_memory.h"

#include <iterator>

#include "emulator/runtime/round_up.h"

namespace tilelab::emulator {
namespace {

/// Numbers keep the position of an address among the sectors and lines of memory.
constexpr std::uint64_t number_alignment = 256;

/// How far past the end of a range an access was most likely meant for it.
constexpr std::ptrdiff_t near = 16;

}  // namespace

PinnedMemory& PinnedMemory::instance() {
  // Never destroyed: global destructors of the emulated program may still use it.
  static auto* memory = new PinnedMemory;
  return *memory;
}

bool PinnedMemory::add(const void* begin, std::size_t bytes, bool is_registered) {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  if (ranges_.empty()) next_number_ = 0;
  const std::uint64_t number =
      round_up(next_number_, number_alignment) + address % number_alignment;
  if (bytes > capacity || number + bytes > capacity) return false;
  remove(begin);
  ranges_[address] = {bytes, static_cast<std::uint32_t>(number), is_registered};
  addresses_[static_cast<std::uint32_t>(number)] = address;
  next_number_ = number + bytes;
  return true;
}

void PinnedMemory::remove(const void* begin) {
  const auto range = ranges_.find(reinterpret_cast<std::uintptr_t>(begin));
  if (range == ranges_.end()) return;
  addresses_.erase(range->second.number);
  ranges_.erase(range);
}

std::optional<PinnedMemory::Place> PinnedMemory::place_of(std::uintptr_t address) const {
  const auto next = ranges_.upper_bound(address);
  if (next == ranges_.begin()) return std::nullopt;
  const auto& [begin, range] = *std::prev(next);
  const auto offset = static_cast<std::ptrdiff_t>(address - begin);
  if (offset >= static_cast<std::ptrdiff_t>(range.bytes) + near) return std::nullopt;
  return Place{range.number + static_cast<std::uint32_t>(offset), offset, range.bytes,
               range.is_registered};
}

bool PinnedMemory::contains(std::uintptr_t address, std::size_t bytes) const {
  const auto place = place_of(address);
  if (!place) return false;
  const auto offset = static_cast<std::size_t>(place->offset);
  return offset <= place->size && bytes <= place->size - offset;
}

std::uintptr_t PinnedMemory::address_of(std::uint32_t number) const {
  const auto next = addresses_.upper_bound(number);
  if (next == addresses_.begin()) return 0;
  const auto& [first, address] = *std::prev(next);
  return address + (number - first);
}

}  // namespace tilelab::emulator

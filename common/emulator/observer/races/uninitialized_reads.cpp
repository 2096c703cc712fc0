#include "emulator/observer/races/uninitialized_reads.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "emulator/observer/memory/submission.h"
#include "emulator/runtime/blocks/extents.h"
#include "emulator/runtime/callers.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/memory/device_memory.h"

namespace tilelab::emulator {
namespace {

/// Whether the address is in memory that begins uninitialized.
bool can_be_unwritten(std::uint32_t address) { return address < space_base::variables; }

/// Whether all lanes read the same place, and it was written. This is the most common case.
bool reads_written_word(const ByteSet& written, const WarpAccess& access) {
  return access.is_regular && access.stride == 0 && written.contains(access.first, access.bytes());
}

/// What one thread does alone.
WarpAccess access_of(unsigned thread, Code code, std::uint32_t address) {
  WarpAccess access;
  access.code = code;
  access.warp = thread / 32;
  access.lanes = 1u << thread % 32;
  access.count = 1;
  access.is_regular = true;
  access.first = address;
  access.stride = 0;
  return access;
}

}  // namespace

void UninitializedReads::launch_begins(const KernelCall& kernel,
                                       const LaunchConfiguration& configuration) {
  parked_.clear();
  // Each kernel has types of its own in the dynamic array.
  const auto dynamic = padded_shared_.lower_bound(space_base::dynamic);
  for (auto array = dynamic; array != padded_shared_.end(); ++array) {
    shared_padding_.remove_range(array->first, array->second);
  }
  padded_shared_.erase(dynamic, padded_shared_.end());
  const std::uint64_t blocks = count_of(configuration.grid),
                      threads = count_of(configuration.block);
  last_launch_ = std::string(kernel.name) + "() with " + std::to_string(blocks) +
                 (blocks == 1 ? " block of " : " blocks of ") + std::to_string(threads) +
                 (threads == 1 ? " thread" : " threads");
}

void UninitializedReads::note_padding(const KernelCall& kernel) {
  kernel.arguments.visit(
      [](void* self, const Argument& argument) {
        if (argument.padding.holds_value == nullptr) return;
        const void* begin = nullptr;
        std::memcpy(&begin, argument.value, sizeof begin);
        static_cast<UninitializedReads*>(self)->add_padding(begin, argument.padding);
      },
      this);
}

/// From the object to which a pointer leads to the end of the array.
void UninitializedReads::add_padding(const void* begin, const Padding& padding) {
  const unsigned char* const end = padding.holds_value + padding.object_bytes;
  if (std::find(padding.holds_value, end, 0) == end) return;
  const DeviceMemory& memory = DeviceMemory::instance();
  if (!memory.contains(begin)) return;
  const auto block = memory.block_below(begin);
  if (!block || static_cast<std::size_t>(block->offset) >= block->size) return;
  const std::uint32_t first = compress_arena(begin);
  std::size_t& known = padded_[first];
  if (known == padding.object_bytes) return;
  known = padding.object_bytes;
  const std::size_t bytes = block->size - static_cast<std::size_t>(block->offset);
  for (std::size_t at = 0; at < bytes; ++at) {
    const bool is_padding = padding.holds_value[at % padding.object_bytes] == 0;
    if (is_padding) global_written_.add_range(first + static_cast<std::uint32_t>(at), 1);
  }
}

void UninitializedReads::note_shared_objects(std::uint32_t begin, std::size_t bytes,
                                             std::size_t object_bytes,
                                             void (*clear_padding)(void*)) {
  std::size_t& known = padded_shared_[begin];
  if (known == bytes) return;
  known = bytes;
  alignas(std::max_align_t) std::array<unsigned char, largest_padded_object> object;
  std::fill_n(object.begin(), object_bytes, 0xff);
  clear_padding(object.data());
  for (std::size_t at = 0; at < bytes; ++at) {
    if (object[at % object_bytes] == 0) {
      shared_padding_.add_range(begin + static_cast<std::uint32_t>(at), 1);
    }
  }
}

void UninitializedReads::take(const WarpAccess& access) {
  const std::uint32_t address = access.address(0);
  if (!can_be_unwritten(address)) return;
  ByteSet& written = address < space_base::shared ? global_written_ : shared_written_;
  const AccessKind kind = kind_of(access.code);
  const bool reads =
      kind == AccessKind::load || (kind == AccessKind::atomic && !overwrites_.has(access.code));
  if (reads && !reads_written_word(written, access)) find_in(written, access);
  if (kind == AccessKind::load) return;
  for (unsigned i = 0; i < access.count; ++i) written.add(access.address(i), access.bytes());
}

void UninitializedReads::take_alone(Event event, unsigned thread) {
  take(access_of(thread, code_of(event), address_of(event)));
}

void UninitializedReads::block_unparks(std::uint64_t number) {
  shared_written_.clear();
  for (const ByteSet::Word& word : parked_[number]) shared_written_.add_word(word);
  parked_.erase(number);
}

void UninitializedReads::copy_issued(std::uint32_t, std::uint32_t) {
  const CopyPlace& place = copies_.place();
  const unsigned thread = running_thread();
  // A source that is cut short is read in words.
  const bool is_whole = place.source_bytes == place.bytes;
  const Code load = is_whole ? place.load : make_code(place_of(place.load), AccessKind::load, 0);
  for (unsigned at = 0; at < place.source_bytes; at += bytes_of(load)) {
    take(access_of(thread, load, place.from + at));
  }
  take(access_of(thread, place.store, place.to));
}

void UninitializedReads::untraced_store(Event event) {
  const std::uint32_t address = address_of(event);
  if (address < space_base::shared) global_written_.add_range(address, bytes_of(code_of(event)));
}

void UninitializedReads::memory_allocated(const void* begin, std::size_t bytes) {
  const std::uint32_t first = compress_arena(begin);
  global_written_.remove_range(first, bytes);
  padded_.erase(padded_.lower_bound(first),
                padded_.lower_bound(first + static_cast<std::uint32_t>(bytes)));
}

void UninitializedReads::memory_written(const void* begin, std::size_t bytes) {
  const auto address = compress_device(begin, bytes);
  if (address && *address < space_base::shared) global_written_.add_range(*address, bytes);
}

void UninitializedReads::memory_copied(const void* to, const void* from, std::size_t bytes) {
  memory_copied_to_host(from, bytes);  // `to` may be a variable of the host as well
  memory_written(to, bytes);
}

void UninitializedReads::memory_copied_to_host(const void* begin, std::size_t bytes) {
  const auto address = compress_device(begin, bytes);
  if (!sees_stores_ || !address || *address >= space_base::shared) return;
  const ByteSet::Gap gap = global_written_.missing(*address, bytes);
  if (gap.bytes == 0) return;
  std::string sentence = std::to_string(gap.bytes) + " of the " + std::to_string(bytes) + " bytes";
  if (!last_launch_.empty()) sentence += "; the launch before it was " + last_launch_;
  findings_.add_call(report::FindingKind::unwritten_copy, gap.first, sentence, innermost_callers());
}

/// The first byte that is not written. The logs of some writers are put together later.
std::optional<std::uint32_t> UninitializedReads::first_unwritten(const ByteSet& written, Code read,
                                                                 std::uint32_t address,
                                                                 unsigned thread) const {
  for (std::uint32_t at = address; at < address + bytes_of(read); ++at) {
    if (!written.contains(at, 1) && !points_.was_written_before(thread, read, at)) return at;
  }
  return std::nullopt;
}

void UninitializedReads::find_in(const ByteSet& written, const WarpAccess& access) {
  std::uint32_t lanes = access.lanes;
  unsigned unwritten = 0;
  std::uint32_t first_address = 0;
  unsigned first_bytes = 0;
  unsigned first_lane = 0;
  for (unsigned i = 0; i < access.count; ++i, lanes &= lanes - 1) {
    const std::uint32_t address = access.address(i);
    if (written.contains(address, access.bytes())) continue;
    // Not every compiler tells of padding. Behind a member that is smaller than a word, an
    // assignment of the object reads both.
    const bool is_shared = address >= space_base::shared;
    if (is_shared && (written.contains_part_of_word(address, access.bytes()) ||
                      written.contains_with(shared_padding_, address, access.bytes()))) {
      continue;
    }
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const auto first = first_unwritten(written, access.code, address, access.warp * 32 + lane);
    if (!first || unwritten++ > 0) continue;
    // A vector may be written in part: then its first element that is not.
    const bool is_word = *first != address && *first % 4 == 0;
    first_address = is_word ? *first : address;
    first_bytes = is_word ? 4 : access.bytes();
    first_lane = lane;
  }
  if (unwritten == 0) return;
  const Party reader{access.code, blockIdx, access.warp * 32 + first_lane};
  findings_.add(report::FindingKind::uninitialized_read, first_address, first_bytes,
                {side_of(reader)}, "", unwritten);
}

}  // namespace tilelab::emulator

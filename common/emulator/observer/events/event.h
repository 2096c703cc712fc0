#pragma once

#include <cstdint>

#include "report/access.h"

/// What the hooks write down: one word for each access, and one for each basic block.
namespace tilelab::emulator {

using report::AccessKind;
using report::MemorySpace;

/// An access: its code in the low half, its compressed address in the high half.
using Event = std::uint64_t;

/// What an access at one place in the program is: the place, the kind and the size.
using Code = std::uint32_t;

constexpr unsigned kind_shift = 3;
constexpr unsigned place_shift = 5;
constexpr Code mark_kind = 3;  ///< The kind of an event that is no access.

/// The size of an access as its code has it: the logarithm, or, for a special access of 4, 8 or 1
/// bytes, a number that is none. Special is a load or store of a volatile variable, and an atomic
/// operation that compares and swaps.
constexpr unsigned size_field(unsigned log2_bytes, bool is_special) {
  if (!is_special) return log2_bytes;
  return log2_bytes == 2 ? 5 : log2_bytes == 3 ? 6 : log2_bytes == 0 ? 7 : log2_bytes;
}

constexpr Code make_code(std::uint32_t place, AccessKind kind, unsigned size) {
  return place << place_shift | static_cast<Code>(kind) << kind_shift | size;
}
constexpr unsigned bytes_of(Code code) {
  constexpr std::uint64_t bytes_by_field = 0x01080410'08040201;
  return static_cast<unsigned>(bytes_by_field >> 8 * (code & 7)) & 0xff;
}
constexpr bool is_special(Code code) { return (code & 7) >= 5; }
constexpr Code kind_bits(Code code) { return code >> kind_shift & 3; }
constexpr bool is_mark(Code code) { return kind_bits(code) == mark_kind; }
constexpr AccessKind kind_of(Code code) { return static_cast<AccessKind>(kind_bits(code)); }
/// A mark where lanes met. Its address is the number of the meeting.
constexpr Code meeting_mark = mark_kind << kind_shift;
/// A mark where a lane passed a fence, or acquired something. Its address is the number of the
/// point.
constexpr Code point_mark = mark_kind << kind_shift | 1;
/// A mark where the block went on after others ran. Its address is the epoch.
constexpr Code epoch_mark = mark_kind << kind_shift | 2;
/// A mark where a lane closed a batch of asynchronous copies, or had waited for one. Unlike other
/// marks, lanes pass it together where their paths are the same, as they make an access.
constexpr Code copy_mark = mark_kind << kind_shift | 3;
constexpr Code make_copy_mark(std::uint32_t number) { return number << place_shift | copy_mark; }
constexpr bool is_copy_mark(Code code) { return (code & ((1u << place_shift) - 1)) == copy_mark; }

/// The low bits of the return address of the hook's call.
constexpr std::uint32_t place_of(Code code) { return code >> place_shift; }

/// As much of a return address as an event has room for: it names one place in 128 MiB of code.
constexpr std::uint32_t compress_place(std::uintptr_t return_address) {
  return static_cast<std::uint32_t>(return_address) & ((1u << (32 - place_shift)) - 1);
}

constexpr Event make_event(Code code, std::uint32_t address) {
  return std::uint64_t{address} << 32 | code;
}
constexpr Code code_of(Event event) { return static_cast<Code>(event); }
constexpr std::uint32_t address_of(Event event) { return static_cast<std::uint32_t>(event >> 32); }

/// Compressed addresses. Every memory space has its own range of them, which begins here and counts
/// bytes from the begin of the memory.
namespace space_base {
constexpr std::uint32_t arena = 0;               ///< The arena of device memory.
constexpr std::uint32_t shared = 0x80000000;     ///< The static `__shared__` arrays.
constexpr std::uint32_t dynamic = 0x88000000;    ///< The dynamic `__shared__` array.
constexpr std::uint32_t variables = 0x90000000;  ///< The submission's variables.
constexpr std::uint32_t constant = 0xa0000000;   ///< The submission's `__constant__` variables.
constexpr std::uint32_t pinned = 0xb0000000;     ///< The host memory that kernels may use.
constexpr std::uint32_t cluster = 0xe0000000;    ///< The shared memory of other blocks.
constexpr std::uint32_t local = 0xf0000000;      ///< The thread's stack, without an offset.
}  // namespace space_base
/// Every space begins at a multiple of this.
constexpr std::uint32_t space_alignment = 0x08000000;

constexpr MemorySpace space_of(std::uint32_t address) {
  if (address < space_base::shared) return MemorySpace::global;
  if (address < space_base::variables) return MemorySpace::shared;
  if (address < space_base::constant) return MemorySpace::global;
  if (address < space_base::pinned) return MemorySpace::constant;
  if (address < space_base::cluster) return MemorySpace::global;
  return address < space_base::local ? MemorySpace::shared : MemorySpace::local;
}

constexpr bool is_pinned(std::uint32_t address) {
  return address >= space_base::pinned && address < space_base::cluster;
}

}  // namespace tilelab::emulator

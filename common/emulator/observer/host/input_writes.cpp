#include "emulator/observer/host/input_writes.h"

#include <algorithm>
#include <bit>
#include <string>

#include "emulator/observer/memory/submission.h"
#include "emulator/runtime/callers.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/memory/places.h"

namespace tilelab::emulator {
namespace {

bool is_input(const ArrayOfCall& array) { return array.is_read && !array.is_written; }

/// Whether the bytes begin in such an array.
bool is_in_input(std::uintptr_t address) {
  return std::ranges::any_of(arrays_of_call(), [address](const ArrayOfCall& one) {
    return is_input(one) && address - one.begin < one.bytes;
  });
}

}  // namespace

void InputWrites::take(const WarpAccess& access) {
  if (access.kind() == AccessKind::load || access.space() != MemorySpace::global) return;
  std::uint32_t lanes = access.lanes;
  for (unsigned i = 0; i < access.count; ++i, lanes &= lanes - 1) {
    const std::uint32_t at = access.address(i);
    if (!is_in_input(reinterpret_cast<std::uintptr_t>(memory_at(at)))) continue;
    const unsigned thread = access.warp * 32 + static_cast<unsigned>(std::countr_zero(lanes));
    return findings_.add(report::FindingKind::input_write, at, access.bytes(),
                         {side_of({access.code, blockIdx, thread})});
  }
}

void InputWrites::stream_copy_accesses(const void* begin, std::size_t bytes, bool writes) {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  if (!writes || !is_observing_ || !is_calling_ || bytes == 0 || !is_in_input(address)) return;
  findings_.add_call(report::FindingKind::input_write, compress_arena(address),
                     std::string(call_) + "()", innermost_callers());
}

}  // namespace tilelab::emulator

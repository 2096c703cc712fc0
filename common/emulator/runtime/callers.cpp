#include "emulator/runtime/callers.h"

#include <unwind.h>

#include <algorithm>

#include "contract/failed_call.h"
#include "emulator/runtime/link_time_address.h"

namespace tilelab::emulator {

void note_callers(std::span<std::uint64_t> places) {
  std::ranges::fill(places, 0);
  const auto note = [](_Unwind_Context* context, void* rest) {
    auto& left = *static_cast<std::span<std::uint64_t>*>(rest);
    if (left.empty()) return _URC_END_OF_STACK;
    // The byte before a return address is part of the call. What a signal has interrupted is at the
    // instruction itself.
    int was_interrupted = 0;
    const auto address = _Unwind_GetIPInfo(context, &was_interrupted);
    left.front() =
        link_time_address(reinterpret_cast<const void*>(address)) - (was_interrupted == 0 ? 1 : 0);
    left = left.subspan(1);
    return _URC_NO_REASON;
  };
  _Unwind_Backtrace(note, &places);
}

std::vector<std::uint64_t> innermost_callers() {
  constexpr std::size_t most = 32;  // of which some are the runtime's own
  std::vector<std::uint64_t> places(most);
  note_callers(places);
  return places;
}

}  // namespace tilelab::emulator

#include "emulator/observer/remarks/unused_tails.h"

#include "emulator/observer/events/warp_access.h"
#include "emulator/observer/memory/shared_variables.h"

namespace tilelab::emulator {

void UnusedTails::take(const WarpAccess& access) {
  for (unsigned i = 0; i < access.count; ++i) {
    const std::uint32_t address = access.address(i);
    if (address - space_base::shared >= space_alignment) continue;
    used_.add(address, access.bytes());
  }
}

void UnusedTails::add_to(report::LaunchReport& report) {
  for (const SharedVariable& it : SharedVariables::instance().all()) {
    const ByteSet::Gap gap = used_.missing(space_base::shared + it.offset, it.bytes);
    const std::uint32_t end = space_base::shared + it.offset + it.bytes;
    const bool is_tail = gap.bytes > 0 && gap.bytes < it.bytes && gap.first + gap.bytes == end;
    if (is_tail) report.unused_tails.push_back({it.name, it.bytes, gap.bytes});
  }
}

}  // namespace tilelab::emulator

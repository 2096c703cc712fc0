#include "emulator/observer/hooks/copy_access.h"

#include <bit>

#include "emulator/observer/dispatcher.h"
#include "emulator/observer/hooks/record_access.h"

namespace tilelab::emulator {
namespace {

template <AccessKind kind>
void access_chunk(const void* pointer, unsigned bytes, std::uintptr_t place) {
  switch (bytes) {
    case 1:
      return access<kind, 0>(pointer, place);
    case 2:
      return access<kind, 1>(pointer, place);
    case 4:
      return access<kind, 2>(pointer, place);
    case 8:
      return access<kind, 3>(pointer, place);
    case 16:
      return access<kind, 4>(pointer, place);
    default:  // the source of a copy that fills up with zeros
      return access_range(reinterpret_cast<std::uintptr_t>(pointer), bytes, kind, place);
  }
}

}  // namespace

void observe_copy(void* to, const void* from, unsigned bytes, unsigned source_bytes, CopyKind kind,
                  std::uintptr_t place) {
  Dispatcher& dispatcher = Dispatcher::instance();
  dispatcher.copy_begins(from, source_bytes, kind);
  if (source_bytes > 0) access_chunk<AccessKind::load>(from, source_bytes, place);
  access_chunk<AccessKind::store>(to, bytes, place);
  const auto log2_bytes = static_cast<unsigned>(std::countr_zero(bytes));
  dispatcher.copy_ends(from, source_bytes,
                       make_code(compress_place(place), AccessKind::load, log2_bytes));
}

}  // namespace tilelab::emulator

// What the compilers call before every access and in every basic block of a checked build.
//
// Both compilers promise these names and their meaning: the Linux kernel's KCSAN is built on them.
// This relies on grading. A submission's object defines no global symbols but the contract's, and
// it calls nothing of the observer but what compile.sh makes it call: these hooks and the functions
// in redirected_symbols. Above all, it does not call start_observing() or take_report().

#include <bit>

#include "emulator/observer/dispatcher.h"
#include "emulator/observer/hooks/copy_access.h"
#include "emulator/observer/hooks/record_access.h"
#include "emulator/runtime/listener.h"

using namespace tilelab::emulator;

namespace {

/// An atomic operation, or an atomic load or store, of this many bytes.
/// @tparam special  see size_field()
template <AccessKind kind, bool special>
void access_of_size(const void* address, unsigned bytes, std::uintptr_t caller) {
  switch (bytes) {
    case 1:
      return access<kind, 0, special>(address, caller);
    case 2:
      return access<kind, 1, special>(address, caller);
    case 4:
      return access<kind, 2, special>(address, caller);
    default:
      return access<kind, 3, special>(address, caller);
  }
}

}  // namespace

extern "C" {

void __tsan_init() {}

#define TILELAB_HOOKS(bytes)                                                  \
  void __tsan_read##bytes(void* p) {                                          \
    access<AccessKind::load, std::countr_zero(bytes##u)>(p, TILELAB_CALLER);  \
  }                                                                           \
  void __tsan_write##bytes(void* p) {                                         \
    access<AccessKind::store, std::countr_zero(bytes##u)>(p, TILELAB_CALLER); \
  }

TILELAB_HOOKS(1)
TILELAB_HOOKS(2)
TILELAB_HOOKS(4)
TILELAB_HOOKS(8)
TILELAB_HOOKS(16)

#define TILELAB_UNALIGNED_HOOKS(bytes)                                                           \
  void __tsan_unaligned_read##bytes(void* p) {                                                   \
    access_range(reinterpret_cast<std::uintptr_t>(p), bytes, AccessKind::load, TILELAB_CALLER);  \
  }                                                                                              \
  void __tsan_unaligned_write##bytes(void* p) {                                                  \
    access_range(reinterpret_cast<std::uintptr_t>(p), bytes, AccessKind::store, TILELAB_CALLER); \
  }

TILELAB_UNALIGNED_HOOKS(2)
TILELAB_UNALIGNED_HOOKS(4)
TILELAB_UNALIGNED_HOOKS(8)
TILELAB_UNALIGNED_HOOKS(16)

void __tsan_read_range(void* p, unsigned long bytes) {
  access_range(reinterpret_cast<std::uintptr_t>(p), bytes, AccessKind::load, TILELAB_CALLER);
}
void __tsan_write_range(void* p, unsigned long bytes) {
  access_range(reinterpret_cast<std::uintptr_t>(p), bytes, AccessKind::store, TILELAB_CALLER);
}

#define TILELAB_VOLATILE_HOOKS(bytes)                                               \
  void __tsan_volatile_read##bytes(void* p) {                                       \
    access<AccessKind::load, std::countr_zero(bytes##u), true>(p, TILELAB_CALLER);  \
  }                                                                                 \
  void __tsan_volatile_write##bytes(void* p) {                                      \
    access<AccessKind::store, std::countr_zero(bytes##u), true>(p, TILELAB_CALLER); \
  }

TILELAB_VOLATILE_HOOKS(1)
TILELAB_VOLATILE_HOOKS(2)
TILELAB_VOLATILE_HOOKS(4)
TILELAB_VOLATILE_HOOKS(8)
TILELAB_VOLATILE_HOOKS(16)

void __tsan_vptr_read(void* p) { access<AccessKind::load, 3>(p, TILELAB_CALLER); }
void __tsan_vptr_update(void* p, void*) { access<AccessKind::store, 3>(p, TILELAB_CALLER); }

void tilelab_observe_atomic(const void* address, unsigned bytes, const void* place) {
  if (traces_block && is_kernel_thread()) Dispatcher::instance().atomic_begins();
  access_of_size<AccessKind::atomic, false>(address, bytes,
                                            reinterpret_cast<std::uintptr_t>(place));
}

/// The atomic operation that follows at this place is one of the block's threads only.
void tilelab_observe_block_scope(const void* place) {
  if (hot.watches_stores) {
    analyses().in_block.note(reinterpret_cast<std::uintptr_t>(place));
  }
}

/// An atomic operation whose old value nobody wants.
void tilelab_observe_update(const void* address, unsigned bytes, const void* place) {
  analyses().unread.note(reinterpret_cast<std::uintptr_t>(place));
  tilelab_observe_atomic(address, bytes, place);
}

void tilelab_observe_increment(const void* address, unsigned bytes, const void* place) {
  analyses().increments.note(reinterpret_cast<std::uintptr_t>(place));
  tilelab_observe_update(address, bytes, place);
}

void tilelab_observe_exchange(const void* address, unsigned bytes, const void* place) {
  analyses().overwrites.note(reinterpret_cast<std::uintptr_t>(place));
  tilelab_observe_update(address, bytes, place);
}

void tilelab_observe_atomic_load(const void* address, unsigned bytes, const void* place) {
  const auto caller = reinterpret_cast<std::uintptr_t>(place);
  analyses().atomics.note(caller);
  access_of_size<AccessKind::load, true>(address, bytes, caller);
}

void tilelab_observe_atomic_store(const void* address, unsigned bytes, const void* place) {
  const auto caller = reinterpret_cast<std::uintptr_t>(place);
  analyses().atomics.note(caller);
  access_of_size<AccessKind::store, true>(address, bytes, caller);
}

/// The atomic operation that follows has this order.
void tilelab_observe_order(bool releases, bool acquires, bool in_block) {
  if (!hot.watches_stores || !is_kernel_thread()) return;
  Dispatcher::instance().order({releases, acquires, in_block ? Scope::block : Scope::device});
}

void tilelab_observe_polled() {
  if (hot.watches_stores && is_kernel_thread()) Dispatcher::instance().poll_ends();
}

/// The compare-and-swap that follows will find another value.
void tilelab_observe_failing_swap() {
  if (hot.watches_stores && is_kernel_thread()) Dispatcher::instance().swap_fails();
}

void tilelab_observe_compare_and_swap(const void* address, unsigned bytes, const void* place) {
  access_of_size<AccessKind::atomic, true>(address, bytes, reinterpret_cast<std::uintptr_t>(place));
}

void tilelab_observe_fence() {
  if (hot.watches_stores && is_kernel_thread()) Dispatcher::instance().fence(Scope::device);
}

void tilelab_observe_block_fence() {
  if (hot.watches_stores && is_kernel_thread()) Dispatcher::instance().fence(Scope::block);
}

void tilelab_observe_shared_objects(const void* begin, std::size_t bytes, std::size_t object_bytes,
                                    void (*clear_padding)(void*)) {
  if (!hot.watches_stores || !traces_block || !is_kernel_thread()) return;
  const KernelMemory& memory = analyses().kernel_memory;
  const std::size_t all = bytes != 0 ? bytes : memory.dynamic_bytes();
  const auto address = memory.compress(reinterpret_cast<std::uintptr_t>(begin), all);
  if (!address) return;
  analyses().uninitialized_reads.note_shared_objects(*address, all, object_bytes, clear_padding);
}

void tilelab_observe_copy(void* to, const void* from, unsigned bytes, unsigned source_bytes) {
  observe_copy(to, from, bytes, source_bytes, CopyKind::of_thread, TILELAB_CALLER);
}

void tilelab_observe_bulk_copy(void* to, const void* from, unsigned bytes) {
  observe_copy(to, from, bytes, bytes, CopyKind::bulk, TILELAB_CALLER);
}

void tilelab_observe_bulk_copy_of_part(void* to, const void* from, unsigned bytes) {
  observe_copy(to, from, bytes, bytes, CopyKind::bulk_of_part, TILELAB_CALLER);
}

void __sanitizer_cov_trace_pc() {
  if (!traces_block || !is_kernel_thread()) return;
  // The event includes the position among the accesses.
  *hot.block_cursor++ =
      make_event(compress_place(TILELAB_CALLER),
                 static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(hot.cursor)));
  if (hot.block_cursor >= hot.block_end) [[unlikely]]
    log_is_full();
}

}  // extern "C"

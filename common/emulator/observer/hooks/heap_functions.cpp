// The submission's heap, which is separate from that of the process, and the heap of its kernels
// (redirected_symbols).

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "emulator/observer/dispatcher.h"
#include "emulator/observer/hooks/record_access.h"
#include "emulator/observer/host/host_memory.h"
#include "emulator/runtime/errors/errors.h"
#include "emulator/runtime/execution/builtin_variables.h"
#include "emulator/runtime/execution/scheduler.h"
#include "emulator/runtime/memory/device_heap.h"

using namespace tilelab::emulator;

namespace {

HostMemory& heap() { return HostMemory::instance(); }

bool is_in_kernel() { return is_kernel_thread(); }

void* allocate(std::size_t bytes) {
  return is_in_kernel() ? DeviceHeap::instance().allocate(bytes) : heap().allocate(bytes);
}

/// What `new` returns. In a kernel it is null if there is no room, because nothing is thrown there.
void* throw_if_null(void* memory) {
  if (memory == nullptr && !is_in_kernel()) throw std::bad_alloc();
  return memory;
}

void free_in_kernel(void* memory, std::uintptr_t place) {
  const Code code = make_code(compress_place(place), AccessKind::store, 0);
  const bool was_released = DeviceHeap::instance().was_released(memory);
  const std::size_t bytes = DeviceHeap::instance().size_of(memory);
  if (bytes > 0) Dispatcher::instance().frees(memory, bytes, code);
  if (memory == nullptr || DeviceHeap::instance().release(memory)) return;
  const char* const why =
      was_released ? "which was freed before" : "which no kernel allocated with malloc() or new";
  analyses().findings.add(tilelab::report::FindingKind::wrong_free, {},
                          {side_of(code, blockIdx, threadIdx)}, why);
  char sentence[128];
  std::snprintf(sentence, sizeof sentence, "frees %p, %s", memory, why);
  Scheduler::instance().fault(cudaErrorLaunchFailure, sentence);
}

}  // namespace

extern "C" {

void* __cxa_allocate_exception(std::size_t bytes) noexcept;

void* tilelab_malloc(std::size_t bytes) { return allocate(bytes); }

void* tilelab_calloc(std::size_t count, std::size_t bytes) {
  std::size_t all = 0;
  if (__builtin_mul_overflow(count, bytes, &all)) return nullptr;
  void* memory = heap().allocate(all);
  if (memory != nullptr) std::memset(memory, 0, all);
  return memory;
}

void tilelab_free(void* memory) {
  if (is_in_kernel()) return free_in_kernel(memory, TILELAB_CALLER);
  if (memory == nullptr || heap().release(memory)) return;
  fatal("host code frees %p, which it did not allocate, or frees it twice", memory);
}

void* tilelab_realloc(void* memory, std::size_t bytes) {
  if (memory == nullptr) return heap().allocate(bytes);
  const std::size_t old_bytes = heap().size_of(memory);
  if (old_bytes == 0) fatal("host code reallocates %p, which it did not allocate", memory);
  void* moved = heap().allocate(bytes);
  if (moved == nullptr) return nullptr;
  std::memcpy(moved, memory, old_bytes < bytes ? old_bytes : bytes);
  heap().release(memory);
  return moved;
}

void* tilelab_aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return heap().allocate(bytes, alignment);
}

int tilelab_posix_memalign(void** result, std::size_t alignment, std::size_t bytes) {
  access_range(reinterpret_cast<std::uintptr_t>(result), sizeof *result, AccessKind::store,
               TILELAB_CALLER);
  void* memory = heap().allocate(bytes, alignment);
  if (memory == nullptr) return ENOMEM;
  *result = memory;
  return 0;
}

void* tilelab_new(std::size_t bytes) { return throw_if_null(allocate(bytes)); }

void* tilelab_new_nothrow(std::size_t bytes) { return allocate(bytes); }

void* tilelab_new_aligned(std::size_t bytes, std::size_t alignment) {
  return throw_if_null(heap().allocate(bytes, alignment));
}

void* tilelab_allocate_exception(std::size_t bytes) {
  void* memory = __cxa_allocate_exception(bytes);
  heap().allow_exception(memory, bytes);
  return memory;
}

// operator new and delete have many names, and objcopy needs a different target for each.
#define TILELAB_ALIAS(function) [[gnu::alias(#function)]]
TILELAB_ALIAS(tilelab_new) void* tilelab_new_2(std::size_t bytes);
TILELAB_ALIAS(tilelab_new_nothrow) void* tilelab_new_nothrow_2(std::size_t bytes);
TILELAB_ALIAS(tilelab_new_aligned)
void* tilelab_new_aligned_2(std::size_t bytes, std::size_t alignment);
TILELAB_ALIAS(tilelab_free) void tilelab_free_2(void* memory);
TILELAB_ALIAS(tilelab_free) void tilelab_free_3(void* memory);
TILELAB_ALIAS(tilelab_free) void tilelab_free_4(void* memory);
TILELAB_ALIAS(tilelab_free) void tilelab_free_5(void* memory);
TILELAB_ALIAS(tilelab_free) void tilelab_free_6(void* memory);
TILELAB_ALIAS(tilelab_free) void tilelab_free_7(void* memory);
TILELAB_ALIAS(tilelab_free) void tilelab_free_8(void* memory);
TILELAB_ALIAS(tilelab_free) void tilelab_free_9(void* memory);
TILELAB_ALIAS(tilelab_free) void tilelab_free_10(void* memory);
TILELAB_ALIAS(tilelab_free) void tilelab_free_11(void* memory);

}  // extern "C"

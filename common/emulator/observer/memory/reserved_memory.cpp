#include "emulator/observer/memory/reserved_memory.h"

#include <sys/mman.h>

#include <new>

namespace tilelab::emulator {

void* reserve_memory(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}

void release_pages(void* memory, std::size_t bytes) { madvise(memory, bytes, MADV_DONTNEED); }

}  // namespace tilelab::emulator

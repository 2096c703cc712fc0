// The C library's functions that write memory, as a checked build calls them: compile.sh redirects
// the submission's calls here (observer/redirected_symbols).

#include <cstring>

#include "observer/hot_state.h"

using namespace tilelab::emulator;

namespace {

void reads(const void* pointer, std::size_t bytes, std::uintptr_t place) {
  access_range(reinterpret_cast<std::uintptr_t>(pointer), bytes, AccessKind::load, place);
}

void writes(void* pointer, std::size_t bytes, std::uintptr_t place) {
  access_range(reinterpret_cast<std::uintptr_t>(pointer), bytes, AccessKind::store, place);
}

}  // namespace

#define TILELAB_CALLER reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

extern "C" {

void* tilelab_memcpy(void* to, const void* from, std::size_t bytes) {
  reads(from, bytes, TILELAB_CALLER);
  writes(to, bytes, TILELAB_CALLER);
  return std::memmove(to, from, bytes);
}

void* tilelab_memmove(void* to, const void* from, std::size_t bytes) {
  reads(from, bytes, TILELAB_CALLER);
  writes(to, bytes, TILELAB_CALLER);
  return std::memmove(to, from, bytes);
}

void* tilelab_memset(void* to, int value, std::size_t bytes) {
  writes(to, bytes, TILELAB_CALLER);
  return std::memset(to, value, bytes);
}

}  // extern "C"

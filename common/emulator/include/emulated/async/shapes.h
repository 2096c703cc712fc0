#pragma once

/// Scopes, and sizes that promise an alignment.

#include <cstddef>

#include "emulated/async/copy_functions.h"
#include "emulated/site.h"

namespace cuda {

enum thread_scope {
  thread_scope_system = 0,
  thread_scope_device = 1,
  thread_scope_block = 2,
  thread_scope_thread = 10
};

/// A number of bytes that is a multiple of the alignment, as both addresses are.
template <std::size_t alignment>
struct aligned_size_t {
  static constexpr std::size_t align = alignment;
  std::size_t value;
  explicit constexpr aligned_size_t(std::size_t bytes) : value(bytes) {}
  constexpr operator std::size_t() const { return value; }
};

/// Stops the kernel if a copy breaks the promise of its size. A plain number promises nothing.
inline void tilelab_check_promise(const void*, const void*, std::size_t, tilelab::emulator::Site) {}
template <std::size_t alignment>
void tilelab_check_promise(const void* to, const void* from, const aligned_size_t<alignment>& bytes,
                           tilelab::emulator::Site site) {
  tilelab::emulator::check_copy("an aligned copy", to, from, bytes, alignment, site);
}

}  // namespace cuda

#pragma once

/// What is said of one access to memory.
namespace tilelab::report {

/// The memory that an address belongs to.
enum class MemorySpace {
  global,    ///< Device memory and `__device__` variables.
  shared,    ///< Static and dynamic `__shared__` arrays.
  constant,  ///< `__constant__` variables.
  local,     ///< A thread's own stack.
  host       ///< Memory of the host, which kernels must not touch.
};

/// What an access does.
enum class AccessKind {
  load,   ///< It reads.
  store,  ///< It writes.
  atomic  ///< It is part of an atomic operation.
};

}  // namespace tilelab::report

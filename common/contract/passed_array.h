#pragma once

#include <cstddef>

namespace tilelab {

/// An array that a call gets: a part of a device allocation, with guard zones around it.
struct PassedArray {
  const void* begin;
  std::size_t bytes;
  const char* name;
  bool is_read = false;     ///< Whether it holds something before the call.
  bool is_written = false;  ///< Whether it holds a result after the call.
};

}  // namespace tilelab

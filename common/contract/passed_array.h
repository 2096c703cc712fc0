#pragma once

#include <cstddef>

namespace tilelab {

/// An array that a call gets: a part of a device allocation, with guard zones around it.
struct PassedArray {
  const void* begin;
  std::size_t bytes;
  const char* name;
};

}  // namespace tilelab

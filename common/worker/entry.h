#pragma once

#include <span>

#include "contract/wire.h"

/// The worker's view of a lab: its functions, callable with arguments that came over the wire.
namespace tilelab::worker {

/// An argument as the function gets it: a device pointer, or a scalar's bytes.
struct Value {
  void* device_pointer = nullptr;
  const std::byte* scalar = nullptr;
};

struct Entry {
  const char* name;
  std::span<const wire::Role> roles;  ///< of its parameters, in order
  void (*invoke)(std::span<const Value> values);
};

/// Defined once per lab, in dispatch.cpp.
std::span<const Entry> entries();

}  // namespace tilelab::worker

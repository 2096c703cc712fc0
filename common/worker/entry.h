#pragma once

#include <span>

#include "contract/wire.h"

/// A lab as the worker sees it: functions that can be called with arguments from a request.
namespace tilelab::worker {

/// An argument as the function gets it.
struct Value {
  void* device_pointer = nullptr;     ///< The array in device memory.
  const std::byte* scalar = nullptr;  ///< The bytes of a scalar.
};

/// A function of the lab.
struct Entry {
  const char* name;                               ///< The function's name.
  std::span<const wire::Role> roles;              ///< The roles of its parameters, in order.
  void (*invoke)(std::span<const Value> values);  ///< Calls the function.
};

/// All functions of the lab. dispatch.cpp defines them for each lab.
std::span<const Entry> entries();

}  // namespace tilelab::worker

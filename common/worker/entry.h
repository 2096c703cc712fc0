#pragma once

#include <span>

#include "contract/wire.h"

/// Which version runs, of a submission that has several: repairs that are tried together ask for
/// it.
extern "C" unsigned tilelab_version();

/// A lab as the worker sees it: functions that can be called with arguments from a request.
namespace tilelab::worker {

/// An argument as the function gets it.
struct Value {
  /// The array, in the memory where the function expects it; or where to put what it returns.
  void* array = nullptr;
  const std::byte* scalar = nullptr;  ///< The bytes of a scalar.
};

/// A function of the lab.
struct Entry {
  const char* name;    ///< The function's name.
  bool returns_error;  ///< It takes arrays in host memory and returns a cudaError_t.
  /// Calls the function. The result is the error that it returns, or 0 if it returns none. What
  /// else it returns goes to the value after those of its parameters.
  int (*invoke)(std::span<const Value> values);
};

/// All functions of the lab. dispatch.cpp defines them for each lab.
std::span<const Entry> entries();

}  // namespace tilelab::worker

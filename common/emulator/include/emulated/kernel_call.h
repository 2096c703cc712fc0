#pragma once

/// What the runtime needs to know to run a grid.

#include <cstddef>
#include <tuple>
#include <type_traits>

#include "driver_types.h"
#include "emulated/padding.h"
#include "emulated/site.h"
#include "vector_types.h"

namespace tilelab::emulator {

/// The arguments between `<<<` and `>>>`.
struct LaunchConfiguration {
  dim3 grid;
  dim3 block;
  std::size_t dynamic_shared_bytes = 0;
  cudaStream_t stream = nullptr;
  Site site{};
  bool is_cooperative = false;  ///< Whether the blocks can wait for each other.
  bool has_cluster = false;     ///< Whether blocks form clusters, of this extent in blocks.
  dim3 cluster{};
};

/// A value that a launch passes to its kernel.
struct Argument {
  const void* value;
  std::size_t bytes;
  Padding padding;  ///< Of what it points to.
};

/// The values that a launch passes to its kernel, in their order.
class ArgumentList {
 public:
  using Visitor = void (*)(void* context, const Argument& argument);

  template <class... Values>
  explicit ArgumentList(const std::tuple<Values...>& values)
      : values_(&values), visit_(visit_all<Values...>) {}

  /// Calls the function for each value.
  void visit(Visitor function, void* context) const { visit_(values_, function, context); }

 private:
  template <class... Values>
  static void visit_all(const void* values, Visitor function, void* context) {
    std::apply([=](const auto&... value) { (visit_one(value, function, context), ...); },
               *static_cast<const std::tuple<Values...>*>(values));
  }

  template <class T>
  static void visit_one(const T& value, Visitor function, void* context) {
    const auto tell = [&](const Padding& padding) {
      function(context, {__builtin_addressof(value), sizeof value, padding});
    };
    if constexpr (std::is_pointer_v<T>) {
      with_padding<std::remove_cv_t<std::remove_pointer_t<T>>>(tell);
    } else {
      tell({});
    }
  }

  const void* values_;
  void (*visit_)(const void* values, Visitor function, void* context);
};

/// What the scheduler calls once per thread.
struct KernelCall {
  const char* name;
  const void* function;  ///< The kernel's address; null if the launch converts its arguments for
                         ///< an overload or a template.
  void (*run_thread)(const void* context);
  const void* context;
  // The part of the host's stack that holds the launch's arguments. Kernels read it.
  const void* arguments_begin;
  const void* arguments_end;
  ArgumentList arguments;
};

/// Runs a grid to its end. cudaGetLastError() returns the error, as in CUDA.
/// @return the error that kept the kernel from starting
cudaError_t run_grid(const KernelCall& kernel, const LaunchConfiguration& configuration);

/// The memory between the lowest and the highest of some objects.
class Extent {
 public:
  template <class... Objects>
  explicit Extent(const Objects&... objects) {
    (add(reinterpret_cast<const char*>(&reinterpret_cast<const char&>(objects)), sizeof objects),
     ...);
  }
  const char* begin() const { return begin_; }
  const char* end() const { return end_; }

 private:
  void add(const char* object, std::size_t bytes) {
    if (begin_ == nullptr || object < begin_) begin_ = object;
    if (end_ == nullptr || object + bytes > end_) end_ = object + bytes;
  }

  const char* begin_ = nullptr;
  const char* end_ = nullptr;
};

}  // namespace tilelab::emulator

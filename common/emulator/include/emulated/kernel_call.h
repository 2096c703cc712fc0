#pragma once

/// What the runtime needs to know to run a grid.

#include <array>
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

/// A part of memory.
struct Piece {
  const void* begin;
  std::size_t bytes;
};

/// What the scheduler calls once per thread.
struct KernelCall {
  const char* name;
  const void* function;  ///< The kernel's address; null if the launch converts its arguments for
                         ///< an overload or a template.
  void (*run_thread)(const void* context);
  const void* context;
  // Where the host's stack holds the launch's arguments. Kernels read nothing else of it.
  const Piece* pieces;
  std::size_t piece_count;
  ArgumentList arguments;
};

/// Runs a grid to its end. cudaGetLastError() returns the error, as in CUDA.
/// @return the error that kept the kernel from starting
cudaError_t run_grid(const KernelCall& kernel, const LaunchConfiguration& configuration);

/// What calls `run_thread` once per thread.
template <class Function, std::size_t count>
KernelCall kernel_call(const char* name, const void* function, const Function& run_thread,
                       const std::array<Piece, count>& pieces, const ArgumentList& arguments) {
  return {name,
          function,
          [](const void* context) { (*static_cast<const Function*>(context))(); },
          &run_thread,
          pieces.data(),
          pieces.size(),
          arguments};
}

/// The memory of a parameter. What a reference refers to is no part of the launch.
template <class Parameter>
Piece piece_of(const std::remove_reference_t<Parameter>& parameter) {
  if constexpr (std::is_reference_v<Parameter>) return {};
  return {__builtin_addressof(parameter), sizeof parameter};
}

/// The memory of some objects.
template <class... Objects>
std::array<Piece, sizeof...(Objects)> pieces_of(const Objects&... objects) {
  return {piece_of<Objects>(objects)...};
}

}  // namespace tilelab::emulator

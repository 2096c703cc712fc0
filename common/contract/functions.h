#pragma once

#include <cstdint>
#include <type_traits>

#include "contract/wire.h"

/// The contract of a lab, read from the declarations in its header. Include that header first.
///
/// A signature says it all: `const T*` is an input array, `T*` is an output array, and anything
/// else is a scalar passed by value. A function that returns nothing gets arrays in device memory.
/// One that returns a cudaError_t gets them in host memory: it allocates, copies, launches and
/// checks for errors itself.
namespace tilelab {

#ifdef TILELAB_LAB_FUNCTIONS
#define TILELAB_FUNCTION_INDEX(function, ...) function##_index,
namespace {  // a program may be linked from the sources of several contracts
enum FunctionIndex : std::uint32_t { TILELAB_LAB_FUNCTIONS(TILELAB_FUNCTION_INDEX) };
}
#undef TILELAB_FUNCTION_INDEX
#endif

/// The name and the index of the contract function F, and the names of its parameters: "in, out,
/// n".
template <auto* F>
struct FunctionInfo;

#ifdef TILELAB_LAB_FUNCTIONS
#define TILELAB_FUNCTION_INFO(function, ...)                 \
  template <>                                                \
  struct FunctionInfo<&::function> {                         \
    static constexpr const char* name = #function;           \
    static constexpr const char* parameters = #__VA_ARGS__;  \
    static constexpr std::uint32_t index = function##_index; \
  };
TILELAB_LAB_FUNCTIONS(TILELAB_FUNCTION_INFO)
#undef TILELAB_FUNCTION_INFO
#endif

/// Whether a function whose result is an R takes arrays in host memory and returns an error.
template <class R>
inline constexpr bool returns_error = !std::is_void_v<R>;

/// How a parameter of type P crosses the process boundary. Anything but a pointer is a scalar.
template <class P>
struct Parameter {
  /// What the function does with the parameter.
  static constexpr wire::Role role = wire::Role::scalar;
  static_assert(std::is_trivially_copyable_v<P> && sizeof(P) <= sizeof(wire::Argument::value));
};

/// An array that the function reads.
template <class T>
struct Parameter<const T*> {
  /// What the function does with the array.
  static constexpr wire::Role role = wire::Role::input;
  /// The type of the array's elements.
  using Element = T;
};

/// An array that the function writes.
template <class T>
struct Parameter<T*> {
  /// What the function does with the array.
  static constexpr wire::Role role = wire::Role::output;
  /// The type of the array's elements.
  using Element = T;
};

}  // namespace tilelab

#pragma once

#include <cstdint>
#include <type_traits>

#include "contract/wire.h"

/// The contract of a lab, read off the declarations in its header: include that header first.
///
/// Signatures say all there is to know: `const T*` is an input array, `T*` an output array,
/// anything else a scalar passed by value.
namespace tilelab {

#ifdef TILELAB_LAB_FUNCTIONS
#define TILELAB_FUNCTION_INDEX(function, ...) function##_index,
namespace {  // a program may be linked from the sources of several contracts
enum FunctionIndex : std::uint32_t { TILELAB_LAB_FUNCTIONS(TILELAB_FUNCTION_INDEX) };
}
#undef TILELAB_FUNCTION_INDEX
#endif

/// Name and index of the contract function F, and its parameters' names: "in, out, n".
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

/// How a parameter of type P crosses the process boundary: anything but a pointer as a scalar.
template <class P>
struct Parameter {
  /// What the function does with it.
  static constexpr wire::Role role = wire::Role::scalar;
  static_assert(std::is_trivially_copyable_v<P> && sizeof(P) <= sizeof(wire::Argument::value));
};

/// An array that the function reads.
template <class T>
struct Parameter<const T*> {
  /// What the function does with it.
  static constexpr wire::Role role = wire::Role::input;
  /// Of the array.
  using Element = T;
};

/// An array that the function writes.
template <class T>
struct Parameter<T*> {
  /// What the function does with it.
  static constexpr wire::Role role = wire::Role::output;
  /// Of the array.
  using Element = T;
};

}  // namespace tilelab

#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "contract/parameter_names.h"
#include "contract/wire.h"

/// The contract of a lab, read from the declarations in its header. Include that header first.
///
/// A signature says nearly all: `const T*` is an input array, `T*` is an output array, and anything
/// else is a scalar passed by value. A `T*` that TILELAB_LAB_FUNCTIONS names as `inout(values)` is
/// read as well: it holds something before the call. One that it names as `scratch(work)` is memory
/// to work in, whose contents mean nothing before and after the call. A function gets its arrays in
/// device memory, and may return a plain value. One that returns a cudaError_t gets them in host
/// memory: it allocates, copies, launches and checks for errors itself.
namespace tilelab {

#ifdef TILELAB_LAB_FUNCTIONS
#define TILELAB_FUNCTION_INDEX(function, ...) function##_index,
namespace {  // a program may be linked from the sources of several contracts
enum FunctionIndex : std::uint32_t { TILELAB_LAB_FUNCTIONS(TILELAB_FUNCTION_INDEX) };
}
#undef TILELAB_FUNCTION_INDEX
#endif

/// The name and the index of the contract function F, and the names of its parameters: "in, out,
/// n", or "inout(values), n".
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

/// The number of parameters of a function.
template <class R, class... P>
constexpr std::size_t parameter_count(R (*)(P...)) {
  return sizeof...(P);
}

/// Whether a function whose result is an R takes arrays in host memory and returns an error.
template <class R>
inline constexpr bool returns_error = false;
// A contract with such a function has included this header of CUDA.
#ifdef __DRIVER_TYPES_H__
template <>
inline constexpr bool returns_error<cudaError_t> = true;
#endif

/// Whether a T is a plain value, which crosses the process boundary as its bytes.
template <class T>
inline constexpr bool is_plain =
    std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !std::is_reference_v<T>;

/// Whether a function whose result is an R returns a value, which the judge compares.
template <class R>
constexpr bool returns_value() {
  if constexpr (std::is_void_v<R> || returns_error<R>) {
    return false;
  } else {
    static_assert(is_plain<R> && sizeof(R) <= sizeof(wire::Argument::value),
                  "a function returns nothing, a cudaError_t, or a number or struct by value");
    return true;
  }
}

/// How a parameter of type P crosses the process boundary. Anything but a pointer is a scalar.
template <class P>
struct Parameter {
  /// What the function does with the parameter.
  static constexpr wire::Role role = wire::Role::scalar;
  static_assert(is_plain<P> && sizeof(P) <= sizeof(wire::Argument::value),
                "a scalar is a number or struct of at most 256 bytes, passed by value");
};

/// An array that the function reads.
template <class T>
struct Parameter<const T*> {
  /// What the function does with the array.
  static constexpr wire::Role role = wire::Role::input;
  static_assert(is_plain<T> && sizeof(T) <= sizeof(wire::Argument::value),
                "an element is a number or struct of at most 256 bytes");
  /// The type of the array's elements.
  using Element = T;
};

/// An array that the function writes.
template <class T>
struct Parameter<T*> {
  /// What the function does with the array, unless its name is marked.
  static constexpr wire::Role role = wire::Role::output;
  static_assert(is_plain<T> && sizeof(T) <= sizeof(wire::Argument::value),
                "an element is a number or struct of at most 256 bytes");
  /// The type of the array's elements.
  using Element = T;
};

/// What the contract function F does with the parameter at a position, whose type is P.
template <auto* F, std::size_t position, class P>
constexpr wire::Role role_of() {
  if constexpr (contract::is_inout(FunctionInfo<F>::parameters, position)) {
    static_assert(Parameter<P>::role == wire::Role::output,
                  "inout() is for an array that the function writes, which is a T*");
    return wire::Role::inout;
  } else if constexpr (contract::is_scratch(FunctionInfo<F>::parameters, position)) {
    static_assert(Parameter<P>::role == wire::Role::output,
                  "scratch() is for an array that the function writes, which is a T*");
    return wire::Role::scratch;
  } else {
    return Parameter<P>::role;
  }
}

}  // namespace tilelab

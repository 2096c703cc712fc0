#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "contract/functions.h"
#include "contract/wire.h"
#include "judge/calls/values.h"

namespace tilelab {

/// An output array of a call. A call runs the function several times, in several orders of its
/// threads, and each run has its own result here.
template <class T>
class Output {
 public:
  /// @param name  messages call the array by this name
  /// @param size  the number of elements
  Output(std::string name, std::size_t size) : name_(std::move(name)), size_(size) {}

  /// One run's result.
  struct Run {
    std::vector<T> values;  ///< The run left these elements.
    std::vector<T> poison;  ///< These elements were there before the run.
  };

  /// The array's name in messages.
  const std::string& name() const { return name_; }
  /// The number of elements.
  std::size_t size() const { return size_; }
  /// The runs of the last call, one per order of threads.
  const std::vector<Run>& runs() const { return runs_; }

  /// Forgets all runs.
  void clear() { runs_.clear(); }
  /// Adds a run, from the bytes that a worker sent back.
  void add_run(std::span<const std::byte> poison, std::span<const std::byte> values) {
    runs_.push_back({copy(values), copy(poison)});
  }

 private:
  std::vector<T> copy(std::span<const std::byte> bytes) const {
    std::vector<T> elements(size_);
    if (size_ > 0) std::memcpy(elements.data(), bytes.data(), bytes.size());
    return elements;
  }

  std::string name_;
  std::size_t size_;
  std::vector<Run> runs_;
};

namespace judge {

/// An argument of a call without its type.
struct CallArgument {
  wire::Role role = wire::Role::scalar;  ///< What the function does with the argument.
  std::string name;                      ///< The parameter's name.
  std::string shown;                     ///< How a description of the call shows the argument.
  std::size_t element_bytes = 1;         ///< The size of an array's element.
  std::size_t bytes = 0;                 ///< The size of an array.
  const std::byte* input = nullptr;      ///< The bytes of an input array.
  std::byte scalar[sizeof(wire::Argument::value)] = {};  ///< The value of a scalar.
};

/// A contract function without its type.
struct Function {
  const char* name;     ///< The function's name in the contract.
  std::uint32_t index;  ///< An index into the lab's list of functions.
};

/// The name at this position of a list like "in, out, n".
std::string parameter_name(const char* names, std::size_t position);

/// The contract function F as a value.
template <auto* F>
constexpr Function function_of() {
  return {FunctionInfo<F>::name, FunctionInfo<F>::index};
}

/// Makes an argument for a parameter of type P.
template <class P, class A>
CallArgument make_argument(const A& argument, std::string name) {
  CallArgument result;
  result.role = Parameter<P>::role;
  result.name = std::move(name);
  if constexpr (Parameter<P>::role == wire::Role::scalar) {
    const P value = argument;
    std::memcpy(result.scalar, &value, sizeof value);
    result.shown = std::to_string(value);
  } else {
    using T = typename Parameter<P>::Element;
    result.element_bytes = sizeof(T);
    if constexpr (Parameter<P>::role == wire::Role::input) {
      const std::span<const T> values(argument);
      result.bytes = values.size_bytes();
      result.input = reinterpret_cast<const std::byte*>(values.data());
    } else {
      static_assert(std::is_same_v<A, Output<T>>, "an output parameter takes an Output");
      result.bytes = argument.size() * sizeof(T);
    }
    result.shown = type_name<T>() + "[" + std::to_string(result.bytes / sizeof(T)) + "]";
  }
  return result;
}

/// Makes an argument for each parameter of a function.
template <class R, class... P, class... A, std::size_t... I>
std::vector<CallArgument> make_arguments(R (*)(P...), std::index_sequence<I...>, const char* names,
                                         const A&... arguments) {
  static_assert(sizeof...(P) == sizeof...(A), "as many arguments as the function has parameters");
  return {make_argument<P>(arguments, parameter_name(names, I))...};
}

/// The arguments of F, made of what a test passes: spans for inputs, Outputs, and scalars.
template <auto* F, class... A>
std::vector<CallArgument> arguments_of(const A&... arguments) {
  // Only the type of F is used: the judge is not linked with the function.
  return make_arguments(static_cast<decltype(F)>(nullptr), std::index_sequence_for<A...>(),
                        FunctionInfo<F>::parameters, arguments...);
}

/// Describes a call: "diff(int[33], int[33], 33)".
std::string describe(const Function& function, const std::vector<CallArgument>& arguments);

}  // namespace judge
}  // namespace tilelab

#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "contract/functions.h"
#include "contract/wire.h"
#include "judge/calls/output.h"
#include "judge/values/values.h"

namespace tilelab {

namespace judge {

/// An argument of a call without its type.
struct CallArgument {
  wire::Role role = wire::Role::scalar;  ///< What the function does with the argument.
  std::string name;                      ///< The parameter's name.
  std::string shown;                     ///< How a description of the call shows the argument.
  std::size_t element_bytes = 1;         ///< The size of an array's element.
  std::size_t bytes = 0;                 ///< The size of an array.
  const std::byte* input = nullptr;      ///< What an array holds before the call; null for noise.
  std::byte scalar[sizeof(wire::Argument::value)] = {};  ///< The value of a scalar.
  std::vector<std::string> whole_numbers;                ///< A scalar, or those in it, as texts.
};

/// A contract function without its type.
struct Function {
  const char* name;     ///< The function's name in the contract.
  std::uint32_t index;  ///< An index into the lab's list of functions.
};

/// The contract function F as a value.
template <auto* F>
constexpr Function function_of() {
  return {FunctionInfo<F>::name, FunctionInfo<F>::index};
}

/// How a test holds elements of this type. A vector<bool> is no array.
template <class T>
using Held = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;

/// The argument for a scalar.
template <class P>
void set_scalar(CallArgument& result, const P& value) {
  std::memcpy(result.scalar, &value, sizeof value);
  result.shown = show_scalar(value);
  for_each_number(value, [&](auto number) {
    if (std::is_integral_v<decltype(number)>) result.whole_numbers.push_back(show(number));
  });
}

/// What an array holds before a call.
template <class T, class A>
std::span<const T> contents_of(const A& argument) {
  return argument;
}

/// The same.
template <class T>
std::span<const T> contents_of(const InOut<T>& argument) {
  return argument.initial();
}

/// The argument for an array of T.
template <class T, class A>
void set_array(CallArgument& result, const A& argument) {
  result.element_bytes = sizeof(T);
  if constexpr (std::is_same_v<A, Output<Held<T>>> || std::is_same_v<A, Scratch<Held<T>>>) {
    result.bytes = argument.size() * sizeof(T);
  } else {
    const std::span<const Held<T>> values = contents_of<Held<T>>(argument);
    result.bytes = values.size_bytes();
    result.input = reinterpret_cast<const std::byte*>(values.data());
  }
  result.shown = type_name<T>() + "[" + std::to_string(result.bytes / sizeof(T)) + "]";
}

/// Makes the argument for the parameter of F at a position, whose type is P.
template <auto* F, std::size_t position, class P, class A>
CallArgument make_argument(const A& argument) {
  constexpr wire::Role role = role_of<F, position, P>();
  CallArgument result;
  result.role = role;
  result.name = std::string(contract::name_of(FunctionInfo<F>::parameters, position));
  if constexpr (role == wire::Role::scalar) {
    set_scalar<P>(result, argument);
  } else {
    using T = typename Parameter<P>::Element;
    constexpr bool is_output = std::is_same_v<A, Output<Held<T>>>;
    static_assert((role == wire::Role::output) == is_output,
                  "an output parameter takes an Output, and no other parameter does");
    static_assert((role == wire::Role::scratch) == std::is_same_v<A, Scratch<Held<T>>>,
                  "a scratch() parameter takes a Scratch, and no other parameter does");
    set_array<T>(result, argument);
  }
  return result;
}

/// Makes the argument for what a function returns.
template <class R>
CallArgument make_returned(const Returned<Held<R>>& argument) {
  CallArgument result;
  result.role = wire::Role::returned;
  result.name = argument.name();
  result.element_bytes = sizeof(R);
  result.bytes = sizeof(R);
  return result;
}

/// Makes the arguments for all parameters of F, and for what it returns.
template <auto* F, class R, class... P, std::size_t... I, class... A>
std::vector<CallArgument> make_arguments(R (*)(P...), std::index_sequence<I...>,
                                         const A&... arguments) {
  static_assert(contract::count_of(FunctionInfo<F>::parameters) == sizeof...(P),
                "TILELAB_LAB_FUNCTIONS names all parameters of a function");
  static_assert(sizeof...(A) == sizeof...(P) + (returns_value<R>() ? 1 : 0),
                "a call takes an argument for each parameter, and then a Returned for what the "
                "function returns");
  static_assert(sizeof...(A) <= wire::max_arguments, "a function has at most 12 parameters");
  const auto all = std::tie(arguments...);
  std::vector<CallArgument> made = {make_argument<F, I, P>(std::get<I>(all))...};
  if constexpr (returns_value<R>()) made.push_back(make_returned<R>(std::get<sizeof...(P)>(all)));
  return made;
}

/// The arguments of F, made of what a test passes: spans for inputs, Outputs, InOuts, Scratches,
/// scalars, and a Returned for what F returns. Where nobody asks for the results, a span may take
/// the place of an InOut. Spans and InOuts must outlive the arguments.
template <auto* F, class... A>
std::vector<CallArgument> arguments_of(const A&... arguments) {
  // Only the type of F is used: the judge is not linked with the function.
  constexpr auto type = static_cast<decltype(F)>(nullptr);
  return make_arguments<F>(type, std::make_index_sequence<parameter_count(decltype(F){nullptr})>(),
                           arguments...);
}

/// Describes a call: "diff(int[33], int[33], 33)".
std::string describe(const Function& function, const std::vector<CallArgument>& arguments);

/// The bytes of all arrays among them.
std::size_t bytes_of_arrays(const std::vector<CallArgument>& arguments);

/// How large the problem of a call is, whoever solves it.
struct Problem {
  std::size_t input_bytes = 0;   ///< The arrays that are read have this many bytes in all.
  std::size_t output_bytes = 0;  ///< The arrays that are written have this many bytes in all.
  std::size_t elements = 0;      ///< The longest of them has this many elements.
};

/// The problem that these arguments pose.
Problem problem_of(const std::vector<CallArgument>& arguments);

}  // namespace judge
}  // namespace tilelab

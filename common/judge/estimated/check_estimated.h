#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "contract/functions.h"
#include "judge/calls/arguments.h"
#include "judge/calls/output.h"
#include "judge/estimated/estimated_call.h"
#include "judge/estimated/stored_elements.h"
#include "judge/options.h"

namespace tilelab {
namespace judge {

/// A number that initializes a field of any arithmetic type.
struct Number {
  double value = 0;  ///< What it is.

  /// Converts it.
  template <class T>
  requires std::is_arithmetic_v<T>
  operator T() const { return static_cast<T>(value); }
};

/// How many numbers initialize a T, if the braces of its fields are left out.
template <class T, std::size_t count = sizeof(T)>
constexpr std::size_t number_count() {
  constexpr auto takes = []<std::size_t... I>(std::index_sequence<I...>) {
    return requires { T{(static_cast<void>(I), Number{})...}; };
  };
  if constexpr (takes(std::make_index_sequence<count>())) {
    return count;
  } else {
    return number_count<T, count - 1>();
  }
}

// How braces nest in an unknown type is not known either.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-braces"

/// A scalar argument. Numbers that are missing are 0, as in C++.
template <class T>
T scalar_of(std::vector<double> numbers) {
  constexpr std::size_t count = number_count<T>();
  numbers.resize(count);
  return [&]<std::size_t... I>(std::index_sequence<I...>) { return T{Number{numbers[I]}...}; }
  (std::make_index_sequence<count>());
}

#pragma GCC diagnostic pop

/// The argument for the parameter of F at a position, whose type is P, as a check takes it.
template <auto* F, std::size_t position, class P>
auto estimated_argument(const EstimatedCall& call) {
  constexpr wire::Role role = role_of<F, position, P>();
  const auto& argument = call.arguments.at(position);
  if constexpr (role == wire::Role::scalar) {
    return scalar_of<P>(std::get<schema::Scalar>(argument).numbers);
  } else {
    using T = Held<typename Parameter<P>::Element>;
    const auto& array = std::get<schema::Array>(argument);
    if constexpr (role == wire::Role::input) {
      return made_up<T>(array, call.salt);
    } else if constexpr (role == wire::Role::scratch) {
      return Scratch<T>(array.bytes / sizeof(T));
    } else {
      const auto name = contract::name_of(FunctionInfo<F>::parameters, position);
      return StoredElements<T>(std::string(name), array, call);
    }
  }
}

/// Calls check(arguments...) with the arguments of F.
template <auto* F, class Check, class R, class... P, std::size_t... I>
void check_with_arguments(const Check& check, const EstimatedCall& call, R (*)(P...),
                          std::index_sequence<I...>) {
  if (call.arguments.size() != sizeof...(P)) {
    throw std::runtime_error(call.function + " has other parameters");
  }
  check(estimated_argument<F, I, P>(call)...);
}

/// Does so if the call is one of F. Returns whether it is.
template <auto* F, class Check>
bool check_call_of(const Check& check, const EstimatedCall& call) {
  if (call.function != FunctionInfo<F>::name) return false;
  constexpr auto type = static_cast<decltype(F)>(nullptr);
  check_with_arguments<F>(check, call, type,
                          std::make_index_sequence<parameter_count(decltype(F){nullptr})>());
  return true;
}

}  // namespace judge

/// Checks what the submission stored at the size whose time is estimated. A lab with estimates for
/// points has a test with the tag `[estimated]`, with all functions that `[estimate]` calls and a
/// check for each:
///
///     TEST_CASE("diff is right where its time is estimated", "[estimated]") {
///       tilelab::check_estimated<diff>([](const auto& in, const auto& out, int) {
///         out.check([&](std::size_t i, int got) {
///           const int expected = difference_at(in, i);
///           return tilelab::correction(got == expected, expected);
///         });
///       });
///     }
///
/// @param checks  take the arguments of their functions: a vector for an input, StoredElements for
///                an output, a Scratch, and scalars
template <auto*... F, class... Check>
void check_estimated(const Check&... checks) {
  const judge::EstimatedCall call = judge::read_estimated_call(judge::options().estimated);
  const bool is_known = (judge::check_call_of<F>(checks, call) || ...);
  if (!is_known) throw std::runtime_error("no check of " + call.function);
}

}  // namespace tilelab

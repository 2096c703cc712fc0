#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "judge/calls/observation.h"
#include "judge/checks/check.h"
#include "judge/values/values.h"
#include "schema/picture.h"

namespace tilelab {

/// The columns, rows and planes of a grid. Rows without axes are wrapped where the page ends.
using Axes = std::vector<schema::Axis>;

namespace judge {

/// Adds the components of an element as texts: its numbers, or all of it where they cannot be
/// listed.
template <class T>
void add_components(std::vector<std::string>& texts, const T& value) {
  if constexpr (consists_of_numbers<T>()) {
    for_each_number(value, [&](auto number) { texts.push_back(show(number)); });
  } else {
    texts.push_back(show(value));
  }
}

/// The type of the numbers that fill an element of type T; "" if they differ or leave gaps.
template <class T>
std::string number_name() {
  std::vector<std::string> names;
  if constexpr (consists_of_numbers<T>() && !has_padding<T>()) {
    for_each_number(T{}, [&](auto number) { names.push_back(type_name<decltype(number)>()); });
  }
  const bool is_one =
      std::adjacent_find(names.begin(), names.end(), std::not_equal_to<>()) == names.end();
  return is_one && !names.empty() ? names.front() : "";
}

/// Fills in what does not depend on whether an array is read or written.
template <class T>
void fill(schema::PicturedInput& array, const std::string& name, std::span<const Held<T>> values) {
  array.name = name;
  array.type = type_name<T>();
  array.number = number_name<T>();
  array.element_bytes = sizeof(T);
  std::vector<std::string> one;
  add_components(one, T{});
  array.components = one.size();
  for (const Held<T>& value : values) add_components(array.values, value);
}

}  // namespace judge

/// An output of a picture, next to what it should hold.
/// @param output    what the submission wrote
/// @param expected  the right answer
/// @param right     tells whether an element is right
template <class T>
schema::PicturedOutput pictured_output(
    const Output<T>& output, const std::vector<T>& expected,
    const std::function<bool(const T&, const T&)>& right = judge::equal<T>) {
  // A kernel that failed left no run.
  const bool has_run = !output.runs().empty();
  schema::PicturedOutput array;
  judge::fill<T>(array, output.name(),
                 has_run ? std::span<const T>(output.runs()[0].values) : std::span<const T>());
  for (const T& value : expected) judge::add_components(array.expected, value);
  if (!has_run) return array;
  auto differences = judge::find_differences<T>(output, output.runs()[0], expected, right);
  array.wrong = std::move(differences.wrong);
  array.unwritten = std::move(differences.unwritten);
  return array;
}

/// The same for an array that is read as well, with what it held before.
template <class T>
schema::PicturedOutput pictured_output(
    const InOut<T>& output, const std::vector<T>& expected,
    const std::function<bool(const T&, const T&)>& right = judge::equal<T>) {
  const Output<T>& plain = output;
  schema::PicturedOutput array = pictured_output(plain, expected, right);
  for (const T& value : output.initial()) judge::add_components(array.before, value);
  return array;
}

/// What the function returned, next to what it should have.
template <class T>
schema::PicturedOutput pictured_output(
    const Returned<T>& returned, const T& expected,
    const std::function<bool(const T&, const T&)>& right = judge::equal<T>) {
  const Output<T>& plain = returned;
  schema::PicturedOutput array = pictured_output(plain, std::vector<T>{expected}, right);
  array.returned = true;
  return array;
}

/// The size that a picture was asked for. A size out of range fails the test.
/// @param usual  the size if none was asked for
/// @param least  the least size that shows anything
/// @param most   the largest size that a page can show
int picture_size(int usual, int least, int most);

namespace judge {

/// Has the worker make the call, and returns what it did; fails the test if nothing came back.
Observation observe_for_picture(const std::string& worker, const Function& function,
                                const std::vector<CallArgument>& arguments);

/// Writes a schema::Picture.
void write_picture(const std::string& worker, const std::string& call,
                   const Observation& observation, const std::vector<schema::PicturedInput>& inputs,
                   const std::vector<schema::PicturedOutput>& outputs, const Axes& axes);

/// Scalars are no arrays, and pictured_output() shows arrays that are written.
template <auto* F, std::size_t position, class P, class A>
void add_input(std::vector<schema::PicturedInput>& inputs, const A& argument) {
  if constexpr (role_of<F, position, P>() == wire::Role::input) {
    using T = typename Parameter<P>::Element;
    const std::string name(contract::name_of(FunctionInfo<F>::parameters, position));
    fill<T>(inputs.emplace_back(), name, std::span<const Held<T>>(argument));
  }
}

/// The inputs of a call.
template <auto* F, class R, class... P, std::size_t... I, class... A>
std::vector<schema::PicturedInput> pictured_inputs(R (*)(P...), std::index_sequence<I...>,
                                                   const A&... arguments) {
  std::vector<schema::PicturedInput> inputs;
  const auto all = std::tie(arguments...);
  (add_input<F, I, P>(inputs, std::get<I>(all)), ...);
  return inputs;
}

}  // namespace judge

/// Calls F once in the checked builds of the submission and of the baseline, and reports each
/// access with what the arrays hold and should hold. `tilelab show` makes a page of it.
/// @param axes       how the arrays are laid out
/// @param outputs    returns a pictured_output() for each Output, InOut and Returned among the
///                   arguments
/// @param arguments  are those of Submission::call()
template <auto* F, class Outputs, class... A>
void draw_picture(const Axes& axes, Outputs outputs, A&&... arguments) {
  const auto inputs = judge::pictured_inputs<F>(
      static_cast<decltype(F)>(nullptr),
      std::make_index_sequence<parameter_count(decltype(F){nullptr})>(), arguments...);
  const auto function = judge::function_of<F>();
  const auto plain = judge::arguments_of<F>(arguments...);
  for (const char* worker : {"submission", "baseline"}) {
    const judge::Observation observation = judge::observe_for_picture(worker, function, plain);
    std::vector<judge::RunResult> runs;
    if (!observation.failure) runs.push_back(observation.result);
    judge::store_runs<F>(runs, arguments...);
    judge::write_picture(worker, judge::describe(function, plain), observation, inputs, outputs(),
                         axes);
  }
}

}  // namespace tilelab

#pragma once

/// Launches that a graph keeps: each has its own copies of the arguments. Only programs have them;
/// a lab's functions cannot capture streams.

#include <functional>
#include <tuple>
#include <utility>

#include "driver_types.h"
#include "emulated/kernel_call.h"
#include "emulated/parameters.h"

namespace tilelab::emulator {

/// Part of a graph, which it may run many times.
using Work = std::function<cudaError_t()>;

/// @param arguments  a tuple of values
template <class Function, class Tuple>
Work kept_launch(const char* name, const void* kernel, const LaunchConfiguration& configuration,
                 const Function& function, const Tuple& arguments) {
  return [=] {
    // On the stack, where kernels read their arguments.
    const Function call = function;
    const Tuple copies = arguments;
    const auto run_thread = [&] { call_with(call, copies); };
    const auto all = pieces_of(run_thread, copies, call);
    return run_grid(kernel_call(name, kernel, run_thread, all, ArgumentList(copies)),
                    configuration);
  };
}

/// Makes launches of a kernel whose arguments come as pointers.
using MakeLaunch = std::function<Work(void** arguments, const LaunchConfiguration& configuration)>;

void register_kernel(const void* kernel, MakeLaunch make);

/// The rewriter makes one of each kernel in a file that has nodes of kernels, whose address alone
/// would not tell which arguments it has.
struct KernelEntry {
  template <class... Parameters>
  KernelEntry(const char* name, void (*kernel)(Parameters...)) {
    const void* const address = reinterpret_cast<const void*>(kernel);
    register_kernel(address, [=](void** arguments, const LaunchConfiguration& configuration) {
      const auto copy = [arguments]<std::size_t... i>(std::index_sequence<i...>) {
        return std::tuple<Parameters...>(*static_cast<Parameters*>(arguments[i])...);
      };
      return kept_launch(name, address, configuration, kernel,
                         copy(std::index_sequence_for<Parameters...>()));
    });
  }
};

/// Whether the stream's work becomes part of a graph.
bool is_capturing(cudaStream_t stream);

cudaError_t capture_launch(cudaStream_t stream, Work launch);

template <class... Values>
std::tuple<std::decay_t<Values>...> values_of(const std::tuple<Values...>& arguments) {
  return arguments;
}

template <class Function, class Tuple>
bool keep_if_capturing(const char* name, const void* kernel,
                       const LaunchConfiguration& configuration, const Function& function,
                       const Tuple& arguments) {
  if (!is_capturing(configuration.stream)) return false;
  LaunchConfiguration later = configuration;
  later.stream = nullptr;
  capture_launch(configuration.stream,
                 kept_launch(name, kernel, later, function, values_of(arguments)));
  return true;
}

}  // namespace tilelab::emulator

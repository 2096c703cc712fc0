#pragma once

/// What the launch rewriter turns `kernel<<<configuration>>>(arguments)` into.

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cuda_runtime_api.h"
#include "emulated/kernel_call.h"
#include "emulated/managed_variable.h"
#include "emulated/parameters.h"
#ifdef TILELAB_PROGRAM
#include "emulated/graphs/kept_launch.h"
#endif

namespace tilelab::emulator {

/// Whether a kernel runs.
bool runs_kernel();

/// Chooses between a function's version for the device, where there is a __CUDA_ARCH__, and that
/// for the host.
constexpr bool is_device_code() { return !std::is_constant_evaluated() && runs_kernel(); }

/// The storage of `extern __shared__` arrays: reserved once, poisoned for every block.
extern char dynamic_shared_memory[];

struct FindAnySignature {};
struct FindSignature : FindAnySignature {};

template <class... Parameters>
struct Signature {
  void (*kernel)(Parameters...);
};

/// Names the parameter types of a kernel that is a single function. Overloads do not match, nor do
/// templates whose arguments have to be deduced. The second parameter makes the call dependent, so
/// that a failed match is an answer instead of an error.
template <class First, class... Parameters>
Signature<First, Parameters...> signature_of(void (*kernel)(First, Parameters...), FindSignature) {
  return {kernel};
}

/// A kernel without parameters. Host code may have a function of the same name, so this is the
/// second choice.
inline Signature<> signature_of(void (*kernel)(), FindAnySignature) { return {kernel}; }

template <class... Parameters>
struct FindExact {};

/// Finds an overload, or an instance of a template, with exactly these parameters.
template <class... Parameters>
Signature<Parameters...> signature_of(std::type_identity_t<void (*)(Parameters...)> kernel,
                                      FindExact<Parameters...>) {
  return {kernel};
}

template <class... Types>
struct TypeList {};

/// A pointer to a constant, for what points to a variable; void for anything else.
template <class T>
using PointerToConstant =
    std::conditional_t<std::is_pointer_v<T> && !std::is_const_v<std::remove_pointer_t<T>>,
                       const std::remove_pointer_t<T>*, void>;

/// The address of the kernel that a call with arguments of these types means, if its parameters
/// have the same types, but for pointers that become pointers to constants. Otherwise null.
template <class... Parameters>
struct ExactKernel {
  /// @tparam Others  the types of the arguments after those of Parameters
  template <class Find, class... Others>
  static const void* address(const Find& find, TypeList<Others...> others) {
    if constexpr (exists<Find>(others)) return first_of(find, others);
    return nullptr;
  }

  template <class Find>
  static consteval bool exists(TypeList<>) {
    return std::is_invocable_v<const Find&, FindExact<Parameters...>>;
  }
  template <class Find, class Next, class... Others>
  static consteval bool exists(TypeList<Next, Others...>) {
    using Constant = PointerToConstant<Next>;
    constexpr TypeList<Others...> others;
    if (ExactKernel<Parameters..., Next>::template exists<Find>(others)) return true;
    if constexpr (std::is_void_v<Constant>) return false;
    return ExactKernel<Parameters..., Constant>::template exists<Find>(others);
  }

  template <class Find>
  static const void* first_of(const Find& find, TypeList<>) {
    return reinterpret_cast<const void*>(find(FindExact<Parameters...>{}).kernel);
  }
  /// An instance is made only of what is found, because others may not compile.
  template <class Find, class Next, class... Others>
  static const void* first_of(const Find& find, TypeList<Next, Others...>) {
    constexpr TypeList<Others...> others;
    if constexpr (ExactKernel<Parameters..., Next>::template exists<Find>(others)) {
      return ExactKernel<Parameters..., Next>::first_of(find, others);
    } else {
      return ExactKernel<Parameters..., PointerToConstant<Next>>::first_of(find, others);
    }
  }
};

/// A configured kernel, called with the launch's arguments. Each is evaluated and converted once,
/// on the host; every thread then gets its own copy. So is the kernel, which may be any expression:
/// a variable, an element of a table, the result of a call.
template <class Call, class... Parameters>
class Launch {
 public:
  Launch(const char* name, const Call& call, Signature<Parameters...> signature,
         const LaunchConfiguration& configuration)
      : name_(name), call_(call), kernel_(signature.kernel), configuration_(configuration) {}

  /// The kernel's own parameter types, so that `NULL` and `{x, y}` convert as they do in CUDA.
  void operator()(Parameters... arguments) const {
    run(kernel_, std::tuple<const Parameters&...>(arguments...),
        std::array{piece_of<Launch>(*this), piece_of<Call>(call_),
                   piece_of<Parameters>(arguments)...});
  }

  /// Fewer arguments: the kernel's default arguments supply the rest. Only a name has them.
  template <class... Arguments>
  requires(sizeof...(Arguments) < sizeof...(Parameters)) void operator()(
      const Arguments&... arguments) const {
    run(call_, std::tuple<const Arguments&...>(arguments...),
        pieces_of(*this, call_, arguments...));
  }

 private:
  template <class Function, class Tuple, std::size_t count>
  void run(const Function& function, const Tuple& arguments,
           const std::array<Piece, count>& objects) const {
#ifdef TILELAB_PROGRAM
    if (keep_if_capturing(name_, reinterpret_cast<const void*>(kernel_), configuration_, function,
                          arguments)) {
      return;
    }
#endif
    const auto run_thread = [&] { call_with(function, arguments); };
    std::array<Piece, count + 2> all;
    for (std::size_t i = 0; i < count; ++i) all[i] = objects[i];
    all[count] = {&run_thread, sizeof run_thread};
    all[count + 1] = {&arguments, sizeof arguments};
    unchecked(run_grid(kernel_call(name_, reinterpret_cast<const void*>(kernel_), run_thread, all,
                                   ArgumentList(arguments)),
                       configuration_),
              configuration_.site);
  }

  const char* name_;
  const Call& call_;
  void (*kernel_)(Parameters...);
  LaunchConfiguration configuration_;
};

/// A configured kernel whose parameter types are known only from the call.
template <class Find, class Call>
class DeducedLaunch {
 public:
  DeducedLaunch(const char* name, const Find& find, const Call& call,
                const LaunchConfiguration& configuration)
      : name_(name), find_(find), call_(call), configuration_(configuration) {}

  template <class... Arguments>
  void operator()(Arguments... arguments) const {
    static_assert(std::is_void_v<decltype(call_(arguments...))>,
                  "a __global__ function must have a void return type");
    const std::tuple<const Arguments&...> all_arguments(arguments...);
    const void* const kernel = ExactKernel<>::address(find_, TypeList<Arguments...>{});
#ifdef TILELAB_PROGRAM
    if (keep_if_capturing(name_, kernel, configuration_, call_, all_arguments)) return;
#endif
    const auto run_thread = [&] { call_(arguments...); };
    const auto all = pieces_of(run_thread, *this, call_, arguments...);
    unchecked(run_grid(kernel_call(name_, kernel, run_thread, all, ArgumentList(all_arguments)),
                       configuration_),
              configuration_.site);
  }

 private:
  const char* name_;
  const Find& find_;
  const Call& call_;
  LaunchConfiguration configuration_;
};

template <class Call, class... Parameters>
Launch<Call, Parameters...> typed_launch(const char* name, const Call& call,
                                         Signature<Parameters...> signature,
                                         const LaunchConfiguration& configuration) {
  return {name, call, signature, configuration};
}

/// A kernel whose arguments come as pointers, as cudaLaunchKernel() takes them.
/// @return the error that kept the kernel from starting
template <class... Parameters>
cudaError_t launch_with_pointers(const char* name, void (*kernel)(Parameters...), void** arguments,
                                 const LaunchConfiguration& configuration) {
  const auto copy = [arguments]<std::size_t... i>(std::index_sequence<i...>) {
    return std::tuple<Parameters...>(*static_cast<Parameters*>(arguments[i])...);
  };
  const auto copies = copy(std::index_sequence_for<Parameters...>());
#ifdef TILELAB_PROGRAM
  if (keep_if_capturing(name, reinterpret_cast<const void*>(kernel), configuration, kernel,
                        copies)) {
    return cudaSuccess;
  }
#endif
  const auto run_thread = [&] { call_with(kernel, copies); };
  const auto all = pieces_of(run_thread, copies, kernel);
  return run_grid(kernel_call(name, reinterpret_cast<const void*>(kernel), run_thread, all,
                              ArgumentList(copies)),
                  configuration);
}

/// A kernel and its name, which the rewriter makes of an argument of cudaLaunchKernel().
template <class... Parameters>
struct NamedKernel {
  const char* name;
  void (*kernel)(Parameters...);
  Site site;
};

template <class... Parameters>
NamedKernel<Parameters...> named_kernel(const char* name, void (*kernel)(Parameters...),
                                        Site site = Site::current()) {
  return {name, kernel, site};
}

/// A pointer does not tell which arguments the kernel has.
template <class Pointer>
NamedKernel<> named_kernel(const char* name, Pointer) {
  static_assert(!std::is_convertible_v<Pointer, const void*>,
                "the emulator needs the kernel itself as the first argument, not a void pointer");
  return {name, nullptr, {}};
}

/// @param find_signature  returns signature_of(the kernel); cannot be called if there is none
/// @param call            calls the kernel
/// @param block           one thread if there is none, as nvcc 13 has it
template <class Find, class Call>
auto configure_launch(const char* name, const Find& find_signature, const Call& call, dim3 grid,
                      dim3 block = 1, std::size_t dynamic_shared_bytes = 0,
                      cudaStream_t stream = nullptr, Site site = Site::current()) {
  const LaunchConfiguration configuration{grid, block, dynamic_shared_bytes, stream, site};
  if constexpr (std::is_invocable_v<Find, FindSignature>) {
    return typed_launch(name, call, find_signature(FindSignature{}), configuration);
  } else {
    return DeducedLaunch<Find, Call>(name, find_signature, call, configuration);
  }
}

}  // namespace tilelab::emulator

template <class... Parameters>
cudaError_t cudaLaunchKernel(const tilelab::emulator::NamedKernel<Parameters...>& kernel, dim3 grid,
                             dim3 block, void** arguments, std::size_t dynamic_shared_bytes = 0,
                             cudaStream_t stream = nullptr,
                             tilelab::emulator::Site site = tilelab::emulator::Site::current()) {
  return tilelab::emulator::launch_with_pointers(
      kernel.name, kernel.kernel, arguments,
      {grid, block, dynamic_shared_bytes, stream, site, false});
}

/// The same, but the blocks can wait for each other.
template <class... Parameters>
cudaError_t cudaLaunchCooperativeKernel(
    const tilelab::emulator::NamedKernel<Parameters...>& kernel, dim3 grid, dim3 block,
    void** arguments, std::size_t dynamic_shared_bytes = 0, cudaStream_t stream = nullptr,
    tilelab::emulator::Site site = tilelab::emulator::Site::current()) {
  return tilelab::emulator::launch_with_pointers(
      kernel.name, kernel.kernel, arguments,
      {grid, block, dynamic_shared_bytes, stream, site, true});
}

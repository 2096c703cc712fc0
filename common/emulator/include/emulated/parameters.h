#pragma once

/// How threads get a kernel's parameters: bit by bit, as on a GPU. No thread calls a parameter's
/// copy constructor or destructor. The host does, around the launch.

#include <tuple>
#include <type_traits>

namespace tilelab::emulator {

/// Whether C++ passes the address of a copy, which the caller makes and destroys.
template <class Parameter>
inline constexpr bool is_passed_in_memory =
    !std::is_reference_v<Parameter> && !(std::is_trivially_copy_constructible_v<Parameter> &&
                                         std::is_trivially_destructible_v<Parameter>);

/// A parameter as the kernel's machine code expects it.
template <class Parameter>
struct Passed {
  using Type = Parameter;
  explicit Passed(const std::remove_reference_t<Parameter>& from) : value(from) {}
  operator Parameter() const { return const_cast<std::remove_reference_t<Parameter>&>(value); }
  const std::remove_reference_t<Parameter>& value;
};

template <class Parameter>
requires is_passed_in_memory<Parameter>
struct Passed<Parameter> {
  using Type = void*;
#if defined(__clang__)
  __attribute__((no_sanitize("thread")))
#else
  __attribute__((no_sanitize_thread))
#endif
  explicit Passed(const Parameter& from) {
    const auto* const source = reinterpret_cast<const unsigned char*>(__builtin_addressof(from));
    for (unsigned i = 0; i < sizeof from; ++i) bytes[i] = source[i];
  }
  operator void*() { return bytes; }
  alignas(Parameter) unsigned char bytes[sizeof(Parameter)];
};

/// Calls the kernel for one thread.
template <class... Parameters>
void call_kernel(void (*kernel)(Parameters...),
                 const std::remove_reference_t<Parameters>&... values) {
  if constexpr ((is_passed_in_memory<Parameters> || ...)) {
    const auto machine_code =
        reinterpret_cast<void (*)(typename Passed<Parameters>::Type...)>(kernel);
    machine_code(Passed<Parameters>(values)...);
  } else if constexpr ((std::is_lvalue_reference_v<Parameters> || ...)) {
    kernel(Passed<Parameters>(values)...);
  } else {
    kernel(values...);
  }
}

/// Calls a kernel for one thread, with a tuple of its arguments.
template <class Tuple, class... Parameters>
requires(std::tuple_size_v<Tuple> ==
         sizeof...(Parameters)) void call_with(void (*kernel)(Parameters...),
                                               const Tuple& arguments) {
  std::apply([&](const auto&... values) { call_kernel(kernel, values...); }, arguments);
}

/// The same for what only calls the kernel: its default arguments are not known.
template <class Call, class Tuple>
void call_with(const Call& call, const Tuple& arguments) {
  std::apply(call, arguments);
}

}  // namespace tilelab::emulator

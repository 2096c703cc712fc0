// Binds a worker to a lab's functions. It is compiled once per lab, and TILELAB_LAB_HEADER names
// the header of the contract. Of the global namespace, this object leaves only the contract's
// functions undefined: they tell the object check what a submission must define.

#include TILELAB_LAB_HEADER

#include <cstring>
#include <utility>

#include "contract/functions.h"
#include "worker/entry.h"

namespace tilelab::worker {
namespace {

template <class P>
P decode(const Value& value) {
  if constexpr (Parameter<P>::role == wire::Role::scalar) {
    P scalar;
    std::memcpy(&scalar, value.scalar, sizeof scalar);
    return scalar;
  } else {
    return static_cast<P>(value.device_pointer);
  }
}

template <class... P>
Entry make_entry(const char* name, void (*)(P...), void (*invoke)(std::span<const Value>)) {
  static constexpr wire::Role roles[] = {Parameter<P>::role...};
  return {name, roles, invoke};
}

template <auto* F, class... P, std::size_t... I>
void invoke_with(void (*)(P...), std::span<const Value> values, std::index_sequence<I...>) {
  F(decode<P>(values[I])...);
}

template <class... P>
constexpr std::size_t parameter_count(void (*)(P...)) {
  return sizeof...(P);
}

template <auto* F>
void invoke(std::span<const Value> values) {
  invoke_with<F>(F, values, std::make_index_sequence<parameter_count(decltype(F){nullptr})>());
}

}  // namespace

std::span<const Entry> entries() {
#define TILELAB_ENTRY(function, ...) make_entry(#function, &::function, &invoke<&::function>),
  static const Entry all[] = {TILELAB_LAB_FUNCTIONS(TILELAB_ENTRY)};
#undef TILELAB_ENTRY
  return all;
}

}  // namespace tilelab::worker

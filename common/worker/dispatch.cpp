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
    return static_cast<P>(value.array);
  }
}

template <class R, class... P>
Entry make_entry(const char* name, R (*)(P...), int (*invoke)(std::span<const Value>)) {
  return {name, returns_error<R>, invoke};
}

template <auto* F, class R, class... P, std::size_t... I>
int invoke_with(R (*)(P...), std::span<const Value> values, std::index_sequence<I...>) {
  if constexpr (returns_error<R>) {
    return static_cast<int>(F(decode<P>(values[I])...));
  } else if constexpr (returns_value<R>()) {
    const R result = F(decode<P>(values[I])...);
    std::memcpy(values[sizeof...(P)].array, &result, sizeof result);
    return 0;
  } else {
    F(decode<P>(values[I])...);
    return 0;
  }
}

template <auto* F>
int invoke(std::span<const Value> values) {
  return invoke_with<F>(F, values,
                        std::make_index_sequence<parameter_count(decltype(F){nullptr})>());
}

}  // namespace

std::span<const Entry> entries() {
#define TILELAB_ENTRY(function, ...) make_entry(#function, &::function, &invoke<&::function>),
  static const Entry all[] = {TILELAB_LAB_FUNCTIONS(TILELAB_ENTRY)};
#undef TILELAB_ENTRY
  return all;
}

}  // namespace tilelab::worker

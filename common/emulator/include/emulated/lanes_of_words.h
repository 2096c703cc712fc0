#pragma once

/// Functions of the two halfwords or four bytes of a word, or of the word itself. All programs read
/// this header, so there are function pointers here, which make few instances of templates.

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace tilelab::emulator::lanes {

using Number = std::int64_t;
using Function = Number (*)(Number, Number);

/// Calls use(place, f(lane of a, lane of b)) for each place.
template <std::integral Lane, class Use>
constexpr void for_each(Function f, unsigned a, unsigned b, Use use) {
  for (int place = 0; place < 32; place += 8 * sizeof(Lane)) {
    use(place, f(static_cast<Lane>(a >> place), static_cast<Lane>(b >> place)));
  }
}

/// What does not fit into a lane wraps.
template <std::integral Lane>
constexpr unsigned apply(Function f, unsigned a, unsigned b) {
  unsigned result = 0;
  for_each<Lane>(f, a, b, [&](int place, Number exact) {
    result |= unsigned{static_cast<std::make_unsigned_t<Lane>>(exact)} << place;
  });
  return result;
}

/// What does not fit into a lane becomes the nearest number that does.
template <std::integral Lane>
constexpr unsigned saturate(Function f, unsigned a, unsigned b) {
  constexpr Number lowest = std::numeric_limits<Lane>::min();
  constexpr Number highest = std::numeric_limits<Lane>::max();
  unsigned result = 0;
  for_each<Lane>(f, a, b, [&](int place, Number exact) {
    const Number nearest = exact < lowest ? lowest : exact > highest ? highest : exact;
    result |= unsigned{static_cast<std::make_unsigned_t<Lane>>(nearest)} << place;
  });
  return result;
}

template <std::integral Lane>
constexpr unsigned add_up(Function f, unsigned a, unsigned b) {
  Number sum = 0;
  for_each<Lane>(f, a, b, [&](int, Number exact) { sum += exact; });
  return static_cast<unsigned>(sum);
}

constexpr Number sum(Number a, Number b) { return a + b; }
constexpr Number difference(Number a, Number b) { return a - b; }
constexpr Number distance(Number a, Number b) { return a < b ? b - a : a - b; }
constexpr Number least(Number a, Number b) { return a < b ? a : b; }
constexpr Number greatest(Number a, Number b) { return a > b ? a : b; }
constexpr Number equal(Number a, Number b) { return a == b ? 1 : 0; }
constexpr Number not_equal(Number a, Number b) { return a != b ? 1 : 0; }
constexpr Number less(Number a, Number b) { return a < b ? 1 : 0; }
constexpr Number less_equal(Number a, Number b) { return a <= b ? 1 : 0; }
constexpr Number greater(Number a, Number b) { return a > b ? 1 : 0; }
constexpr Number greater_equal(Number a, Number b) { return a >= b ? 1 : 0; }
constexpr Number average_rounded_down(Number a, Number b) { return (a + b) >> 1; }

/// Halves go away from zero.
constexpr Number average(Number a, Number b) { return (a + b + (a + b >= 0 ? 1 : 0)) >> 1; }

}  // namespace tilelab::emulator::lanes

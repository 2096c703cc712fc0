// Atomic operations.

#include <bit>

#include "estimator/execution/touched.h"
#include "estimator/execution/unknown.h"
#include "estimator/execution/warp.h"

namespace tilelab::estimator {

namespace {

/// Integers are unsigned unless the instruction says otherwise.
bool is_less(const Instruction& one, std::uint64_t a, std::uint64_t b) {
  if (one.has("S64")) return static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b);
  if (one.has("S32")) return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
  return a < b;
}

std::uint64_t sum(const Instruction& one, std::uint64_t a, std::uint64_t b) {
  if (one.has("F64")) {
    return std::bit_cast<std::uint64_t>(std::bit_cast<double>(a) + std::bit_cast<double>(b));
  }
  if (one.has("F32")) {
    return std::bit_cast<std::uint32_t>(std::bit_cast<float>(static_cast<std::uint32_t>(a)) +
                                        std::bit_cast<float>(static_cast<std::uint32_t>(b)));
  }
  if (one.has("F16x2") || one.has("BF16x2") || one.has("BF16_V2")) throw unknown_instruction(one);
  return a + b;
}

/// What an atomic operation leaves in memory, in its lower bits if that has less than 64.
std::uint64_t combined(const Instruction& one, std::uint64_t old, std::uint64_t value) {
  if (one.has("INC")) return one.has("POPC") ? old + 1 : old >= value ? 0 : old + 1;
  if (one.has("DEC")) return old == 0 || old > value ? value : old - 1;
  if (one.has("ADD")) return sum(one, old, value);
  if (one.has("MIN")) return is_less(one, value, old) ? value : old;
  if (one.has("MAX")) return is_less(one, old, value) ? value : old;
  if (one.has("AND")) return old & value;
  if (one.has("OR")) return old | value;
  if (one.has("XOR")) return old ^ value;
  if (one.has("EXCH")) return value;
  throw unknown_instruction(one);
}

template <class Space>
std::uint64_t load_number(const Space& space, std::uint64_t at, int bytes) {
  const std::uint64_t low = space.load(at, 4);
  return bytes == 8 ? low | std::uint64_t{space.load(at + 4, 4)} << 32U : low;
}

template <class Space>
void store_number(Space& space, std::uint64_t at, std::uint64_t value, int bytes) {
  space.store(at, static_cast<std::uint32_t>(value), 4);
  if (bytes == 8) space.store(at + 4, static_cast<std::uint32_t>(value >> 32U), 4);
}

}  // namespace

/// Lane after lane updates a number. What it found goes to a register, if there is one.
template <class Space>
void Warp::update(const Instruction& one, Mask active, const Operand& place, const WideLanes& at,
                  Space& space) {
  const auto value_at = [&](std::size_t i) {
    WideLanes made = wide_bits(one.operands[i]);
    if (one.bytes == 4) {
      for (auto& it : made) it &= 0xffffffffU;
    }
    return made;
  };
  // Values come after the address. An increment may have none, and a swap has what it replaces
  // before its own.
  const auto first = static_cast<std::size_t>(&place - one.operands.data()) + 1;
  const WideLanes value = first < one.operands.size() ? value_at(first) : WideLanes{};
  const bool swaps = one.has("CAS");
  const WideLanes replacement = swaps ? value_at(first + 1) : WideLanes{};
  WideLanes old{};
  for_each_lane(active, [&](std::size_t lane) {
    old[lane] = load_number(space, at[lane], one.bytes);
    const std::uint64_t made = !swaps                     ? combined(one, old[lane], value[lane])
                               : old[lane] == value[lane] ? replacement[lane]
                                                          : old[lane];
    store_number(space, at[lane], made, one.bytes);
  });
  if (&place == one.operands.data()) return;
  if (one.bytes == 8) {
    set_wide(*(&place - 1), old, active);
  } else {
    set_each(*(&place - 1), active,
             [&](std::size_t i) { return static_cast<std::uint32_t>(old[i]); });
  }
}

void Warp::update_global(const Instruction& one, Mask active, const Operand& place,
                         const WideLanes& at, Step& made) {
  made.distinct = count_words(at, active);
  update(one, active, place, at, block_.global);
}

void Warp::update_shared(const Instruction& one, Mask active, const Operand& place,
                         const WideLanes& at, Step& made) {
  made.passes = passes_of(at, active, one.bytes, report::AccessKind::atomic, one.has("POPC"));
  if (one.has("CAST")) {
    swap_if_equal(one, active, at);
    return;
  }
  made.distinct = count_words(at, active);
  update(one, active, place, at, block_.shared);
}

/// Compares and swaps, lane after lane. The destination says whether a lane's value was the old
/// one.
void Warp::swap_if_equal(const Instruction& one, Mask active, const WideLanes& at) {
  const auto& operands = one.operands;
  const int words = one.bytes / 4;
  const auto part = [&](const Operand& from, int word, std::size_t lane) {
    return from.index < 255 ? registers_[static_cast<std::size_t>(from.index + word)][lane] : 0;
  };
  Lanes made{};
  for_each_lane(active, [&](std::size_t lane) {
    const auto place = [&](int word) { return at[lane] + static_cast<std::uint64_t>(4 * word); };
    bool is_equal = true;
    for (int w = 0; w < words; ++w) {
      is_equal &= block_.shared.load(place(w), 4) == part(operands[2], w, lane);
    }
    for (int w = 0; w < words && is_equal; ++w) {
      block_.shared.store(place(w), part(operands[3], w, lane), 4);
    }
    made[lane] = is_equal ? 1 : 0;
  });
  set(operands[0], made, active);
}

}  // namespace tilelab::estimator

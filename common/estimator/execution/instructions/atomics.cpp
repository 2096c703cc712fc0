// Atomic operations.

#include <algorithm>
#include <bit>

#include "estimator/execution/touched.h"
#include "estimator/execution/unknown.h"
#include "estimator/execution/warp.h"

namespace tilelab::estimator {

namespace {

/// Integers are unsigned unless the instruction says otherwise.
bool is_less(const Instruction& one, std::uint32_t a, std::uint32_t b) {
  if (!one.has("S32")) return a < b;
  return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
}

/// What an atomic operation leaves in memory.
std::uint32_t combined(const Instruction& one, std::uint32_t old, std::uint32_t value) {
  if (one.has("INC")) return one.has("POPC") ? old + 1 : old >= value ? 0 : old + 1;
  if (one.has("F32")) {
    return std::bit_cast<std::uint32_t>(std::bit_cast<float>(old) + std::bit_cast<float>(value));
  }
  if (one.has("ADD")) return old + value;
  if (one.has("MIN")) return is_less(one, value, old) ? value : old;
  if (one.has("MAX")) return is_less(one, old, value) ? value : old;
  if (one.has("AND")) return old & value;
  if (one.has("OR")) return old | value;
  if (one.has("XOR")) return old ^ value;
  if (one.has("EXCH")) return value;
  throw unknown_instruction(one);
}

}  // namespace

/// Lane after lane updates a word. @return what each found
template <class Space>
Lanes Warp::update(const Instruction& one, Mask active, const Operand& place, const WideLanes& at,
                   Space& space) {
  // The value comes after the address. An increment may have none.
  const Operand* const last = one.operands.data() + one.operands.size() - 1;
  const Lanes value = &place < last ? bits(*(&place + 1)) : Lanes{};
  Lanes old{};
  for_each_lane(active, [&](std::size_t lane) {
    old[lane] = space.load(at[lane], 4);
    space.store(at[lane], combined(one, old[lane], value[lane]), 4);
  });
  return old;
}

void Warp::update_global(const Instruction& one, Mask active, const Operand& place,
                         const WideLanes& at, Step& made) {
  made.distinct = count_words(at, active);
  if (one.has("64")) {
    const bool returns = &place != one.operands.data();
    if (!one.has("MIN") || returns) throw unknown_instruction(one);
    const WideLanes value = wide(*(&place + 1));
    for_each_lane(active, [&](std::size_t lane) { store_smaller(at[lane], value[lane]); });
    return;
  }
  if (one.has("CAS")) throw unknown_instruction(one);
  const Lanes old = update(one, active, place, at, block_.global);
  if (&place != one.operands.data()) set(*(&place - 1), old, active);
}

void Warp::update_shared(const Instruction& one, Mask active, const Operand& place,
                         const WideLanes& at, Step& made) {
  made.passes = passes_of(at, active, one.bytes, emulator::AccessKind::atomic, one.has("POPC"));
  if (one.has("CAST")) {
    swap_if_equal(one, active, at);
    return;
  }
  if (one.has("64")) throw unknown_instruction(one);
  made.distinct = count_words(at, active);
  set(one.operands[0], update(one, active, place, at, block_.shared), active);
}

/// An atomic minimum of 64 bits.
void Warp::store_smaller(std::uint64_t address, std::uint64_t value) {
  const std::uint64_t old =
      block_.global.load(address, 4) | std::uint64_t{block_.global.load(address + 4, 4)} << 32U;
  const std::uint64_t made = std::min(old, value);
  block_.global.store(address, static_cast<std::uint32_t>(made), 4);
  block_.global.store(address + 4, static_cast<std::uint32_t>(made >> 32U), 4);
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

// Loads, stores and copies.

#include <algorithm>

#include "estimator/execution/touched.h"
#include "estimator/execution/unknown.h"
#include "estimator/execution/warp.h"

namespace tilelab::estimator {

namespace {

int words_of(const Instruction& one) { return std::max(1, one.bytes / 4); }

/// The register of a word of an access.
Operand with_word(Operand data, int word) {
  if (data.index < 255) data.index += word;
  return data;
}

/// What a load leaves in a register.
std::uint32_t extended(const Instruction& one, std::uint32_t loaded) {
  if (one.has("S8")) return static_cast<std::uint32_t>(static_cast<std::int8_t>(loaded));
  if (one.has("S16")) return static_cast<std::uint32_t>(static_cast<std::int16_t>(loaded));
  return loaded;
}

}  // namespace

void Warp::execute_access(const Instruction& one, Mask active, Step& made) {
  const auto place = std::ranges::find(one.operands, Kind::memory, &Operand::kind);
  if (place == one.operands.end()) {
    if (active == 0) return;
    throw unknown_instruction(one);
  }
  switch (one.operation) {
    case Operation::LDG:
    case Operation::LD:
    case Operation::STG:
    case Operation::ST:
    case Operation::RED:
    case Operation::REDG:
    case Operation::ATOM:
    case Operation::ATOMG:
      access_global(one, active, *place, made);
      return;
    case Operation::LDL:
    case Operation::STL:
      if (active != 0) access_local(one, active, *place, made);
      return;
    case Operation::LDS:
    case Operation::STS:
    case Operation::ATOMS:
      if (active != 0) access_shared(one, active, *place, made);
      return;
    case Operation::LDGSTS:
      copy_to_shared(one, active, made);
      return;
    default:
      throw unknown_instruction(one);
  }
}

/// The addresses in global memory. A register without .64 is an offset to a uniform one.
WideLanes Warp::addresses(const Operand& from) const {
  Operand base;
  base.kind = Kind::reg;
  base.index = from.index;
  const Lanes low = bits(base);
  const WideLanes whole = wide(base);
  std::uint64_t begin = static_cast<std::uint64_t>(from.value) + uniform(from.uniform_index);
  if (!from.is_wide && from.uniform_index < 63) {
    begin += std::uint64_t{uniform(from.uniform_index + 1)} << 32U;
  }
  WideLanes made{};
  for (std::size_t i = 0; i < made.size(); ++i)
    made[i] = begin + (from.is_wide ? whole[i] : low[i]);
  return made;
}

/// The addresses in shared or local memory, which have 32 bits.
Lanes Warp::near_addresses(const Operand& from) const {
  Operand base;
  base.kind = Kind::reg;
  base.index = from.index;
  Lanes made = bits(base);
  const auto begin = static_cast<std::uint32_t>(from.value) + uniform(from.uniform_index);
  for (auto& it : made) it += begin;
  return made;
}

/// The addresses in shared memory, which begins at 0 and has less than 16 MiB.
WideLanes Warp::shared_addresses(const Operand& from) const {
  const Lanes near = near_addresses(from);
  WideLanes made{};
  for (std::size_t i = 0; i < made.size(); ++i) made[i] = near[i] & 0xffffffU;
  return made;
}

template <class Space>
void Warp::load(const Instruction& one, Mask active, const WideLanes& at, const Space& space) {
  // A predicate may come before the register.
  const Operand& to = one.operands[one.operands[0].kind == Kind::predicate ? 1 : 0];
  for (int word = 0; word < words_of(one); ++word) {
    const auto offset = static_cast<std::uint64_t>(4 * word);
    Lanes values{};
    for_each_lane(active, [&](std::size_t lane) {
      values[lane] = extended(one, space.load(at[lane] + offset, one.bytes));
      if (space.is_unknown(at[lane] + offset)) unknown_loaded_ |= Mask{1} << lane;
    });
    set(with_word(to, word), values, active);
  }
}

template <class Space>
void Warp::store(const Instruction& one, Mask active, const WideLanes& at, Space& space) {
  for (int word = 0; word < words_of(one); ++word) {
    const auto offset = static_cast<std::uint64_t>(4 * word);
    const Lanes values = bits(with_word(one.operands.back(), word));
    for_each_lane(
        active, [&](std::size_t lane) { space.store(at[lane] + offset, values[lane], one.bytes); });
  }
}

void Warp::access_global(const Instruction& one, Mask active, const Operand& place, Step& made) {
  const WideLanes at = addresses(place);
  add_lines(trace, made, at, active, one.bytes);
  made.is_unknown = (unknown_.address(place) & active) != 0;
  if (active == 0) return;
  if (is_global_atomic(one.operation)) {
    update_global(one, active, place, at, made);
  } else if (one.operation == Operation::LDG || one.operation == Operation::LD) {
    load(one, active, at, block_.global);
  } else {
    store(one, active, at, block_.global);
  }
}

void Warp::access_shared(const Instruction& one, Mask active, const Operand& place, Step& made) {
  const WideLanes at = shared_addresses(place);
  if (!block_.global.trusts_made_up() && (unknown_.address(place) & active) != 0) {
    throw unknown_addresses();
  }
  if (one.operation == Operation::ATOMS) {
    update_shared(one, active, place, at, made);
  } else if (one.operation == Operation::LDS) {
    made.passes = passes_of(at, active, one.bytes, report::AccessKind::load);
    load(one, active, at, block_.shared);
  } else {
    made.passes = passes_of(at, active, one.bytes, report::AccessKind::store);
    store(one, active, at, block_.shared);
    mark_stored(one, active, at, block_.shared);
  }
}

void Warp::access_local(const Instruction& one, Mask active, const Operand& place, Step& made) {
  const Lanes near = near_addresses(place);
  add_local_lines(trace, made, near, active, one.bytes, first_thread_ / 32);
  WideLanes at{};
  for (std::size_t i = 0; i < at.size(); ++i) at[i] = LocalMemory::place(near[i], i);
  if (one.operation == Operation::LDL) {
    load(one, active, at, local_);
  } else {
    store(one, active, at, local_);
    mark_stored(one, active, at, local_);
  }
}

/// Unknown values stay unknown in shared and local memory. In global memory, what was stored counts
/// as known.
template <class Space>
void Warp::mark_stored(const Instruction& one, Mask active, const WideLanes& at, Space& space) {
  const Mask unknown = unknown_.sources(one);
  for_each_lane(active, [&](std::size_t lane) {
    for (int word = 0; word < words_of(one); ++word) {
      space.set_unknown(at[lane] + static_cast<std::uint64_t>(4 * word), has_lane(unknown, lane));
    }
  });
}

/// LDGSTS [shared], [global], predicate. Lanes without the predicate fill their places with zeros.
void Warp::copy_to_shared(const Instruction& one, Mask active, Step& made) {
  const auto& operands = one.operands;
  const WideLanes into = shared_addresses(operands[0]);
  const WideLanes from = addresses(operands[1]);
  const bool has_predicate = operands.size() > 2 && is_predicate(operands[2]);
  const Mask copied = has_predicate ? active & predicate(operands[2]) : active;
  add_lines(trace, made, from, copied, one.bytes);
  made.is_unknown = (unknown_.address(operands[1]) & copied) != 0;
  if (active == 0) return;
  made.passes = passes_of(into, active, one.bytes, report::AccessKind::store);
  for (int word = 0; word < words_of(one); ++word) {
    const auto offset = static_cast<std::uint64_t>(4 * word);
    for_each_lane(active, [&](std::size_t lane) {
      const std::uint64_t source = from[lane] + offset;
      const bool is_copied = has_lane(copied, lane);
      block_.shared.store(into[lane] + offset, is_copied ? block_.global.load(source, 4) : 0, 4);
      block_.shared.set_unknown(into[lane] + offset, is_copied && block_.global.is_unknown(source));
    });
  }
}

}  // namespace tilelab::estimator

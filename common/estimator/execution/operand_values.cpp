// What operands are worth, and what is written to them.

#include <bit>
#include <cstring>

#include "estimator/execution/warp.h"

namespace tilelab::estimator {

namespace {

/// Where things lie in bank 0 of constant memory, from compute capability 9.0 on, in bytes.
namespace bank0 {
constexpr std::uint64_t block_size = 0;
constexpr std::uint64_t grid_size = 12;
constexpr std::uint64_t stack = 0x28;
constexpr std::uint64_t parameters = 0x210;
}  // namespace bank0

constexpr std::uint32_t stack_begin = 0xfff000;
constexpr std::uint64_t constants_bank = 3, variables_bank = 4;
constexpr std::uint64_t nowhere = std::uint64_t{1} << 32U;

/// A word of bank 0.
std::uint32_t word_of_launch(const Launch& launch, std::uint64_t at) {
  if (at < bank0::grid_size) return launch.block[(at - bank0::block_size) / 4];
  if (at < bank0::grid_size + 12) return launch.grid[(at - bank0::grid_size) / 4];
  if (at == bank0::stack) return stack_begin;
  std::uint32_t value = 0;
  if (at >= bank0::parameters && at + 4 <= bank0::parameters + launch.parameters.size()) {
    std::memcpy(&value, &launch.parameters[at - bank0::parameters], 4);
  }
  return value;
}

}  // namespace

/// 64 bits of constant memory. The upper 32 bits of the place are the bank.
std::uint64_t Warp::constant(std::uint64_t place) const {
  const std::uint64_t bank = place >> 32U;
  const std::uint64_t offset = place & 0xffffffffU;
  if (bank == variables_bank) return block_.global.address_of_variable(offset);
  if (bank != 0) {
    // The compiler's own are in bank 2. They are not known.
    const std::uint64_t at = bank == constants_bank ? offset : nowhere;
    return block_.global.constant(at) | std::uint64_t{block_.global.constant(at + 4)} << 32U;
  }
  return word_of_launch(block_.launch, offset) |
         std::uint64_t{word_of_launch(block_.launch, offset + 4)} << 32U;
}

/// The place of an operand in constant memory, for the first lane.
std::uint64_t Warp::place_of(const Operand& constant) const {
  const std::uint32_t offset =
      constant.index < 255 ? registers_[static_cast<std::size_t>(constant.index)][0] : 0;
  return static_cast<std::uint64_t>(constant.value) + offset + uniform(constant.uniform_index);
}

std::uint32_t Warp::special(Special which, std::size_t lane) const {
  const std::uint32_t thread = first_thread_ + static_cast<std::uint32_t>(lane);
  const auto& size = block_.launch.block;
  switch (which) {
    case Special::thread_x:
      return thread % size[0];
    case Special::thread_y:
      return thread / size[0] % size[1];
    case Special::thread_z:
      return thread / size[0] / size[1];
    case Special::block_x:
      return block_.index[0];
    case Special::block_y:
      return block_.index[1];
    case Special::block_z:
      return block_.index[2];
    case Special::lane:
      return static_cast<std::uint32_t>(lane);
    case Special::lanes_below:
      return (Mask{1} << lane) - 1;
    case Special::lanes_to_here:
      return all_lanes >> (31 - lane);
    case Special::lanes_from_here:
      return all_lanes << lane;
    case Special::lanes_above:
      return all_lanes << lane << 1U;
    case Special::lane_bit:
      return Mask{1} << lane;
    case Special::zero:
    case Special::unknown:
      return 0;
  }
  return 0;
}

std::uint32_t Warp::uniform(int index) const {
  return index < 63 ? uniform_[static_cast<std::size_t>(index)] : 0;
}

/// The bits of an operand, without what stands before it.
Lanes Warp::bits(const Operand& from) const {
  Lanes made{};
  switch (from.kind) {
    case Kind::reg:
      if (from.index < 255) made = registers_[static_cast<std::size_t>(from.index)];
      break;
    case Kind::uniform:
    case Kind::number:
    case Kind::constant:
      made.fill(scalar(from));
      break;
    case Kind::special:
      for (std::size_t lane = 0; lane < made.size(); ++lane) {
        made[lane] = special(from.special, lane);
      }
      break;
    default:
      break;
  }
  return made;
}

/// The bits of an operand that is the same for all lanes, or those of the first lane.
std::uint32_t Warp::scalar(const Operand& from) const {
  switch (from.kind) {
    case Kind::uniform:
      return uniform(from.index);
    case Kind::number:
      return static_cast<std::uint32_t>(from.value);
    case Kind::constant:
      return static_cast<std::uint32_t>(constant(place_of(from)));
    case Kind::special:
      return special(from.special, 0);
    case Kind::reg: {
      const Mask running = alive_ & ~exited_;
      const auto first = static_cast<std::size_t>(std::countr_zero(running != 0 ? running : 1U));
      return from.index < 255 ? registers_[static_cast<std::size_t>(from.index)][first] : 0;
    }
    default:
      return 0;
  }
}

Lanes Warp::integer(const Operand& from) const {
  Lanes made = bits(from);
  if (from.is_absolute) {
    for (auto& it : made) it = static_cast<std::int32_t>(it) < 0 ? 0U - it : it;
  }
  if (from.is_negated) {
    for (auto& it : made) it = 0U - it;
  }
  if (from.is_inverted) {
    for (auto& it : made) it = ~it;
  }
  return made;
}

Lanes Warp::real(const Operand& from) const {
  Lanes made = bits(from);
  if (from.is_absolute) {
    for (auto& it : made) it &= 0x7fffffffU;
  }
  if (from.is_negated) {
    for (auto& it : made) it ^= 0x80000000U;
  }
  return made;
}

/// 64 bits of an operand, without what stands before it: of a pair of registers, for example.
WideLanes Warp::wide_bits(const Operand& from) const {
  WideLanes made{};
  switch (from.kind) {
    case Kind::reg:
      if (from.index < 254) {
        const Lanes& low = registers_[static_cast<std::size_t>(from.index)];
        const Lanes& high = registers_[static_cast<std::size_t>(from.index) + 1];
        for (std::size_t i = 0; i < made.size(); ++i) {
          made[i] = low[i] | std::uint64_t{high[i]} << 32U;
        }
      }
      break;
    case Kind::uniform:
      if (from.index < 62) {
        made.fill(uniform(from.index) | std::uint64_t{uniform(from.index + 1)} << 32U);
      }
      break;
    case Kind::constant:
      made.fill(constant(place_of(from)));
      break;
    case Kind::number:
      made.fill(static_cast<std::uint64_t>(from.value));
      break;
    default:
      break;
  }
  return made;
}

WideLanes Warp::wide(const Operand& from) const {
  WideLanes made = wide_bits(from);
  if (from.is_negated) {
    for (auto& it : made) it = 0U - it;
  }
  return made;
}

Mask Warp::predicate(const Operand& from) const {
  Mask made = 0;
  if (from.kind == Kind::predicate) made = predicates_[static_cast<std::size_t>(from.index)];
  if (from.kind == Kind::uniform_predicate) {
    made = uniform_predicates_[static_cast<std::size_t>(from.index)] ? all_lanes : 0;
  }
  return from.is_negated ? ~made : made;
}

void Warp::set(const Operand& to, const Lanes& values, Mask active) {
  if (to.kind == Kind::uniform && to.index < 63 && active != 0) {
    uniform_[static_cast<std::size_t>(to.index)] =
        values[static_cast<std::size_t>(std::countr_zero(active))];
  }
  if (to.kind != Kind::reg || to.index >= 255) return;
  Lanes& into = registers_[static_cast<std::size_t>(to.index)];
  if (active == all_lanes) {
    into = values;
  } else {
    for_each_lane(active, [&](std::size_t lane) { into[lane] = values[lane]; });
  }
}

void Warp::set_wide(const Operand& to, const WideLanes& values, Mask active) {
  Lanes low{};
  Lanes high{};
  for (std::size_t i = 0; i < low.size(); ++i) {
    low[i] = static_cast<std::uint32_t>(values[i]);
    high[i] = static_cast<std::uint32_t>(values[i] >> 32U);
  }
  const bool is_none = to.kind == Kind::uniform ? to.index == 63 : to.index == 255;
  Operand next = to;
  if (!is_none) ++next.index;
  set(to, low, active);
  set(next, high, active);
}

void Warp::set_predicate(const Operand& to, Mask values, Mask active) {
  if (to.index == 7) return;
  if (to.kind == Kind::uniform_predicate) {
    uniform_predicates_[static_cast<std::size_t>(to.index)] = (values & active) != 0;
  } else if (to.kind == Kind::predicate) {
    Mask& into = predicates_[static_cast<std::size_t>(to.index)];
    into = (into & ~active) | (values & active);
  }
}

}  // namespace tilelab::estimator

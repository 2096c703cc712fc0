#include <algorithm>
#include <bit>

#include "emulator/observer/counts/request_cost.h"
#include "estimator/warp.h"

namespace tilelab::estimator {

namespace {

constexpr std::uint64_t shared_begin = 0;

std::uint32_t of_width(std::uint32_t word, std::uint64_t address, int bytes) {
  if (bytes >= 4) return word;
  const std::uint32_t moved = word >> (8 * (address & 3U));
  return bytes == 1 ? moved & 0xffU : moved & 0xffffU;
}

/// The passes that an access to shared memory takes. The emulator's observer knows the rules.
int passes_of(const std::array<std::uint64_t, 32>& addresses, Mask active, int bytes,
              report::AccessKind kind, bool is_increment = false) {
  emulator::WarpAccess access{};
  access.code = emulator::make_code(0, kind, static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(bytes))));
  access.lanes = active;
  for (Mask left = active; left != 0; left &= left - 1) {
    access.addresses[access.count++] =
        static_cast<std::uint32_t>(addresses[static_cast<std::size_t>(std::countr_zero(left))]);
  }
  return static_cast<int>(emulator::shared_cost_of(access, is_increment).wavefronts);
}

}  // namespace

std::array<std::uint64_t, 32> Warp::addresses(const Operand& from, bool is_wide) const {
  std::array<std::uint64_t, 32> made{};
  Operand base;
  base.kind = Kind::reg;
  base.index = from.index;
  const Lanes low = bits(base);
  const auto whole = wide(base);
  std::uint64_t uniform = 0;
  if (from.uniform_index < 63) {
    uniform = uniform_[static_cast<std::size_t>(from.uniform_index)];
    if (is_wide && !from.is_wide) {
      uniform |= std::uint64_t{uniform_[static_cast<std::size_t>(from.uniform_index) + 1]} << 32U;
    }
  }
  for (std::size_t i = 0; i < 32; ++i) {
    const std::uint64_t sum = (is_wide && from.is_wide ? whole[i] : low[i]) + uniform +
                              static_cast<std::uint64_t>(from.value);
    made[i] = is_wide ? sum : sum & 0xffffffU;
  }
  return made;
}

std::uint32_t Warp::load(std::uint64_t address, int bytes, bool is_shared) const {
  if (!is_shared) return of_width(block_.global.word(address & ~std::uint64_t{3}), address, bytes);
  const std::uint64_t at = address - shared_begin;
  std::uint32_t made = 0;
  const auto size = static_cast<std::size_t>(std::min(bytes, 4));
  if (at + size <= block_.shared.size()) std::memcpy(&made, &block_.shared[at], size);
  return made;
}

void Warp::store(std::uint64_t address, std::uint32_t value, int bytes, bool is_shared) {
  const auto size = static_cast<std::size_t>(std::min(bytes, 4));
  if (is_shared) {
    const std::uint64_t at = address - shared_begin;
    if (at + size <= block_.shared.size()) std::memcpy(&block_.shared[at], &value, size);
    return;
  }
  const std::uint64_t whole = address & ~std::uint64_t{3};
  if (size < 4) {
    std::uint32_t word = block_.global.word(whole);
    std::memcpy(reinterpret_cast<std::uint8_t*>(&word) + (address & 3U), &value, size);
    value = word;
  }
  block_.global.store(whole, value);
}

bool Warp::is_unknown_shared(std::uint64_t address) const {
  const std::size_t word = address / 4;
  return word < block_.unknown_shared.size() && block_.unknown_shared[word];
}

void Warp::set_unknown_shared(std::uint64_t address, bool is_unknown) {
  const std::size_t word = address / 4;
  if (!is_unknown && block_.unknown_shared.empty()) return;
  if (block_.unknown_shared.empty()) block_.unknown_shared.resize(block_.shared.size() / 4 + 1);
  if (word < block_.unknown_shared.size()) block_.unknown_shared[word] = is_unknown;
}

bool Warp::execute_access(const Instruction& one, Mask active, Step& made) {
  const auto& operands = one.operands;
  const auto place = std::ranges::find(operands, Kind::memory, &Operand::kind);
  if (place == operands.end()) return false;
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
      return true;
    case Operation::LDL:
    case Operation::STL:
      return true;  // a spilled register: a value of no interest, in the nearest cache
    case Operation::LDS:
    case Operation::STS:
    case Operation::ATOMS:
      access_shared(one, active, *place, made);
      return true;
    case Operation::LDGSTS:
      copy_to_shared(one, active, made);
      return true;
    default:
      return false;
  }
}

namespace {

/// Adds the lines and sectors that a warp touches to a trace.
void add_lines(Trace& trace, Step& made, const std::array<std::uint64_t, 32>& addresses,
               Mask active, int bytes) {
  made.first_line = static_cast<std::uint32_t>(trace.lines.size());
  std::array<std::pair<std::uint64_t, std::uint32_t>, 128> sectors{};  // and bytes touched
  std::size_t count = 0;
  for (Mask left = active; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    const std::uint64_t first = addresses[lane] / 32;
    const auto offset = static_cast<std::uint32_t>(addresses[lane] % 32);
    const std::uint32_t touched =
        static_cast<std::uint32_t>((std::uint64_t{1} << bytes) - 1) << offset;
    std::size_t i = count;
    while (i > 0 && sectors[i - 1].first != first) --i;
    if (i > 0) {
      sectors[i - 1].second |= touched;
    } else if (count < sectors.size()) {
      sectors[count++] = {first, touched};
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t number = sectors[i].first / 4;
    const auto bit = static_cast<std::uint8_t>(1U << (sectors[i].first % 4));
    const bool is_whole = sectors[i].second == ~0U;
    auto at = trace.lines.begin() + made.first_line;
    while (at != trace.lines.end() && at->number != number) ++at;
    if (at == trace.lines.end()) {
      trace.lines.push_back({number, bit, is_whole ? bit : std::uint8_t{0}});
    } else {
      at->sectors |= bit;
      if (is_whole) at->whole |= bit;
    }
  }
  made.lines = static_cast<std::uint16_t>(trace.lines.size() - made.first_line);
}

std::uint32_t combined(const Instruction& one, std::uint32_t old, std::uint32_t value) {
  const auto x = static_cast<std::int32_t>(old);
  const auto y = static_cast<std::int32_t>(value);
  if (one.has("INC")) return one.has("POPC") ? old + 1 : old >= value ? 0 : old + 1;
  if (one.has("F32")) {
    return std::bit_cast<std::uint32_t>(std::bit_cast<float>(old) + std::bit_cast<float>(value));
  }
  if (one.has("ADD")) return old + value;
  if (one.has("MIN")) return static_cast<std::uint32_t>(std::min(x, y));
  if (one.has("MAX")) return static_cast<std::uint32_t>(std::max(x, y));
  if (one.has("AND")) return old & value;
  if (one.has("OR")) return old | value;
  if (one.has("XOR")) return old ^ value;
  if (one.has("EXCH")) return value;
  throw Unknown("the instruction " + one.text);
}

/// How many lanes share the busiest word, and how many words there are.
void count_words(Step& made, const std::array<std::uint64_t, 32>& addresses, Mask active) {
  std::array<std::uint64_t, 32> words{};
  std::array<std::uint16_t, 32> lanes{};
  std::size_t count = 0;
  for (Mask left = active; left != 0; left &= left - 1) {
    const std::uint64_t word = addresses[static_cast<std::size_t>(std::countr_zero(left))] / 4;
    std::size_t i = 0;
    while (i < count && words[i] != word) ++i;
    if (i == count) words[count++] = word;
    ++lanes[i];
  }
  made.distinct = static_cast<std::uint16_t>(count);
  made.passes = *std::ranges::max_element(lanes);
}

}  // namespace

void Warp::access_global(const Instruction& one, Mask active, const Operand& place, Step& made) {
  const auto at = addresses(place, true);
  add_lines(trace, made, at, active, one.bytes);
  if (active == 0) return;
  const auto& operands = one.operands;
  const int words = std::max(1, one.bytes / 4);
  const bool is_atomic = one.operation == Operation::RED || one.operation == Operation::REDG ||
                         one.operation == Operation::ATOM || one.operation == Operation::ATOMG;
  if (is_atomic) {
    if (one.has("CAS") || (one.has("64") && !one.has("MIN"))) throw Unknown("the instruction " + one.text);
    count_words(made, at, active);
    const bool returns = one.operation == Operation::ATOM || one.operation == Operation::ATOMG;
    const auto memory = static_cast<std::size_t>(&place - operands.data());
    const Lanes value = memory + 1 < operands.size() ? bits(operands[memory + 1]) : Lanes{};
    Lanes old{};
    for (Mask left = active; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(left));
      old[lane] = load(at[lane], 4, false);
      if (one.has("64")) {
        store_smaller(at[lane], value[lane], registers_[static_cast<std::size_t>(operands[memory + 1].index) + 1][lane]);
      } else {
        store(at[lane], combined(one, old[lane], value[lane]), 4, false);
      }
    }
    if (returns) set(operands[memory - 1], old, active);
    return;
  }
  const bool is_load = one.operation == Operation::LDG || one.operation == Operation::LD;
  for (int w = 0; w < words; ++w) {
    Operand data = is_load ? operands[0] : operands.back();
    if (data.kind == Kind::predicate && operands.size() > 1) data = operands[1];
    if (data.index < 255) data.index += w;
    const auto offset = static_cast<std::uint64_t>(4 * w);
    if (is_load) {
      Lanes values{};
      for (Mask left = active; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(left));
        values[lane] = load(at[lane] + offset, one.bytes, false);
        if (block_.global.is_unknown(at[lane] + offset)) unknown_loaded_ |= Mask{1} << lane;
      }
      set(data, values, active);
    } else {
      const Lanes values = bits(data);
      for (Mask left = active; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(left));
        store(at[lane] + offset, values[lane], one.bytes, false);
      }
    }
  }
}

void Warp::access_shared(const Instruction& one, Mask active, const Operand& place, Step& made) {
  const auto at = addresses(place, false);
  const auto& operands = one.operands;
  if (active == 0) return;
  if (one.operation == Operation::ATOMS) {
    if (one.has("CAST")) {
      swap_if_equal(one, active, at);
      made.passes = static_cast<std::uint16_t>(
          passes_of(at, active, one.bytes, report::AccessKind::atomic));
      return;
    }
    if (one.has("64")) throw Unknown("the instruction " + one.text);
    count_words(made, at, active);
    const auto memory = static_cast<std::size_t>(&place - operands.data());
    const Lanes value = memory + 1 < operands.size() ? bits(operands[memory + 1]) : Lanes{};
    Lanes old{};
    for (Mask left = active; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(left));
      old[lane] = load(at[lane], 4, true);
      store(at[lane], combined(one, old[lane], value[lane]), 4, true);
    }
    set(operands[0], old, active);
    made.passes = static_cast<std::uint16_t>(
        passes_of(at, active, 4, report::AccessKind::atomic, one.has("POPC")));
    return;
  }
  made.passes = static_cast<std::uint16_t>(passes_of(
      at, active, one.bytes,
      one.operation == Operation::LDS ? report::AccessKind::load : report::AccessKind::store));
  const int words = std::max(1, one.bytes / 4);
  for (int w = 0; w < words; ++w) {
    const auto offset = static_cast<std::uint64_t>(4 * w);
    if (one.operation == Operation::LDS) {
      Operand data = operands[0];
      if (data.index < 255) data.index += w;
      Lanes values{};
      for (Mask left = active; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(left));
        values[lane] = load(at[lane] + offset, one.bytes, true);
        if (is_unknown_shared(at[lane] + offset)) unknown_loaded_ |= Mask{1} << lane;
      }
      set(data, values, active);
    } else {
      Operand data = operands.back();
      if (data.index < 255) data.index += w;
      const Lanes values = bits(data);
      for (Mask left = active; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(left));
        store(at[lane] + offset, values[lane], one.bytes, true);
        set_unknown_shared(at[lane] + offset, (unknown_sources(one) >> lane & 1U) != 0);
      }
    }
  }
}

/// An atomic minimum of 64 bits.
void Warp::store_smaller(std::uint64_t address, std::uint32_t low, std::uint32_t high) {
  const std::uint64_t old = load(address, 4, false) | std::uint64_t{load(address + 4, 4, false)} << 32U;
  const std::uint64_t value = low | std::uint64_t{high} << 32U;
  const std::uint64_t made = std::min(old, value);
  store(address, static_cast<std::uint32_t>(made), 4, false);
  store(address + 4, static_cast<std::uint32_t>(made >> 32U), 4, false);
}

/// Compares and swaps, lane after lane. The destination says whether a lane's value was the old one.
void Warp::swap_if_equal(const Instruction& one, Mask active,
                         const std::array<std::uint64_t, 32>& at) {
  const auto& operands = one.operands;
  const int words = one.bytes / 4;
  Lanes made{};
  for (Mask left = active; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    const auto part = [&](const Operand& from, int word) {
      return registers_[static_cast<std::size_t>(from.index + word)][lane];
    };
    bool is_equal = true;
    for (int w = 0; w < words; ++w) {
      const std::uint64_t place = at[lane] + static_cast<std::uint64_t>(4 * w);
      is_equal &= load(place, 4, true) == part(operands[2], w);
    }
    for (int w = 0; w < words && is_equal; ++w) {
      const std::uint64_t place = at[lane] + static_cast<std::uint64_t>(4 * w);
      store(place, part(operands[3], w), 4, true);
    }
    made[lane] = is_equal ? 1 : 0;
  }
  set(operands[0], made, active);
}

/// LDGSTS [shared], [global].
void Warp::copy_to_shared(const Instruction& one, Mask active, Step& made) {
  const Operand& to = one.operands[0];
  const auto from = addresses(one.operands[1], true);
  const auto into = addresses(to, false);
  add_lines(trace, made, from, active, one.bytes);
  if (active == 0) return;
  made.passes = static_cast<std::uint16_t>(passes_of(into, active, one.bytes, report::AccessKind::store));
  for (int w = 0; w < std::max(1, one.bytes / 4); ++w) {
    const auto offset = static_cast<std::uint64_t>(4 * w);
    for (Mask left = active; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(left));
      store(into[lane] + offset, load(from[lane] + offset, 4, false), 4, true);
      set_unknown_shared(into[lane] + offset, block_.global.is_unknown(from[lane] + offset));
    }
  }
}

}  // namespace tilelab::estimator

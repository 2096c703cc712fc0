#include <algorithm>
#include <bit>

#include "estimator/warp.h"

namespace tilelab::estimator {

namespace {

constexpr std::uint64_t shared_begin = 0;

std::uint32_t of_width(std::uint32_t word, std::uint64_t address, int bytes) {
  if (bytes >= 4) return word;
  const std::uint32_t moved = word >> (8 * (address & 3U));
  return bytes == 1 ? moved & 0xffU : moved & 0xffffU;
}

/// How often each of a warp's addresses, in words, goes through the banks: a pass has one word of
/// each bank. Lanes that want the same word share it.
int passes_of(const std::array<std::uint64_t, 32>& addresses, Mask active, int bytes) {
  // Wide accesses go in halves or quarters of a warp.
  const int groups = bytes == 16 ? 4 : bytes == 8 ? 2 : 1;
  const int words = std::max(1, bytes / 4);
  int passes = 0;
  const auto of_lanes = [&](std::uint32_t begin, std::uint32_t end) {
    std::array<std::vector<std::uint64_t>, 32> banks;
    for (std::uint32_t lane = begin; lane < end; ++lane) {
      if ((active >> lane & 1U) == 0) continue;
      for (int w = 0; w < words; ++w) {
        const std::uint64_t word = addresses[lane] / 4 + static_cast<std::uint64_t>(w);
        auto& bank = banks[word % 32];
        if (std::ranges::find(bank, word) == bank.end()) bank.push_back(word);
      }
    }
    std::size_t most = 0;
    for (const auto& bank : banks) most = std::max(most, bank.size());
    return static_cast<int>(most);
  };
  // If the whole warp fits a smaller number of passes, lanes that agree were joined.
  const auto size = static_cast<std::uint32_t>(32 / groups);
  for (int g = 0; g < groups; ++g) {
    const auto begin = static_cast<std::uint32_t>(g) * size;
    passes += of_lanes(begin, begin + size);
  }
  return std::max(passes, active != 0 ? 1 : 0);
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

std::uint32_t lanes_of_busiest_bank(const std::array<std::uint64_t, 32>& addresses, Mask active) {
  std::array<std::uint32_t, 32> lanes{};
  for (Mask left = active; left != 0; left &= left - 1) {
    ++lanes[addresses[static_cast<std::size_t>(std::countr_zero(left))] / 4 % 32];
  }
  return *std::ranges::max_element(lanes);
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
    if (one.has("64") || one.has("CAS")) throw Unknown("the instruction " + one.text);
    count_words(made, at, active);
    const bool returns = one.operation == Operation::ATOM || one.operation == Operation::ATOMG;
    const auto memory = static_cast<std::size_t>(&place - operands.data());
    const Lanes value = memory + 1 < operands.size() ? bits(operands[memory + 1]) : Lanes{};
    Lanes old{};
    for (Mask left = active; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(left));
      old[lane] = load(at[lane], 4, false);
      store(at[lane], combined(one, old[lane], value[lane]), 4, false);
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
    if (one.has("CAST") || one.has("64")) throw Unknown("the instruction " + one.text);
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
    made.passes = static_cast<std::uint16_t>(one.has("POPC") ? passes_of(at, active, 4)
                                                             : lanes_of_busiest_bank(at, active));
    return;
  }
  made.passes = static_cast<std::uint16_t>(passes_of(at, active, one.bytes));
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
      }
      set(data, values, active);
    } else {
      Operand data = operands.back();
      if (data.index < 255) data.index += w;
      const Lanes values = bits(data);
      for (Mask left = active; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(left));
        store(at[lane] + offset, values[lane], one.bytes, true);
      }
    }
  }
}

/// LDGSTS [shared], [global].
void Warp::copy_to_shared(const Instruction& one, Mask active, Step& made) {
  const Operand& to = one.operands[0];
  const auto from = addresses(one.operands[1], true);
  const auto into = addresses(to, false);
  add_lines(trace, made, from, active, one.bytes);
  if (active == 0) return;
  made.passes = static_cast<std::uint16_t>(passes_of(into, active, one.bytes));
  for (int w = 0; w < std::max(1, one.bytes / 4); ++w) {
    const auto offset = static_cast<std::uint64_t>(4 * w);
    for (Mask left = active; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(left));
      store(into[lane] + offset, load(from[lane] + offset, 4, false), 4, true);
    }
  }
}

}  // namespace tilelab::estimator

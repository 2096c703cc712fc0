#include "estimator/estimate/comparison.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <map>

#include "estimator/execution/unknown.h"

namespace tilelab::estimator {

namespace {

// Of all warps. It takes some seconds.
constexpr std::uint64_t most_steps = 100'000'000;

// nvcc multiplies and adds in one instruction, which rounds once.
constexpr double rounding = 1e-3;

/// Whole numbers, taken for floats or doubles, are next to 0.
template <class Real>
bool is_close(Real a, Real b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (!std::isnormal(a) || !std::isnormal(b)) return false;
  return std::abs(a - b) <= rounding * std::max(std::abs(a), std::abs(b));
}

double double_of(std::uint32_t low, std::uint32_t high) {
  return std::bit_cast<double>(std::uint64_t{high} << 32U | low);
}

/// Memory after the blocks ran elsewhere: that before them, and what changed.
class Elsewhere {
 public:
  Elsewhere(const Memory& before, const std::vector<Change>& changes) : before_(before) {
    for (const Change& it : changes) {
      for (std::size_t i = 0; i < it.words.size(); ++i) changed_[it.address + 4 * i] = it.words[i];
    }
  }

  std::uint32_t word(std::uint64_t address) const {
    const auto found = changed_.find(address);
    return found != changed_.end() ? found->second : before_.word(address);
  }

  const std::map<std::uint64_t, std::uint32_t>& changed() const { return changed_; }

 private:
  const Memory& before_;
  std::map<std::uint64_t, std::uint32_t> changed_;
};

/// How many words are equal if all are taken for numbers of the same type.
struct Equal {
  std::uint64_t as_floats = 0, as_doubles = 0;

  void count(const Memory& here, const Elsewhere& there, std::uint64_t address) {
    const std::uint32_t a = here.word(address), b = there.word(address);
    const std::uint64_t low = address & ~std::uint64_t{7}, high = low + 4;
    as_floats += a == b || is_close(std::bit_cast<float>(a), std::bit_cast<float>(b));
    as_doubles += a == b || is_close(double_of(here.word(low), here.word(high)),
                                     double_of(there.word(low), there.word(high)));
  }
};

void execute(const Work& work, const std::vector<std::uint64_t>& blocks) {
  std::uint64_t left = most_steps;
  for (const std::uint64_t block : blocks) {
    const std::uint64_t steps = execute_whole_block(work, block, left / work.launch.warps());
    if (steps >= left) throw Unknown("its blocks take too long to be compared");
    left -= steps;
  }
}

}  // namespace

void store(Memory& memory, const Change& change) {
  for (std::size_t i = 0; i < change.words.size(); ++i) {
    memory.store(change.address + 4 * i, change.words[i], 4);
  }
}

Comparison compare(const Work& work, const Trial& trial) {
  const Memory before = work.memory;
  execute(work, trial.blocks);
  const Elsewhere there(before, trial.changes);
  Comparison made;
  Equal equal;
  const auto count = [&](std::uint64_t address) {
    ++made.words;
    equal.count(work.memory, there, address);
  };
  for (const auto& [address, word] : there.changed()) count(address);
  work.memory.for_each_stored([&](std::uint64_t address, std::uint32_t word) {
    const bool is_known = there.changed().contains(address) || before.word(address) == word;
    if (!is_known && before.array_at(address) >= 0) count(address);
  });
  made.equal = std::max(equal.as_floats, equal.as_doubles);
  return made;
}

}  // namespace tilelab::estimator

#include "observer/request_cost.h"

#include <algorithm>

namespace tilelab::emulator {
namespace {

/// The number of different values, which are reordered.
unsigned count_different(std::uint32_t* values, unsigned count) {
  if (!std::is_sorted(values, values + count)) std::sort(values, values + count);
  return static_cast<unsigned>(std::unique(values, values + count) - values);
}

/// The turns that the most wanted bank needs for a set of different words.
unsigned turns(const std::uint32_t* words, unsigned count) {
  std::array<std::uint8_t, bank_count> wanted{};
  unsigned most = 0;
  for (unsigned i = 0; i < count; ++i) {
    const unsigned turn = ++wanted[words[i] % bank_count];
    most = std::max(most, turn);
  }
  return most;
}

}  // namespace

unsigned sectors_of(const WarpAccess& access) {
  // An aligned access lies in one sector.
  std::array<std::uint32_t, 32> sectors;
  for (unsigned i = 0; i < access.count; ++i) sectors[i] = access.address(i) / sector_bytes;
  return count_different(sectors.data(), access.count);
}

SharedCost shared_cost_of(const WarpAccess& access) {
  const unsigned bytes = access.bytes();
  const unsigned words_per_lane = bytes <= bank_bytes ? 1 : bytes / bank_bytes;
  const unsigned pass = lanes_per_shared_pass(bytes);
  SharedCost cost{0, 0};
  std::uint32_t rest = access.lanes;
  unsigned i = 0;
  for (unsigned begin = 0; begin < 32; begin += pass) {
    const unsigned lanes = begin + pass == 32 ? rest : rest & ((1u << (begin + pass)) - 1);
    rest &= ~lanes;
    const unsigned count = static_cast<unsigned>(std::popcount(lanes));
    if (count == 0) continue;
    std::array<std::uint32_t, 32> words;
    unsigned word_count = 0;
    for (unsigned lane = 0; lane < count; ++lane, ++i) {
      for (unsigned word = 0; word < words_per_lane; ++word) {
        words[word_count++] = access.address(i) / bank_bytes + word;
      }
    }
    cost.wavefronts += turns(words.data(), count_different(words.data(), word_count));
    ++cost.ideal;
  }
  return cost;
}

}  // namespace tilelab::emulator
